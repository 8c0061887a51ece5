import { describe, expect, it } from 'vitest';
import type { AskOptions, BridgeEvent } from '../index.js';
import { createResponder } from '../reply/respond.js';
import { scriptedUpstream } from '../upstream/scripted-upstream.fixture.js';
import { bodies, poisoned, type Turn } from './histories.fixture.js';
import { type MessageApi, refusals, refusingFetch } from './refusing-upstream.fixture.js';

const apis = Object.keys(refusals) as MessageApi[];

function post(api: MessageApi, body: object): Request {
  return new Request(`http://test.invalid${bodies[api].path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
}

interface Asked {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a body as a client sees it.
  body: any;
  /** The bodies that the upstream got. */
  sent: string[];
  events: BridgeEvent[];
}

async function ask(
  client: MessageApi,
  upstream: MessageApi,
  body: object,
  options: Partial<AskOptions> = {},
): Promise<Asked> {
  const sent: string[] = [];
  const events: BridgeEvent[] = [];
  const respond = createResponder({
    upstream: {
      url: 'http://upstream.invalid/v1',
      api: upstream,
      stream: false,
      retries: 0,
      fetch: refusingFetch(upstream, sent),
    },
    mode: 'heal',
    onEvent: (event) => events.push(event),
    ...options,
  });
  const response = await respond(post(client, body));
  return { status: response.status, body: JSON.parse(await response.text()), sent, events };
}

const codesOf = (body: { dragoman: { mended?: { code: string }[] } }) =>
  body.dragoman.mended?.map(({ code }) => code);

describe.each(poisoned)('$name', ({ code, turns }) => {
  it.each(apis)('ends a session at %s, if it is sent as it came', async (api) => {
    const { status } = await ask(api, api, bodies[api].of(turns), { history: 'exact' });
    expect(status).toBe(400);
  });

  it.each(apis.flatMap((client) => apis.map((upstream) => [client, upstream] as const)))(
    'is mended on the way from %s to %s, and reported once',
    async (client, upstream) => {
      const { status, body, events, sent } = await ask(client, upstream, bodies[client].of(turns));
      expect(body.error ?? undefined).toBeUndefined();
      expect(status).toBe(200);
      expect(codesOf(body)).toContain(code);
      const told = events.filter(({ type }) => type === 'mended');
      expect(told).toEqual([{ type: 'mended', mended: body.dragoman.mended }]);
      expect((await ask(client, upstream, bodies[client].of(turns))).sent).toEqual(sent);
    },
  );

  it.each(apis)('is mended in native mode only if the option says so: %s', async (api) => {
    const given = bodies[api].of(turns);
    expect((await ask(api, api, given, { mode: 'native' })).status).toBe(400);
    const { status, body } = await ask(api, api, given, { mode: 'native', history: 'mend' });
    expect([status, codesOf(body)]).toEqual([200, expect.arrayContaining([code])]);
  });

  it.each(apis)('is mended in emulation, too: %s', async (api) => {
    const upstream = scriptedUpstream(['Done.']);
    const { status, body } = await ask(api, api, bodies[api].of(turns), { upstream, mode: 'emulate' });
    expect([status, codesOf(body)]).toEqual([200, expect.arrayContaining([code])]);
  });
});

describe('a history without faults', () => {
  const turns: Turn[] = [
    { user: 'Weather?' },
    {
      assistant: 'Let me see.',
      calls: [
        ['c1', '{ "city": "Rome", "n": 1.0 }'],
        ['c2', '{}'],
      ],
    },
    { result: 'c2', text: 'warm' },
    { result: 'c1', text: 'cold' },
    { assistant: 'It is cold.' },
    { assistant: 'Or warm.' },
    { user: 'Thanks.' },
  ];

  it.each(apis)('is sent as it came, and nothing is reported: %s', async (api) => {
    const given = bodies[api].of(turns);
    const { body, sent, events } = await ask(api, api, given);
    expect(body.dragoman).not.toHaveProperty('mended');
    expect(events.filter(({ type }) => type === 'mended')).toEqual([]);
    expect(sent.map((text) => JSON.parse(text))).toEqual([given]);
  });
});

describe('what the upstream gets', () => {
  const chatOf = async (turns: Turn[]) => {
    const { sent } = await ask('openai-chat', 'openai-chat', bodies['openai-chat'].of(turns));
    return JSON.parse(sent[0] as string).messages;
  };
  const broken = (text: string): Turn[] => [
    { user: 'Go.' },
    { assistant: '', calls: [['c1', text]] },
    { result: 'c1', text: 'Error: invalid JSON' },
  ];

  it('has the arguments that the text means, with their digits', async () => {
    const [, call, result] = await chatOf(broken("{'id': 12345678901234567890, 'rate': 1.0, ok: True,}"));
    expect(call.tool_calls[0].function.arguments).toBe('{"id":12345678901234567890,"rate":1.0,"ok":true}');
    expect(result.content).toBe('Error: invalid JSON');
  });

  it.each(['', ' ', 'null'])('has {} where a call had no arguments: %j', async (text) => {
    const [, call, result] = await chatOf(broken(text));
    expect(call.tool_calls[0].function.arguments).toBe('{}');
    expect(result.content).toBe('Error: invalid JSON');
  });

  it('has a note at the beginning of the result where arguments are lost', async () => {
    const [, call, result] = await chatOf(broken(`{"text": "${'\ud83d\ude00'.repeat(200)}`));
    expect(call.tool_calls[0].function.arguments).toBe('{}');
    const shown = `{"text": "${'\ud83d\ude00'.repeat(95)} …`;
    expect(result.content).toBe(
      `The arguments of this call were not valid JSON and are left out. They were: ${shown}\n\nError: invalid JSON`,
    );
  });

  it('has a result for a call that was never answered', async () => {
    const messages = await chatOf([
      { user: 'Go.' },
      { assistant: '', calls: [['c1', '{}']] },
      { user: 'Stop.' },
    ]);
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(messages[2]).toEqual({
      role: 'tool',
      tool_call_id: 'c1',
      content: 'Error: The tool was not run: the conversation holds no result of this call.',
    });
  });

  it("has one user's message where results without calls stood among others", async () => {
    const messages = await chatOf([
      { user: 'One.' },
      { result: 'gone', text: 'two' },
      { result: 'lost', text: 'three' },
      { user: 'Four.' },
    ]);
    const head = 'Result of an earlier call of a tool that is no longer in this conversation:\n';
    expect(messages).toEqual([{ role: 'user', content: `One.\n\n${head}two\n\n${head}three\n\nFour.` }]);
  });

  it('has each result after its own call, by order, where ids are used twice', async () => {
    const two = (id: string): Turn => ({
      assistant: '',
      calls: [
        [id, '{"n":1}'],
        [id, '{"n":2}'],
      ],
    });
    const messages = await chatOf([
      { user: 'Go.' },
      two('a'),
      { result: 'a', text: 'first' },
      { result: 'a', text: 'second' },
      two('a_2'),
      { result: 'a_2', text: 'third' },
      { result: 'a_2', text: 'fourth' },
    ]);
    const results = messages.filter(({ role }: { role: string }) => role === 'tool');
    const ids = messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }: { id: string }) => id));
    expect(ids).toEqual(['a', 'a_2', 'a_2_2', 'a_2_3']);
    expect(
      results.map((one: { tool_call_id: string; content: string }) => [one.tool_call_id, one.content]),
    ).toEqual([
      ['a', 'first'],
      ['a_2', 'second'],
      ['a_2_2', 'third'],
      ['a_2_3', 'fourth'],
    ]);
  });

  it('has ids everywhere, once a result was added to calls that had none', async () => {
    const call = { type: 'function', function: { name: 'get_weather', arguments: '{}' } };
    const body = {
      model: 'm',
      messages: [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: '', tool_calls: [call, call] },
        { role: 'tool', content: 'one' },
        { role: 'user', content: 'And?' },
      ],
    };
    const { status, sent } = await ask('openai-chat', 'openai-chat', body);
    expect(status).toBe(200);
    const ids = JSON.parse(sent[0] as string).messages.map(
      (one: { tool_call_id?: string }) => one.tool_call_id,
    );
    expect(ids).toEqual([undefined, undefined, 'call_1', 'call_2', undefined]);
  });

  it('has the role system for a developer, whose role chat templates refuse', async () => {
    const body = {
      model: 'm',
      messages: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: 'Hi.' },
      ],
    };
    expect((await ask('openai-chat', 'openai-chat', body, { history: 'exact' })).status).toBe(400);
    const { status, sent } = await ask('openai-chat', 'openai-chat', body);
    expect(status).toBe(200);
    expect(JSON.parse(sent[0] as string).messages[0]).toEqual({ role: 'system', content: 'Be brief.' });
  });
});

describe("Anthropic's blocks", () => {
  const use = (id: string, input: unknown) => ({ type: 'tool_use', id, name: 'get_weather', input });
  const done = (id: string, content: string) => ({ type: 'tool_result', tool_use_id: id, content });
  const sentOf = async (messages: object[]) => {
    const body = { model: 'm', max_tokens: 50, messages };
    const { status, sent } = await ask('anthropic-messages', 'anthropic-messages', body);
    expect(status).toBe(200);
    return JSON.parse(sent[0] as string).messages;
  };

  it('keep the results of one turn in one message, before the text that came with them', async () => {
    const messages = await sentOf([
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: [use('a', {}), use('b', {})] },
      { role: 'user', content: [done('a', 'one'), { type: 'text', text: 'And?' }] },
    ]);
    const types = messages[2].content.map(({ type }: { type: string }) => type);
    expect(types).toEqual(['tool_result', 'tool_result', 'text']);
    expect(messages).toHaveLength(3);
  });

  it('may have any input in the history', async () => {
    for (const input of ['{"city": "Rome"}', null, undefined, 3, ['Rome']]) {
      const messages = await sentOf([
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: [use('a', input)] },
        { role: 'user', content: [done('a', 'one')] },
      ]);
      expect(messages[1].content[0].input).toEqual(typeof input === 'string' ? { city: 'Rome' } : {});
    }
  });

  it('lose empty texts beside calls', async () => {
    const messages = await sentOf([
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: [{ type: 'text', text: '' }, use('a', {})] },
      { role: 'user', content: [done('a', 'one')] },
    ]);
    expect(messages[1].content).toEqual([use('a', {})]);
  });
});

it('counts the mends in the header of an answer', async () => {
  const turns: Turn[] = [{ user: 'Go.' }, { assistant: '', calls: [['c1', '']] }];
  const respond = createResponder({
    upstream: { url: 'http://upstream.invalid/v1', stream: false, fetch: refusingFetch('openai-chat') },
  });
  const response = await respond(post('openai-chat', bodies['openai-chat'].of(turns)));
  expect(response.headers.get('x-dragoman')).toContain('mended=2');
});

it.each(apis)('reports the mends of a streamed answer, too: %s', async (api) => {
  const [{ turns }] = poisoned as [(typeof poisoned)[0]];
  const respond = createResponder({
    upstream: { url: 'http://upstream.invalid/v1', api, stream: false, fetch: refusingFetch(api) },
    mode: 'heal',
  });
  const text = await (await respond(post(api, { ...bodies[api].of(turns), stream: true }))).text();
  expect(text).toContain('"mended":[{"code":"repaired-arguments","path":"messages[1].parts[0]"');
});
