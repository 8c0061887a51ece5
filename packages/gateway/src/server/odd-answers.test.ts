// Answers and errors of upstreams that clients must not get as they are.

import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { ask, chunk, gatewayFor, json, last, standIn, ways } from './stand-in.fixture.js';

describe('a context that is too long', () => {
  const refusal = {
    error: {
      message: "This model's maximum context length is 8 tokens.",
      type: 'BadRequestError',
      code: 400,
    },
  };
  it.each(ways)('has the type and code of the client’s API: %s, stream %s', async (path, stream) => {
    for (const kind of ['chat', 'native']) {
      const upstream = await standIn((_, response) => json(response, refusal, 400));
      const { status, text } = await ask(await gatewayFor({ url: upstream.url, kind }), path, stream);
      const inStream = path === '/v1/responses' && stream;
      expect(status).toBe(inStream ? 200 : 400);
      if (inStream) {
        const failed = text.split('\n').find((line) => line.includes('"type":"response.failed"')) ?? '';
        expect(JSON.parse(failed.slice('data: '.length)).response).toMatchObject({
          status: 'failed',
          error: { code: 'context_length_exceeded' },
        });
      } else if (path === '/v1/messages') {
        expect(JSON.parse(text).error).toMatchObject({
          type: 'invalid_request_error',
          message: expect.stringMatching(/^prompt is too long: /),
        });
      } else
        expect(JSON.parse(text).error).toMatchObject({
          type: 'invalid_request_error',
          code: 'context_length_exceeded',
        });
      expect(upstream.posts()).toHaveLength(1);
    }
  });
});

it('a context that is too long is an error of the official clients, with its code', async () => {
  const message = 'request (9 tokens) exceeds the available context size (8 tokens), try increasing it';
  const error = { code: 400, message, type: 'exceed_context_size_error', n_prompt_tokens: 9, n_ctx: 8 };
  const gateway = await gatewayFor({
    url: (await standIn((_, response) => json(response, { error }, 400))).url,
  });
  const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'none', maxRetries: 0 });
  const anthropic = new Anthropic({ baseURL: gateway.url, apiKey: 'none', maxRetries: 0 });
  const messages = [{ role: 'user' as const, content: 'Hi.' }];
  const code = 'context_length_exceeded';
  await expect(openai.chat.completions.create({ model: 'm', messages })).rejects.toMatchObject({ code });
  await expect(openai.responses.create({ model: 'm', input: 'Hi.' })).rejects.toMatchObject({ code });
  const events = await openai.responses.create({ model: 'm', input: 'Hi.', stream: true });
  const all = async () => {
    for await (const event of events) expect(event.type).toMatch(/^response\./);
  };
  await expect(all()).rejects.toMatchObject({ code });
  const asked = anthropic.messages.create({ model: 'm', max_tokens: 9, messages });
  await expect(asked).rejects.toThrow(/prompt is too long: /);
});

describe('an answer that nobody asked to be compressed', () => {
  const codings = {
    gzip: gzipSync,
    deflate: deflateSync,
    'deflate, raw': deflateRawSync,
    br: brotliCompressSync,
  };
  it.each(Object.keys(codings) as (keyof typeof codings)[])('is read: %s', async (name) => {
    const encode = codings[name];
    const upstream = await standIn(({ body }, response) => {
      const headers = { 'content-encoding': name.split(',')[0] };
      if (body.model === 'bad')
        response.writeHead(400, headers).end(encode('{"error":{"message":"No such city."}}'));
      else response.writeHead(200, headers).end(encode(chunk('Sunny ') + chunk('in Rome.') + last));
    });
    const gateway = await gatewayFor({ url: upstream.url });
    for (const [path, stream] of ways) expect((await ask(gateway, path, stream)).text).toContain('Sunny ');
    expect((await ask(gateway, '/v1/messages', false, { model: 'bad' })).text).toContain('No such city.');
  });

  it('is refused where it cannot be read, or is a bomb', async () => {
    const upstream = await standIn(({ body }, response) => {
      if (body.model === 'odd') response.writeHead(200, { 'content-encoding': 'zstd' }).end('?');
      else
        response
          .writeHead(200, { 'content-encoding': 'gzip' })
          .end(gzipSync(Buffer.alloc(32 * 1024 * 1024, 32)));
    });
    const gateway = await gatewayFor({ url: upstream.url });
    const { status, text } = await ask(gateway, '/v1/chat/completions', false);
    expect([status, text]).toEqual([502, expect.stringContaining('compressed too much')]);
    expect((await ask(gateway, '/v1/chat/completions', true, { model: 'odd' })).text).toContain('zstd');
  });
});

it.each(ways)('an HTML error page gives its title alone: %s, stream %s', async (path, stream) => {
  const page =
    '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body><hr><center>nginx at 10.0.0.7</center></body></html>';
  const upstream = await standIn((_, response) =>
    response.writeHead(502, { 'content-type': 'text/html' }).end(page),
  );
  const { status, text } = await ask(await gatewayFor({ url: upstream.url }), path, stream);
  expect(status).toBe(502);
  expect(text).toContain('The upstream answered 502 with a web page: 502 Bad Gateway');
  expect(text).not.toMatch(/nginx|<html|<title/);
});

it('an error that quotes a secret of the configured body hides it', async () => {
  const body = { account: 'body-secret-777', parser: 'hermes' };
  const message = 'hermes: no credit on body-secret-777';
  const upstream = await standIn((_, response) => json(response, { error: { message } }, 402));
  const { text } = await ask(await gatewayFor({ url: upstream.url, body }), '/v1/chat/completions', false);
  expect(text).toContain('hermes: no credit');
  expect(text).not.toContain('body-secret-777');
});
