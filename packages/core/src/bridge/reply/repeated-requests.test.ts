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

/** The bodies that the upstream got for every prefix of the history. */
async function bodies({ kind: _, ...options }: Setting, repeated: RepeatedValues, tools: object[]) {
  const sent: unknown[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    sent.push(JSON.parse(String(init?.body)));
    const message = { role: 'assistant', content: 'Fine.' };
    return Response.json({ choices: [{ index: 0, message, finish_reason: 'stop' }] });
  };
  const upstream = { url: 'http://model.test/v1', stream: false, fetch: fetch as typeof globalThis.fetch };
  const respond = createResponder({ ...options, upstream, repeated });
  for (let end = 2; end <= history.length; end++) {
    const body = JSON.stringify({ model: 'm', messages: history.slice(0, end), tools });
    const headers = { 'content-type': 'application/json' };
    const request = new Request('http://bridge.test/v1/chat/completions', { method: 'POST', headers, body });
    expect((await respond(request)).status).toBe(200);
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
