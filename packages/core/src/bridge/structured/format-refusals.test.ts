import { describe, expect, it } from 'vitest';
import { ApiError, type ModelRequest } from '../../model/index.js';
import { createResponder } from '../reply/respond.js';
import { refusedFormat } from './format-refusals.js';

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const rome = '{"city": "Rome"}';

/** An endpoint that refuses `response_format`, after all requests that come at once have come. */
function refusing(tools: boolean, usage?: object) {
  // biome-ignore lint/suspicious/noExplicitAny: bodies as they were sent.
  const asked: any[] = [];
  const fetch = async (_: unknown, init: { body: string }) => {
    const body = JSON.parse(init.body);
    asked.push(body);
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (body.response_format)
      return Response.json({ error: { message: 'response_format is not supported' } }, { status: 400 });
    const message = { role: 'assistant', content: rome };
    return Response.json({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage });
  };
  const upstream = { url: 'http://up.invalid/v1', fetch: fetch as never, tools, stream: false };
  const respond = createResponder({ dialect: 'hermes', upstream });
  const ask = async (more: object = {}) => {
    const format = { type: 'json_schema', json_schema: { name: 'trip', schema } };
    const messages = [{ role: 'user', content: 'Where?' }];
    const body = JSON.stringify({ model: 'm', messages, response_format: format, ...more });
    const request = new Request('http://gate.invalid/v1/chat/completions', { method: 'POST', body });
    // biome-ignore lint/suspicious/noExplicitAny: the body as the client sees it.
    return (await (await respond(request)).json()) as any;
  };
  return { ask, asked };
}

const textOf = (body: { choices: { message: { content: string } }[] }) =>
  body.choices.map(({ message }) => message.content);

describe.each([true, false])('an endpoint that refuses formats, with tools %s', (tools) => {
  it('is asked for one once', async () => {
    const { ask, asked } = refusing(tools);
    for (let turn = 0; turn < 3; turn++) expect(textOf(await ask())).toEqual([rome]);
    expect(asked.filter((body) => body.response_format)).toHaveLength(1);
  });

  it('answers all requests that came at once', async () => {
    const { ask } = refusing(tools);
    const answers = await Promise.all([ask(), ask(), ask()]);
    expect(answers.flatMap(textOf)).toEqual([rome, rome, rome]);
  });

  it('has no tokens counted for the request that it refused', async () => {
    const { ask } = refusing(tools, { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 });
    expect(await ask()).toMatchObject({
      usage: { prompt_tokens: 10, completion_tokens: 5 },
      dragoman: { usage: 'upstream' },
    });
  });
});

it('answers several choices that were refused at once', async () => {
  const { ask } = refusing(false);
  expect(textOf(await ask({ n: 3 }))).toEqual([rome, rome, rome]);
});

describe('an error', () => {
  const sent = { model: 'm', format: { type: 'json' } } as ModelRequest;
  const refuses = (message: string, status = 400) =>
    refusedFormat(new ApiError('upstream-refused', message, { status }), sent) !== undefined;

  it.each([
    "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
    'This response_format type is unavailable now',
    'json mode cannot be combined with tool/function calling',
    'response_format is not supported for tool calling',
    'guided decoding is not supported by this engine',
    'Failed to parse grammar',
  ])('is about the format: %s', (message) => expect(refuses(message)).toBe(true));

  it.each([
    'Invalid JSON schema for tool get_weather: unknown type',
    "Invalid schema for function 'get_weather': In context=(), 'required' is required",
    'tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12',
    "tools[0].function.parameters: 'city' is not allowed in a JSON schema",
    'Failed to compile the grammar of tool get_weather',
    "Invalid schema for response_format 'trip'",
    'no such model',
  ])('is about something else: %s', (message) => expect(refuses(message)).toBe(false));
});

describe.each([true, false])(
  'a refusal that asking without the format does not cure, with tools %s',
  (tools) => {
    it('is passed on, and not remembered', async () => {
      const asked: boolean[] = [];
      const fetch = async (_: unknown, init: { body: string }) => {
        asked.push('response_format' in JSON.parse(init.body));
        return Response.json({ error: { message: 'Failed to parse grammar' } }, { status: 400 });
      };
      const upstream = { url: 'http://up.invalid/v1', fetch: fetch as never, tools, stream: false };
      const respond = createResponder({ dialect: 'hermes', upstream });
      const body = JSON.stringify({
        model: 'm'.repeat(5000),
        messages: [{ role: 'user', content: 'Where?' }],
        response_format: { type: 'json_object' },
      });
      for (let turn = 0; turn < 2; turn++) {
        const request = new Request('http://gate.invalid/v1/chat/completions', { method: 'POST', body });
        const response = await respond(request);
        expect([response.status, await response.text()]).toEqual([
          400,
          expect.stringContaining('Failed to parse grammar'),
        ]);
      }
      expect(asked).toEqual([true, false, true, false]);
    });
  },
);
