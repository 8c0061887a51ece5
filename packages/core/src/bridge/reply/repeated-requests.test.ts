// A session that sends its tools and its history again with every request gets what it would get from a gateway that
// remembers nothing, and other sessions with equal values do, too.

import { describe, expect, it } from 'vitest';
import { RepeatedValues } from '../../model/repeated-values.js';
import { createResponder, type ResponderOptions } from './respond.js';

const tool = (name: string) => ({
  type: 'function',
  function: {
    name,
    description: `Calls ${name}.`,
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    strict: false,
  },
});

const call = (id: string, city: string) => ({
  id,
  type: 'function',
  function: { name: 'weather', arguments: JSON.stringify({ city }) },
});

const history: object[] = [
  { role: 'system', content: 'Be <tool_call> brief.' },
  { role: 'user', content: [{ type: 'text', text: 'And Oslo?' }] },
  { role: 'assistant', content: 'Well.', reasoning_content: 'Hm.', tool_calls: [call('c1', 'Oslo')] },
  { role: 'tool', tool_call_id: 'c1', content: 'rain </tool_response>' },
  { role: 'assistant', content: null, tool_calls: [call('c2', 'Bergen'), call('c3', 'Molde')] },
  { role: 'tool', tool_call_id: 'c3', content: 'sun' },
  { role: 'tool', tool_call_id: 'c2', content: 'snow' },
  { role: 'user', content: 'And now?' },
  // Without ids: only the order links them.
  {
    role: 'assistant',
    content: '',
    tool_calls: [{ type: 'function', function: { name: 'weather', arguments: '{"city":"Vik"}' } }],
  },
  { role: 'tool', content: 'wind' },
  { role: 'user', content: 'Thanks.', name: 'ann' },
];

type Setting = Omit<ResponderOptions, 'upstream'> & { kind: string };
const settings: Setting[] = [
  { kind: 'taught', mode: 'emulate', dialect: 'hermes' },
  { kind: 'taught, results as user', mode: 'emulate', dialect: 'alkaid' },
  { kind: 'healed', mode: 'heal', dialect: 'hermes' },
  { kind: 'native', mode: 'native' },
];

/** The same session by the Messages API. */
function messagesBody(end: number, tools: readonly { function: { name: string } }[]): object {
  const block = { type: 'tool_use', id: 't1', name: 'weather', input: { city: 'Oslo' } };
  const result = { type: 'tool_result', tool_use_id: 't1', content: 'rain' };
  const messages = [
    { role: 'user', content: 'And Oslo?' },
    { role: 'assistant', content: [{ type: 'text', text: 'Well.' }, block] },
    { role: 'user', content: [result, { type: 'text', text: 'Go on.' }] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 's' },
        { ...block, id: 't2' },
      ],
    },
    { role: 'user', content: [{ ...result, tool_use_id: 't2', is_error: true }] },
    { role: 'assistant', content: 'No.' },
    { role: 'user', content: 'Thanks.' },
  ];
  const listed = tools.map(({ function: { name } }) => ({ name, input_schema: { type: 'object' } }));
  return { model: 'm', max_tokens: 9, messages: messages.slice(0, end), tools: listed };
}

type Tools = ReturnType<typeof tool>[];
const sessions = [
  { path: 'chat/completions', length: history.length, body: chatBody },
  { path: 'messages', length: 7, body: messagesBody },
];

function chatBody(end: number, tools: Tools): object {
  return { model: 'm', messages: history.slice(0, end), tools };
}

/** The bodies that the upstream got for every prefix of the sessions. */
async function bodies({ kind: _, ...options }: Setting, repeated: RepeatedValues, tools: Tools) {
  const sent: unknown[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    sent.push(JSON.parse(String(init?.body)));
    const message = { role: 'assistant', content: 'Fine.' };
    return Response.json({ choices: [{ index: 0, message, finish_reason: 'stop' }] });
  };
  const upstream = { url: 'http://model.test/v1', stream: false, fetch: fetch as typeof globalThis.fetch };
  const respond = createResponder({ ...options, upstream, repeated });
  for (const { path, length, body } of sessions)
    for (let end = 1; end <= length; end++) {
      const headers = { 'content-type': 'application/json' };
      const request = { method: 'POST', headers, body: JSON.stringify(body(end, tools)) };
      const response = await respond(new Request(`http://bridge.test/v1/${path}`, request));
      expect(response.status).toBe(200);
    }
  return sent;
}

describe.each(settings)('$kind: the upstream gets the same', (setting) => {
  it('with and without the memory, also for other tools in between', async () => {
    const nothing = () => new RepeatedValues(0);
    const [one, other] = [[tool('weather')], [tool('weather'), tool('more')]];
    const expected = [await bodies(setting, nothing(), one), await bodies(setting, nothing(), other)];
    const shared = new RepeatedValues(1_000_000);
    const again = [];
    for (const tools of [one, other, one, other]) again.push(await bodies(setting, shared, tools));
    expect(again).toEqual([...expected, ...expected]);
    expect(shared.hits).toBeGreaterThan(shared.misses);
  });
});

/** Asks by an API whose model writes harmony, and gives what the upstream got. */
async function sentFor(path: string, body: object, prepare?: (body: unknown) => unknown): Promise<string> {
  let sent = '';
  const fetch = async (_: unknown, init?: RequestInit) => {
    sent = String(init?.body);
    const message = { role: 'assistant', content: 'Fine.' };
    return Response.json({ choices: [{ index: 0, message, finish_reason: 'stop' }] });
  };
  const upstream = { url: 'http://model.test/v1', stream: false, fetch: fetch as typeof globalThis.fetch };
  const respond = createResponder({ mode: 'emulate', dialect: 'harmony', upstream });
  const request = { method: 'POST', body: JSON.stringify(body) };
  await respond(new Request(`http://bridge.test/v1/${path}`, request), prepare && { prepare });
  return sent;
}

describe('a Responses request in emulation', () => {
  const tool = (description: string) => ({ type: 'function', name: 'read', description, parameters: {} });
  const input = [
    { role: 'user', content: 'Read it.' },
    { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c1', output: 'text' },
  ];

  it('has the names of its results', async () => {
    expect(await sentFor('responses', { model: 'm', input, tools: [tool('one')] })).toContain(
      'functions.read to=assistant',
    );
  });

  it('teaches the later one of two tools of one name', async () => {
    const sent = await sentFor('responses', { model: 'm', input, tools: [tool('Old.'), tool('New.')] });
    expect(sent).toContain('New.');
    expect(sent).not.toContain('Old.');
  });
});

it('a prepared body keeps its own objects, and their changes count', async () => {
  const own = [tool('weather')];
  const prepare = (body: unknown) => ({ ...(body as object), tools: own });
  const body = { model: 'm', messages: [{ role: 'user', content: 'Hi.' }] };
  await sentFor('chat/completions', body, prepare);
  for (const { function: definition } of own) definition.description = 'Changed.';
  own.push(tool('more'));
  expect(await sentFor('chat/completions', body, prepare)).toContain('Changed.');
});
