import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { _iterSSEMessages } from 'openai/core/streaming';
import { describe, expect, it } from 'vitest';
import { type AnswerEvent, ApiError, type ModelRequest } from '../model/index.js';
import { type ApiName, wireOf } from './index.js';

const seed = 15;

/** All that ends a line or begins a field somewhere, and all that is no character. */
const bait = fc.constantFrom(
  '\n',
  '\r',
  '\r\n\r\n',
  '\n\ndata: {"type":"message_stop"}\n\n',
  '\n\nevent: error\ndata: {}\n\n',
  'data: [DONE]',
  ': ping\n',
  'id: 7\n',
  'retry: 1\n\n',
  '\u2028',
  '\u2029',
  '\u0085',
  '\u000b',
  '\u0000',
  '\ufeff',
  '\ud83d',
  '\ude00',
  '😀',
  '"',
  '\\',
  '\\n\\n',
  'x',
);
const hostile = fc.array(bait, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''));

interface Answered {
  model: string;
  events: AnswerEvent[];
}

const answers: fc.Arbitrary<Answered> = fc
  .record({
    model: hostile,
    id: hostile,
    stop: hostile,
    name: hostile,
    call: hostile,
    error: fc.option(hostile, { nil: undefined }),
    deltas: fc.array(fc.tuple(fc.constantFrom('text', 'reasoning', 'call'), hostile), { maxLength: 12 }),
  })
  .map(({ model, id, stop, name, call, error, deltas }) => ({
    model,
    events: [
      { type: 'answer-start', id, model, created: 1 },
      ...deltas.flatMap(([kind, text], at): AnswerEvent[] => {
        if (kind === 'text') return [{ type: 'text-delta', text }];
        if (kind === 'reasoning') return [{ type: 'reasoning-delta', text }];
        const callId = `${call}${at}`;
        return [
          { type: 'call-start', id: callId, name },
          { type: 'call-delta', id: callId, text },
          { type: 'call-end', id: callId },
        ];
      }),
      error === undefined
        ? { type: 'finish', reason: 'stop', stopSequence: stop }
        : { type: 'error', error: new ApiError('upstream-failed', error) },
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } },
    ],
  }));

/** The same answer, of harmless letters; halves of characters are kept, since they are put together. */
function harmless({ model, events }: Answered): Answered {
  const tame = (text: string) => text.replace(/[^\ud800-\udfff]/g, 'x');
  const twin = events.map((event) => {
    if (event.type === 'error')
      return { ...event, error: new ApiError('upstream-failed', tame(event.error.message)) };
    const members = Object.entries(event).map(([key, value]) => {
      const kept = typeof value !== 'string' || key === 'type' || key === 'reason';
      // The number at the end of an id tells the calls apart.
      const end = key === 'id' ? String(value).replace(/^.*?([0-9]*)$/s, '$1') : '';
      return [key, kept ? value : tame(value) + end];
    });
    return Object.fromEntries(members) as AnswerEvent;
  });
  return { model: tame(model), events: twin };
}

function encode(api: ApiName, { model, events }: Answered): string[] {
  const request: ModelRequest = {
    model,
    conversation: { messages: [], tools: [], toolChoice: 'auto' },
    settings: {},
    stream: true,
    includeUsage: true,
  };
  const encoder = wireOf(api).createStreamEncoder({
    request,
    newId: (prefix) => `${prefix}1`,
    report: false,
  });
  return [...events.map((event) => encoder.encode(event)), encoder.end()];
}

interface Seen {
  event: string | undefined;
  data: string;
}

function byParser(stream: string): Seen[] {
  const seen: Seen[] = [];
  const parser = createParser({ onEvent: ({ event, data }) => seen.push({ event, data }) });
  parser.feed(stream);
  return seen;
}

async function byOpenAI(stream: string): Promise<Seen[]> {
  const seen: Seen[] = [];
  for await (const { event, data } of _iterSSEMessages(new Response(stream), new AbortController())) {
    seen.push({ event: event ?? undefined, data });
  }
  return seen;
}

/** Every string in it. */
function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

describe.each(['openai-chat', 'anthropic-messages', 'openai-responses'] as const)('a stream of %s', (api) => {
  it('has as many events for two foreign readers as were sent, whatever the texts hold', async () => {
    await fc.assert(
      fc.asyncProperty(answers, async (answer) => {
        const stream = encode(api, answer).join('');
        const seen = byParser(stream);
        expect(await byOpenAI(stream)).toEqual(seen);
        const expected = encode(api, harmless(answer)).join('').split('\n\n').slice(0, -1);
        expect(seen.length).toBe(expected.length);
        const nameOf = (block: string) => /^event: (.*)$/m.exec(block)?.[1];
        expect(seen.map(({ event }) => event)).toEqual(expected.map(nameOf));
      }),
      { seed, numRuns: 300 },
    );
  });

  it('holds whole characters only, and says what was said', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const stream = encode(api, answer).join('');
        expect(
          new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(new TextEncoder().encode(stream)),
        ).toBe(stream);
        const data = byParser(stream).filter((seen) => seen.data !== '[DONE]');
        for (const text of data.flatMap((seen) => stringsOf(JSON.parse(seen.data)))) {
          expect(text.isWellFormed()).toBe(true);
        }
        const read = wireOf(api).createStreamDecoder();
        expect(textsOf([...read.feed(stream), ...read.finish()])).toEqual(textsOf(answer.events));
      }),
      { seed, numRuns: 300 },
    );
  });

  it('is the same each time', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        expect(encode(api, answer)).toEqual(encode(api, answer));
      }),
      { seed, numRuns: 50 },
    );
  });
});

/** What is said between thoughts and calls, with each half of a character that stays alone replaced. */
function textsOf(events: AnswerEvent[]): string[] {
  const runs = [''];
  for (const event of events) {
    if (event.type === 'text-delta') runs.push(`${runs.pop()}${event.text}`);
    else if (runs.at(-1) !== '') runs.push('');
  }
  return runs.filter((text) => text !== '').map((text) => text.toWellFormed());
}
