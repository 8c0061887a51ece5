// JSON with duplicate keys, where a reader that takes the first and one that takes the last would differ: what the
// gateway checks is what the upstream gets, and a call that holds them is reported.

import { createServer } from 'node:http';
import { runAgent } from '@dragoman/core/agent';
import { afterAll, describe, expect, it } from 'vitest';
import { answer, call, calls, scripted } from '../agent/scripted-model.js';
import { close, listen } from '../scripted/text-model.js';
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
      expect(JSON.parse(text)).toBeDefined();
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
