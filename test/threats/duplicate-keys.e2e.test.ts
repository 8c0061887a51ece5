// JSON with duplicate keys, where a reader that takes the first and one that takes the last would differ: what the
// gateway checks is what the upstream gets, and a call that holds them is reported.

import { createServer } from 'node:http';
import { runAgent } from '@dragoman/core/agent';
import { afterAll, describe, expect, it } from 'vitest';
import { answer, call, calls, scripted } from '../agent/scripted-model.js';
import { close, listen } from '../scripted/text-model.js';
import { configOf } from './running-gateway.js';
import { openStage } from './stage.js';
import { apiNames, apis } from './three-apis.js';

const { start } = await openStage();

/** A model that keeps the text of its requests, and answers with the arguments it is given. */
let sent: string[] = [];
let given = '{}';
const server = createServer(async (request, response) => {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += piece;
  if (request.method !== 'POST') return void response.writeHead(404).end();
  sent.push(text);
  const tool = { index: 0, id: 'c1', type: 'function', function: { name: 'get_weather', arguments: given } };
  const content = `<tool_call>\n{"name": "get_weather", "arguments": ${given}}\n</tool_call>`;
  const delta = text.includes('"tools"') ? { tool_calls: [tool] } : { content };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`);
  const finish_reason = text.includes('"tools"') ? 'tool_calls' : 'stop';
  response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason }] })}\n\n`);
  response.end('data: [DONE]\n\n');
});
const url = `http://127.0.0.1:${await listen(server)}/v1`;
afterAll(() => close(server));

/** The members of all objects of a JSON text that stand twice, by a reader of their own. */
function duplicatesIn(text: string): string[] {
  const found: string[] = [];
  const stack: (Set<string> | undefined)[] = [];
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g)) {
    const [token, colon] = match;
    if (token === '{') stack.push(new Set());
    else if (token === '[') stack.push(undefined);
    else if (token === '}' || token === ']') stack.pop();
    else if (colon !== undefined) {
      const key = JSON.parse(token.slice(0, -colon.length)) as string;
      const keys = stack.at(-1);
      if (keys?.has(key)) found.push(key);
      keys?.add(key);
    }
  }
  return found;
}

/** Every text in a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

// biome-ignore lint/suspicious/noExplicitAny: the answers of three APIs, of which some members are read
type Json = Record<string, any>;

/** The arguments of the first call of an answer, as they are written in it. */
const argumentsIn: Record<keyof typeof apis, (answer: Json) => string> = {
  chat: ({ choices }) => choices[0].message.tool_calls[0].function.arguments,
  messages: ({ content }) => JSON.stringify(content.find(({ type }: Json) => type === 'tool_use').input),
  responses: ({ output }) => output.find(({ type }: Json) => type === 'function_call').arguments,
};

/** A conversation with one call, whose arguments are `~`. */
const historyOf: Record<keyof typeof apis, object> = {
  chat: {
    messages: [
      { role: 'user', content: 'x' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'get_weather', arguments: '~' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'ok' },
    ],
  },
  messages: {
    messages: [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'get_weather', input: '~' }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'ok' }] },
    ],
  },
  responses: {
    input: [
      { role: 'user', content: 'x' },
      { type: 'function_call', call_id: 'c', name: 'get_weather', arguments: '~' },
      { type: 'function_call_output', call_id: 'c', output: 'ok' },
    ],
  },
};

describe.each(['chat', 'native'] as const)(
  'a request with duplicate keys, to an upstream of kind %s',
  (kind) => {
    it.each(apiNames)('reaches it without them, with the values that were checked, over %s', async (api) => {
      const keys = [{ name: 'one', key: 'a-key-of-one-model', models: ['allowed'] }];
      const gateway = await start({ flags: { kind }, config: { keys } }, url);
      const headers = { authorization: 'Bearer a-key-of-one-model' };
      const body = (first: string, last: string) =>
        `{"model":${JSON.stringify(first)},"\\u006dodel":${JSON.stringify(last)},"metadata":{"a":"1","a":"2"},` +
        `"stream":true,"stream":false,${JSON.stringify({ ...apis[api].body, model: undefined }).slice(1)}`;
      given = '{"city":"Rome"}';
      sent = [];
      const refused = await gateway.ask(api, {}, { headers, body: body('allowed', 'forbidden') });
      expect(refused.status).toBe(403);
      expect(sent).toEqual([]);
      const passed = await gateway.ask(api, {}, { headers, body: body('forbidden', 'allowed') });
      expect(await passed.text()).toContain('Rome');
      expect(sent.length).toBeGreaterThan(0);
      for (const text of sent) {
        expect(duplicatesIn(text)).toEqual([]);
        expect(text).not.toContain('forbidden');
      }
    });

    it.each(apiNames)('a call with them is reported, over %s', async (api) => {
      const gateway = await start({ flags: { kind } }, url);
      given = '{"city":"Rome","city":"Oslo"}';
      const reply = await gateway.ask(api);
      const text = await reply.text();
      expect(text).toContain('duplicate-key');
      const arguments_ = argumentsIn[api](JSON.parse(text));
      expect(duplicatesIn(arguments_)).toEqual([]);
      expect(JSON.parse(arguments_)).toEqual({ city: 'Oslo' });
    });

    it.each(apiNames)('a streamed call with them that is delivered whole has none, over %s', async (api) => {
      const { models } = configOf(url, { flags: { kind } });
      const whole = models.map((one) => ({ ...one, bridge: { ...one.bridge, delivery: 'whole' as const } }));
      const gateway = await start({ flags: { kind }, config: { models: whole } }, url);
      given = '{"city":"Rome","city":"Oslo"}';
      const text = await (await gateway.ask(api, { stream: true })).text();
      expect(text).toContain('Oslo');
      expect(text.replaceAll(/"dragoman":.*$/gm, '')).not.toContain('Rome');
    });

    it.each(apiNames)('a history with them reaches it without, over %s', async (api) => {
      const gateway = await start({ flags: { kind } }, url);
      given = '{}';
      const twice = '{"city": "Rome", "n": {"a": 1, "\\u0061": 2}, "city": "Oslo"}';
      const written = api === 'messages' ? twice : JSON.stringify(twice);
      for (const more of ['', ' ']) {
        sent = [];
        const body = JSON.stringify({ ...apis[api].body, ...historyOf[api] });
        const reply = await gateway.ask(api, {}, { body: body.replace('"~"', `${more}${written}`) });
        expect(reply.status, await reply.text()).toBe(200);
        expect(sent.length).toBeGreaterThan(0);
        for (const text of sent) {
          expect(text).not.toContain('Rome');
          expect(text).toContain('Oslo');
          expect(duplicatesIn(text)).toEqual([]);
          for (const inner of textsIn(JSON.parse(text))) expect(duplicatesIn(inner)).toEqual([]);
        }
      }
    });

    it.each(apiNames)('a schema with them reaches it without, over %s', async (api) => {
      const gateway = await start({ flags: { kind } }, url);
      given = '{}';
      sent = [];
      const twice = '"properties":{"city":{"type":"boolean"},"city":{"type":"integer"}}';
      const body = JSON.stringify(apis[api].body).replace('"properties":{"city":{"type":"string"}}', twice);
      expect(body).toContain(twice);
      await (await gateway.ask(api, {}, { body })).text();
      for (const text of sent) {
        expect(text).not.toContain('boolean');
        expect(text).toContain('integer');
        expect(duplicatesIn(text)).toEqual([]);
      }
    });
  },
);

it('the agent asks about the value that the tool gets', async () => {
  const seen: unknown[] = [];
  const model = scripted(calls(call('one', 'look', '{"path":"first","path":"last"}')), answer('ok'));
  const see = (input: unknown) => {
    seen.push(input);
    return true;
  };
  const parameters = { type: 'object', properties: { path: { type: 'string' } } };
  const approve = ({ input }: { input: unknown }) => see(input);
  await runAgent({ model, tools: [{ name: 'look', parameters, approve, run: see }], messages: 'Go.' }).result;
  expect(seen).toEqual([{ path: 'last' }, { path: 'last' }]);
});
