// A gateway before stand-ins of engines: what they are sent, what they answer, and what clients get.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { parseConfig } from '../config/parse-config.js';
import { type Gateway, serve } from './serve.js';

const open: (Server | Gateway)[] = [];
afterEach(async () => {
  await Promise.all(
    open
      .splice(0)
      .map((one) => new Promise((done) => void Promise.resolve(one.close(done as never)).then(done))),
  );
});

interface Asked {
  method: string;
  path: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies as an upstream sees them.
  body: any;
}

type Answer = (asked: Asked, response: ServerResponse, count: number) => void;

async function standIn(answer: Answer): Promise<{ url: string; asked: Asked[]; posts: () => Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer(async (incoming: IncomingMessage, response) => {
    let text = '';
    for await (const piece of incoming) text += piece;
    const one = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      body: text === '' ? undefined : JSON.parse(text),
    };
    asked.push(one);
    answer(one, response, asked.filter(({ method }) => method === one.method).length);
  });
  open.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { url, asked, posts: () => asked.filter(({ method }) => method === 'POST') };
}

async function gatewayFor(upstream: Record<string, unknown>, more = {}, detect = false): Promise<Gateway> {
  const parsed = parseConfig(
    JSON.stringify({ port: 0, log: 'silent', upstream: { retries: 0, ...upstream }, ...more }),
    {
      form: 'json',
    } as never,
  );
  if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join('\n'));
  const gateway = await serve(parsed.config, { detect });
  open.push(gateway);
  return gateway;
}

const json = (response: ServerResponse, value: unknown, status = 200) => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
};

const chunk = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
const last = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

/** Streams this text, in pieces of three characters, as a model would. */
const says = (response: ServerResponse, text: string) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let at = 0; at < text.length; at += 3) response.write(chunk(text.slice(at, at + 3)));
  response.end(last);
};

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const apis = {
  '/v1/chat/completions': {
    messages: [{ role: 'user', content: 'Weather in Rome?' }],
    tools: [{ type: 'function', function: { name: 'get_weather', parameters } }],
  },
  '/v1/responses': {
    input: 'Weather in Rome?',
    tools: [{ type: 'function', name: 'get_weather', parameters }],
  },
  '/v1/messages': {
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Weather in Rome?' }],
    tools: [{ name: 'get_weather', input_schema: parameters }],
  },
};

const ways = Object.keys(apis).flatMap((path) =>
  [true, false].map((stream) => [path as keyof typeof apis, stream] as const),
);

async function ask(gateway: Gateway, path: keyof typeof apis, stream: boolean, more = {}) {
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', ...apis[path], stream, ...more }),
  });
  return { status: response.status, text: await response.text() };
}

const kimiCall =
  '<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Rome"}<|tool_call_end|><|tool_calls_section_end|>';
const harmonyCall =
  '<|channel|>analysis<|message|>I look.<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Rome"}<|call|>';
const withoutTokens = (text: string) => text.replaceAll(/<\|[a-z_]+\|>/g, '');

/** Leaves special tokens out, unless it is asked for them. */
const vllm =
  (call: string): Answer =>
  ({ method, path, body }, response) => {
    if (method === 'GET')
      json(
        response,
        path === '/v1/models' ? { object: 'list', data: [{ id: 'm', owned_by: 'vllm', created: 7 }] } : {},
        path === '/v1/models' ? 200 : 404,
      );
    else says(response, body.skip_special_tokens === false ? call : withoutTokens(call));
  };

describe.each([
  ['kimi-k2', kimiCall],
  ['harmony', harmonyCall],
])('special tokens of %s', (dialect, call) => {
  it.each(ways)('are asked for where the engine is known: %s, stream %s', async (path, stream) => {
    const upstream = await standIn(vllm(call));
    const gateway = await gatewayFor({ url: upstream.url, engine: 'vllm' }, { dialect });
    const { text } = await ask(gateway, path, stream);
    expect(text).toContain('get_weather');
    expect(text).not.toContain('stripped-markers');
    expect(upstream.posts()).toHaveLength(1);
  });

  it.each(ways)(
    'are asked for when an answer lacks them, from then on at once: %s, stream %s',
    async (path, stream) => {
      const upstream = await standIn(vllm(call));
      const gateway = await gatewayFor({ url: upstream.url }, { dialect });
      const { text } = await ask(gateway, path, stream);
      expect(text).toContain('stripped-markers');
      expect(text).toMatch(/tool_calls|function_call|tool_use/);
      expect(text).not.toContain('"content":"functions');
      expect(upstream.posts().map(({ body }) => body.skip_special_tokens)).toEqual([undefined, false]);
      // The model is not told of what is not its fault.
      expect(upstream.posts()[1]?.body.messages).toEqual(upstream.posts()[0]?.body.messages);
      await ask(gateway, path, stream);
      expect(upstream.posts()[2]?.body.skip_special_tokens).toBe(false);
      expect(upstream.posts()).toHaveLength(3);
    },
  );

  it.each(ways)(
    'that never come leave text, and an issue with advice: %s, stream %s',
    async (path, stream) => {
      const upstream = await standIn((_, response) => says(response, withoutTokens(call)));
      const gateway = await gatewayFor({ url: upstream.url, engine: 'tgi' }, { dialect });
      const { text } = await ask(gateway, path, stream);
      expect(text).toContain('stripped-markers');
      expect(text).toContain('such as hermes');
      expect(text).not.toMatch(/"tool_calls":|"function_call"|"tool_use"/);
      expect(upstream.posts()).toHaveLength(1);
    },
  );
});

it('special tokens are not asked for again where that is refused', async () => {
  const upstream = await standIn(({ body }, response) => {
    if ('skip_special_tokens' in body)
      json(
        response,
        { error: { message: 'Unrecognized request argument supplied: skip_special_tokens' } },
        400,
      );
    else says(response, withoutTokens(kimiCall));
  });
  const gateway = await gatewayFor({ url: upstream.url }, { dialect: 'kimi-k2' });
  const { status, text } = await ask(gateway, '/v1/chat/completions', false);
  expect([status, text.includes('functions.get_weather:0')]).toEqual([200, true]);
  expect(upstream.posts()).toHaveLength(3);
  await ask(gateway, '/v1/chat/completions', false);
  expect(upstream.posts()).toHaveLength(4);
});

describe('the engine', () => {
  const lists = (owned_by: string) => ({ '/v1/models': { object: 'list', data: [{ id: 'm', owned_by }] } });
  const lm = { id: 'm', object: 'model', type: 'llm', publisher: 'p', compatibility_type: 'gguf' };
  it.each([
    ['vLLM', lists('vllm')],
    ['SGLang', lists('sglang')],
    ['SGLang', { ...lists('me'), '/get_model_info': { model_path: 'm', is_generation: true } }],
    ['llama.cpp', lists('llamacpp')],
    ['llama.cpp', { ...lists('me'), '/props': { default_generation_settings: {}, total_slots: 1 } }],
    ['Ollama', { ...lists('library'), '/api/version': { version: '0.13.0' } }],
    ['LM Studio', { ...lists('organization_owner'), '/api/v0/models': { object: 'list', data: [lm] } }],
    ['TGI', { ...lists('m'), '/info': { model_id: 'm', max_concurrent_requests: 128 } }],
    [undefined, lists('somebody')],
    [undefined, {}],
  ])('%s is found at the start', async (title, paths: Record<string, unknown>) => {
    const upstream = await standIn(({ path }, response) =>
      json(response, paths[path] ?? { error: 'no' }, path in paths ? 200 : 404),
    );
    const gateway = await gatewayFor({ url: upstream.url }, {}, true);
    expect(gateway.engines.get('default')).toBe(title);
    expect(upstream.posts()).toEqual([]);
  });

  it('is not waited for, and not looked for where it is named', async () => {
    const silent = await standIn(() => {});
    const named = await gatewayFor({ url: silent.url, engine: 'ollama' }, {}, true);
    expect([named.engines.size, silent.asked.length]).toEqual([0, 0]);
    const gateway = await gatewayFor({ url: silent.url }, {}, true);
    expect(gateway.engines.size).toBe(0);
  });

  it.each([
    ['vllm', { chat_template_kwargs: { enable_thinking: false, thinking: false } }],
    ['llama.cpp', { chat_template_kwargs: { enable_thinking: false } }],
    ['ollama', { reasoning_effort: 'none' }],
  ])('%s is told not to think in its own words', async (engine, members) => {
    const upstream = await standIn((_, response) => says(response, 'Sunny.'));
    const gateway = await gatewayFor({ url: upstream.url, engine }, { dialect: 'hermes' });
    await ask(gateway, '/v1/messages', false, { thinking: { type: 'disabled' } });
    expect(upstream.posts()[0]?.body).toMatchObject(members);
  });
});

describe('the body', () => {
  it.each(['chat', 'completion', 'native'])(
    'gets what the configuration adds, and loses what it removes: %s',
    async (kind) => {
      const upstream = await standIn((_, response) => says(response, 'Sunny.'));
      const body = { skip_special_tokens: false, stream_options: null, options: { num_ctx: 8 } };
      const gateway = await gatewayFor({ url: upstream.url, kind, body }, { dialect: 'hermes' });
      await ask(gateway, '/v1/chat/completions', true, { min_p: 0.1, options: { seed: 1 } });
      const [sent] = upstream.posts();
      expect(sent?.body).toMatchObject({
        skip_special_tokens: false,
        options: { num_ctx: 8, seed: 1 },
        min_p: 0.1,
        stream: true,
      });
      expect(sent?.body).not.toHaveProperty('stream_options');
    },
  );

  it.each(ways)(
    'gets what a client sends for an engine, and the report the rest: %s, stream %s',
    async (path, stream) => {
      for (const kind of ['chat', 'native']) {
        const upstream = await standIn((_, response) => says(response, 'Sunny.'));
        const gateway = await gatewayFor({ url: upstream.url, kind }, { dialect: 'hermes' });
        const sent = {
          skip_special_tokens: false,
          min_p: 0.1,
          api_base: 'http://evil',
          chat_template: 'evil',
          strange: 1,
        };
        const { text } = await ask(gateway, path, stream, sent);
        expect(upstream.posts()[0]?.body).toMatchObject({ skip_special_tokens: false, min_p: 0.1 });
        expect(JSON.stringify(upstream.posts()[0]?.body)).not.toContain('evil');
        const ignored = /"ignored":(\[[^\]]*\])/.exec(text)?.[1] ?? '[]';
        const own = kind === 'native' && path === '/v1/chat/completions';
        expect(JSON.parse(ignored)).toEqual(
          expect.arrayContaining(
            own ? ['api_base', 'chat_template'] : ['strange', 'api_base', 'chat_template'],
          ),
        );
        if (own) expect(upstream.posts()[0]?.body.strange).toBe(1);
      }
    },
  );

  it.each([
    [
      'Groq',
      400,
      {
        error: {
          message: "property 'stream_options' is unsupported, did you mean 'stream'?",
          type: 'invalid_request_error',
        },
      },
    ],
    [
      'Mistral',
      422,
      {
        object: 'error',
        message: {
          detail: [
            {
              type: 'extra_forbidden',
              loc: ['body', 'stream_options', 'include_usage'],
              msg: 'Extra inputs are not permitted',
            },
          ],
        },
      },
    ],
  ])(
    'goes without stream_options where they are refused, once and for all: %s',
    async (_, status, refusal) => {
      for (const kind of ['chat', 'native']) {
        const upstream = await standIn(({ body }, response) =>
          'stream_options' in body ? json(response, refusal, status) : says(response, 'Sunny.'),
        );
        const gateway = await gatewayFor({ url: upstream.url, kind }, { dialect: 'hermes' });
        for (const [path, stream] of ways) expect((await ask(gateway, path, stream)).status).toBe(200);
        expect(upstream.posts().filter(({ body }) => 'stream_options' in body)).toHaveLength(1);
      }
    },
  );
});

describe('a context that is too long', () => {
  const refusal = {
    error: {
      message: "This model's maximum context length is 8 tokens.",
      type: 'BadRequestError',
      code: 400,
    },
  };
  it.each(ways)('is said in the words of the client’s API: %s, stream %s', async (path, stream) => {
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
          .end(gzipSync(Buffer.alloc(64 * 1024 * 1024, 32)));
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

describe('models', () => {
  const data = [
    { id: 'zai-org/GLM-4.5-Air', object: 'model', created: 1_700_000_000, owned_by: 'vllm' },
    { id: '', object: 'model' },
    'nonsense',
    { id: 'coder', object: 'model', created: 'soon' },
  ];
  const catalog: Answer = ({ path }, response) => {
    if (path === '/v1/models') json(response, { object: 'list', data });
    else if (path === '/v1/models/qwen3')
      json(response, { id: 'qwen3', object: 'model', created: 5, owned_by: 'library' });
    else json(response, { error: { message: 'no' } }, 404);
  };
  const anthropic = { 'anthropic-version': '2023-06-01', 'x-api-key': 'none' };

  it('are those of the upstream, and those of the configuration', async () => {
    const upstream = await standIn(catalog);
    const gateway = await gatewayFor(
      { url: upstream.url },
      { models: ['*', { name: 'mine', model: 'coder' }] },
    );
    for (const path of ['/models', '/v1/models']) {
      const body = await (await fetch(gateway.url + path, { headers: anthropic })).json();
      expect(body).toMatchObject({ object: 'list', has_more: false, first_id: 'mine', last_id: 'coder' });
      expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['mine', 'zai-org/GLM-4.5-Air', 'coder']);
      expect(body.data[1]).toEqual({
        id: 'zai-org/GLM-4.5-Air',
        object: 'model',
        created: 1_700_000_000,
        owned_by: 'vllm',
        type: 'model',
        display_name: 'zai-org/GLM-4.5-Air',
        created_at: '2023-11-14T22:13:20.000Z',
      });
    }
    // The list is kept for a while.
    expect(upstream.asked).toHaveLength(1);
  });

  it.each(['zai-org/GLM-4.5-Air', 'zai-org%2FGLM-4.5-Air', 'qwen3'])(
    'are found by name: %s',
    async (name) => {
      const gateway = await gatewayFor({ url: (await standIn(catalog)).url });
      const found = await fetch(`${gateway.url}/v1/models/${name}`);
      expect([found.status, (await found.json()).id]).toEqual([200, decodeURIComponent(name)]);
    },
  );

  it('that do not exist are not found, in the words of the client’s API', async () => {
    const gateway = await gatewayFor({ url: (await standIn(catalog)).url });
    const path = `${gateway.url}/v1/models/nobody`;
    const openai = await fetch(path);
    expect([openai.status, (await openai.json()).error.code]).toEqual([404, 'model_not_found']);
    const messages = await fetch(path, { headers: anthropic });
    expect([messages.status, (await messages.json()).error.type]).toEqual([404, 'not_found_error']);
  });

  it('of an upstream that gives no list: any name will do', async () => {
    const upstream = await standIn((_, response) => json(response, {}, 500));
    const gateway = await gatewayFor({ url: upstream.url });
    expect(await (await fetch(`${gateway.url}/v1/models`)).json()).toMatchObject({
      data: [],
      first_id: null,
    });
    expect((await fetch(`${gateway.url}/v1/models/anything`)).status).toBe(200);
  });

  it('that a key may not use are neither listed nor found', async () => {
    const keys = { alice: { key: 'key-of-alice', models: ['coder'] } };
    const gateway = await gatewayFor({ url: (await standIn(catalog)).url }, { keys });
    const headers = { authorization: 'Bearer key-of-alice' };
    const { data: listed } = await (await fetch(`${gateway.url}/v1/models`, { headers })).json();
    expect(listed.map(({ id }: { id: string }) => id)).toEqual(['coder']);
    expect((await fetch(`${gateway.url}/v1/models/qwen3`, { headers })).status).toBe(404);
    expect((await fetch(`${gateway.url}/v1/models/coder`)).status).toBe(401);
  });
});

it('an unknown route names those that there are', async () => {
  const gateway = await gatewayFor({ kind: 'demo' });
  const response = await fetch(`${gateway.url}/v1/embeddings`, { method: 'POST', body: '{}' });
  const { error } = await response.json();
  expect([response.status, error.code, error.type]).toEqual([404, 'not_found', 'invalid_request_error']);
  expect(error.message).toContain('POST /v1/responses');
  expect(error.message).toContain('GET /v1/models');
});
