// Two clients with keys of their own and equal requests: what the gateway keeps of one shows nowhere in the answers of
// the other.

import { describe, expect, it } from 'vitest';
import { gatewayFor, json, standIn } from '../server/stand-in.fixture.js';

const KEYS = { alice: 'key-of-alice-which-is-long', bob: 'key-of-bob-which-is-long-too' };
type Client = keyof typeof KEYS;

const tool = (description: string) => ({
  type: 'function',
  function: {
    name: 'read',
    description,
    parameters: { type: 'object', properties: { p: { type: 'string' } } },
  },
});
const call = { id: 'c1', type: 'function', function: { name: 'read', arguments: '{"p":"a"}' } };
const history = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Read it.' },
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'tool', tool_call_id: 'c1', content: 'text' },
  { role: 'user', content: 'And now?' },
];

/** The bodies that the upstream got. */
let sent: string[] = [];

/** `says`: what the model answers, by how many requests it got before. */
async function serve(upstream: object, more: object = {}, says: readonly object[] = [{ content: 'Fine.' }]) {
  sent = [];
  const { url } = await standIn(({ body }, response) => {
    const message = { role: 'assistant', ...(says[sent.length] ?? says.at(-1)) };
    sent.push(JSON.stringify(body));
    json(response, { id: 'up', created: 1, choices: [{ index: 0, message, finish_reason: 'stop' }] });
  });
  const keys = Object.entries(KEYS).map(([name, key]) => ({ name, key, admin: name === 'alice' }));
  const gateway = await gatewayFor({ url, stream: false, ...upstream }, { keys, ...more });
  return async (client: Client, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${KEYS[client]}`, 'content-type': 'application/json' };
    const init = body
      ? { method: 'POST', headers, body: JSON.stringify({ model: 'm', ...body }) }
      : { headers };
    const response = await fetch(gateway.url + path, init);
    const shown = new Map([...response.headers].filter(([name]) => !/^(date|x-request-id)$/.test(name)));
    return { status: response.status, headers: shown, text: await response.text() };
  };
}

/** An answer without what is made anew for each. */
const lasting = (text: string) =>
  text.replaceAll(/(chatcmpl|resp|msg)[-_]\w+/g, 'ID').replaceAll(/"created(_at)?":\d+/g, '');

describe.each([{ kind: 'chat' }, { kind: 'native' }])('two keys with equal requests: $kind', (upstream) => {
  it('get equal answers, and the upstream gets equal requests, in any order', async () => {
    const ask = await serve(upstream);
    const answers: Awaited<ReturnType<typeof ask>>[] = [];
    for (const end of [2, 4, 5])
      for (const client of ['alice', 'bob', 'alice'] as const)
        answers.push(
          await ask(client, '/v1/chat/completions', {
            messages: history.slice(0, end),
            tools: [tool('Reads.')],
          }),
        );
    for (let at = 0; at < answers.length; at += 3) {
      const [one, ...others] = answers
        .slice(at, at + 3)
        .map(({ text, ...rest }) => ({ ...rest, text: lasting(text) }));
      expect(others).toEqual([one, one]);
      const [first, ...later] = sent.slice(at, at + 3);
      expect(later).toEqual([first, first]);
    }
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('show nothing of what only the other one sent', async () => {
    const ask = await serve(upstream);
    const secret = 'The secret of alice.';
    const own = [...history.slice(0, 4), { role: 'user', content: secret }];
    for (let turn = 0; turn < 2; turn++)
      await ask('alice', '/v1/chat/completions', { messages: own, tools: [tool(secret)], user: secret });
    const before = sent.length;
    const answer = await ask('bob', '/v1/chat/completions', { messages: history, tools: [tool('Reads.')] });
    expect(JSON.stringify([answer.text, ...answer.headers])).not.toContain(secret);
    expect(JSON.stringify(sent.slice(before))).not.toMatch(/secret of alice|key-of-alice/);
  });
});

/** What models write for alice that no rendering gives again. */
const WRITTEN =
  '<think>ALICE</think>\n\nI  read.\n<tool_call>{"name" : "read",  "arguments":{ "p":"a" }}</tool_call>';
const native = { content: 'I read.', reasoning_content: 'ALICE', tool_calls: [call] };

describe.each([
  { name: 'a chat endpoint', upstream: { kind: 'chat' }, says: { content: WRITTEN }, shows: WRITTEN },
  {
    name: 'a completion endpoint',
    upstream: { kind: 'completion' },
    says: { content: WRITTEN },
    shows: WRITTEN,
  },
  {
    name: 'an upstream with tools',
    upstream: { kind: 'native' },
    says: native,
    shows: 'ALICE',
  },
])('the turns of $name', ({ upstream, says, shows }) => {
  it.each([
    ['names', (name: string) => ({ name })],
    ['no names', () => ({})],
  ])('go back to the key that got them only, with keys that have %s', async (_, named) => {
    const keys = Object.entries(KEYS).map(([name, key]) => ({ key, ...named(name) }));
    const ask = await serve(upstream, { dialect: 'hermes', keys }, [says, { content: 'Fine.' }]);
    const first = { messages: history.slice(0, 2), tools: [tool('Reads.')] };
    const answer = await ask('alice', '/v1/chat/completions', first);
    const { reasoning_content: _dropped, ...turn } = JSON.parse(answer.text).choices[0].message;
    const [{ id }] = turn.tool_calls;
    const result = { role: 'tool', tool_call_id: id, content: 'text' };
    const next = { ...first, messages: [...first.messages, turn, result] };
    const shown = JSON.stringify(shows).slice(1, -1);
    for (const client of ['bob', 'alice', 'bob', 'alice'] as const) {
      expect((await ask(client, '/v1/chat/completions', next)).status).toBe(200);
      const got = sent.at(-1) ?? '';
      expect(got).toContain('Reads.');
      if (client === 'alice') expect(got).toContain(shown);
      else expect(got).not.toMatch(/ALICE|\\"name\\" :|\{ \\"p\\"/);
    }
    expect(sent).toHaveLength(5);
  });
});

it('stored responses of one key are unknown to the other, also with equal content', async () => {
  const ask = await serve({ kind: 'chat' }, { store: 'memory:' });
  const body = { input: [{ role: 'user', content: 'Read it.' }], store: true };
  const [first, second] = [
    await ask('alice', '/v1/responses', body),
    await ask('bob', '/v1/responses', body),
  ];
  expect(lasting(first.text)).toBe(lasting(second.text));
  const idOf = ({ text }: { text: string }) => (JSON.parse(text) as { id: string }).id;
  expect((await ask('bob', `/v1/responses/${idOf(first)}`)).status).toBe(404);
  expect((await ask('alice', `/v1/responses/${idOf(second)}`)).status).toBe(404);
  expect((await ask('alice', `/v1/responses/${idOf(first)}`)).status).toBe(200);
});

it('metrics of kept values have no key', async () => {
  const ask = await serve({ kind: 'chat' });
  for (const client of ['alice', 'bob'] as const)
    await ask(client, '/v1/chat/completions', { messages: history, tools: [tool('Reads.')] });
  const { text } = await ask('alice', '/metrics');
  const kept = text.split('\n').filter((line) => line.startsWith('dragoman_repeated'));
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.join('\n')).not.toMatch(/alice|bob|key/i);
});
