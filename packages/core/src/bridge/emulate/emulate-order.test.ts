// What goes out, in which order, and what is left running, when an upstream does what it should not.

import { describe, expect, it } from 'vitest';
import { type AnswerEvent, acceptTools, type ModelRequest } from '../../model/index.js';
import type { BridgeOptions } from '../options.js';
import { collectAnswer } from '../reply/collect-answer.js';
import type { Upstream } from '../upstream/upstream.js';
import { emulate } from './emulate.js';

const tools = acceptTools([
  {
    name: 'get_weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
]);
const good = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Beijing"}}\n</tool_call>';

type Said = AnswerEvent | 'wait';

/** Says these events, one list a request (the last again and again); `wait` waits until it is aborted. */
function says(...replies: Said[][]): Upstream & { asked: number; aborted: number } {
  const upstream = {
    takes: 'messages' as const,
    tools: false,
    media: false,
    asked: 0,
    aborted: 0,
    async *ask(_request: unknown, { signal }: { signal: AbortSignal }): AsyncGenerator<AnswerEvent> {
      const reply = replies[Math.min(upstream.asked++, replies.length - 1)] ?? [];
      signal.addEventListener('abort', () => upstream.aborted++);
      for (const event of reply) {
        if (event !== 'wait') yield event;
        else await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      }
    },
  };
  return upstream;
}

const text = (said: string): AnswerEvent => ({ type: 'text-delta', text: said });
const thought = (said: string): AnswerEvent => ({ type: 'reasoning-delta', text: said });
const end = (reason: 'stop' | 'length' | 'content-filter' = 'stop'): AnswerEvent => ({
  type: 'finish',
  reason,
});

interface Asked extends BridgeOptions {
  toolChoice?: ModelRequest['conversation']['toolChoice'];
  settings?: ModelRequest['settings'];
  stream?: boolean;
  none?: boolean;
}

function answer(
  upstream: Upstream,
  { toolChoice = 'auto', settings = {}, stream = true, none, ...options }: Asked = {},
) {
  const request: ModelRequest = {
    api: 'openai-chat',
    model: 'm',
    conversation: {
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi.' }] }],
      tools: none ? [] : tools,
      toolChoice,
    },
    settings,
    stream,
  };
  return emulate(request, upstream, { dialect: 'hermes', signal: new AbortController().signal, ...options });
}

async function all(upstream: Upstream, asked: Asked = {}) {
  const events: AnswerEvent[] = [];
  let error: unknown;
  try {
    for await (const event of answer(upstream, asked)) events.push(event);
  } catch (thrown) {
    error = thrown;
  }
  const said = events.flatMap((event) => {
    if (event.type === 'text-delta') return [`t:${event.text}`];
    if (event.type === 'reasoning-delta') return [`r:${event.text}`];
    if (event.type === 'call-start') return [`c:${event.name}`];
    return event.type === 'finish' ? [`f:${event.reason}`] : [];
  });
  const report = events.find((event) => event.type === 'report')?.report;
  return { events, said, error, report };
}

describe('the order of an answer', () => {
  it('keeps a thought behind the text that was held for a stop string', async () => {
    const upstream = says([text('The EN'), thought('Hm.'), text('D.'), end()]);
    const { said } = await all(upstream, { settings: { stop: ['END'] } });
    expect(said).toEqual(['t:The ', 't:EN', 'r:Hm.', 't:D.', 'f:stop']);
  });

  it('keeps text back where a call is required, also if a thought follows it', async () => {
    const upstream = says([text('No. '), thought('Hm.'), end()], [text(good), end()]);
    const { said } = await all(upstream, { toolChoice: 'required' });
    expect(said).toEqual(['c:get_weather', 'f:tool-calls']);
  });

  it('lets go what was held, in order, when asking again is over', async () => {
    const upstream = says([text('No. '), thought('Hm.'), text('Really.'), end()]);
    const { said } = await all(upstream, { toolChoice: 'required', reasks: 1 });
    expect(said).toEqual(['t:No. ', 'r:Hm.', 't:Really.', 'f:stop']);
  });

  it('says what stood before a call that cannot be finished, and then the error', async () => {
    const deep = `<tool_call>\n{"name": "get_weather", "arguments": {"city": ${'['.repeat(500)}`;
    for (const pieces of [[`Well. ${deep}`], [...`Well. ${deep}`]]) {
      const { said, error } = await all(says([...pieces.map(text), end()]));
      expect(error).toMatchObject({ code: 'unreadable-call' });
      expect(said.join('').replaceAll('t:', '')).toContain('Well.');
      expect(said.at(-1)).toBe('c:get_weather');
    }
  });

  it('gives back an unreadable call without the tags of the thought before it', async () => {
    const garbage = '<tool_call>\n{"name": "get_weather", "arguments": nothing at all\n</tool_call>';
    const { events } = await all(says([text(`<think>Hm.</think>\n\n${garbage}`), end()]), { reasks: 0 });
    const shown = events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
    expect(shown).toContain('nothing at all');
    expect(shown).not.toContain('think>');
  });

  it('begins even if the upstream does not say that it began', async () => {
    const { events } = await all(says([text('Hi.'), end()]));
    expect(events[0]?.type).toBe('answer-start');
  });

  it.each([
    ['nothing', []],
    ['white space', [text(' \n\n ')]],
    ['a thought', [thought('Hm.')]],
    ['an empty thought', [thought('')]],
  ])('has an end, usage and a report for an answer of %s', async (_name, said) => {
    for (const stream of [true, false]) {
      const { events } = await all(says([...said, end()]), { stream });
      expect(events.slice(-3).map(({ type }) => type)).toEqual(['finish', 'usage', 'report']);
      expect(events.filter(({ type }) => type === 'finish')).toHaveLength(1);
      expect(events.some((event) => event.type === 'reasoning-delta' && event.text === '')).toBe(false);
    }
  });
});

describe('an answer that the provider withheld', () => {
  it('is not asked for again, and says so', async () => {
    const cut = good.slice(0, 50);
    for (const said of [cut, `Hm.\n${cut}`, 'Hm.']) {
      for (const delivery of ['stream', 'whole'] as const) {
        const upstream = says([text(said), end('content-filter')]);
        const { events } = await all(upstream, { toolChoice: 'required', delivery });
        expect(upstream.asked).toBe(1);
        expect(events).toContainEqual({ type: 'finish', reason: 'content-filter' });
      }
    }
  });
});

describe('a call that the upstream tells apart itself', () => {
  const native = (name: string, args: string): AnswerEvent[] => [
    { type: 'call-start', id: 'n1', name },
    { type: 'call-delta', id: 'n1', text: args.slice(0, 5) },
    { type: 'call-delta', id: 'n1', text: args.slice(5) },
    { type: 'call-end', id: 'n1' },
  ];

  it('is a call', async () => {
    for (const stream of [true, false]) {
      const upstream = says([text('See: '), ...native('get_weather', '{"city":"Rome"}'), end('stop')]);
      const { choices } = await collectAnswer(answer(upstream, { stream, toolChoice: 'required' }));
      expect(choices).toMatchObject([
        {
          finish: 'tool-calls',
          parts: [{ type: 'text' }, { type: 'tool-call', name: 'get_weather', raw: '{"city":"Rome"}' }],
        },
      ]);
      expect(upstream.asked).toBe(1);
    }
  });

  it.each([
    ['of an unknown tool', 'nope', '{}'],
    ['with wrong arguments', 'get_weather', '{"city":5}'],
    ['with arguments that are none', 'get_weather', '{"city":'],
  ])('is asked for again %s', async (_name, name, args) => {
    const upstream = says([...native(name, args), end()], [text(good), end()]);
    const { said } = await all(upstream, { stream: false });
    expect(upstream.asked).toBe(2);
    expect(said).toEqual(['c:get_weather', 'f:tool-calls']);
  });

  it('is text and an issue where there are no tools', async () => {
    const { said, report } = await all(says([...native('get_weather', '{"city":"Rome"}'), end()]), {
      none: true,
    });
    expect(said).toEqual(['t:get_weather({"city":"Rome"})', 'f:stop']);
    expect(report?.issues).toHaveLength(1);
  });
});

describe('what is left running', () => {
  it('is nothing when one of several choices fails', async () => {
    const upstream = says([text('Hi.'), 'wait'], [{ type: 'error', error: new Error('gone') as never }]);
    const { error } = await all(upstream, { settings: { choices: 2 } });
    expect(error).toMatchObject({ message: 'gone' });
    expect(upstream.aborted).toBe(2);
  });

  it('is nothing when the reader leaves', async () => {
    const upstream = says([text('Hi.'), 'wait']);
    for await (const event of answer(upstream, { settings: { choices: 3 } }))
      if (event.type === 'text-delta') break;
    expect(upstream.aborted).toBe(3);
  });

  it('is nothing behind a stop string, or one call where one is wanted', async () => {
    for (const settings of [{ stop: ['END'] }, { parallelCalls: false }]) {
      const upstream = says([
        text(`${good}`.repeat(settings.stop ? 0 : 1)),
        text('The END'),
        text(good),
        'wait',
      ]);
      const { events } = await all(upstream, { settings });
      expect(upstream.aborted).toBe(1);
      expect(events.find((event) => event.type === 'usage')).toMatchObject({ usage: { estimated: true } });
    }
  });
});

it('gives every call an id of its own, even if `newId` always gives the same', async () => {
  const { events } = await all(says([text(good + good), end()]), { newId: (prefix) => `${prefix}x` });
  const ids = events.flatMap((event) => (event.type === 'call-start' ? [event.id] : []));
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(2);
});

it('keeps a report of many and long failures short', async () => {
  const cut = `<tool_call>\n{"name": "get_weather", "arguments": {"city": "${'x'.repeat(300_000)}`;
  const { report } = await all(says([text(cut), end()]), { stream: false });
  expect(report?.reasks).toHaveLength(2);
  expect(JSON.stringify(report?.reasks).length).toBeLessThan(40_000);
  // What the client does not get otherwise is there in full.
  expect(report?.issues[0]?.raw?.length).toBeGreaterThan(300_000);
});
