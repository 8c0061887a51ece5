// Laws of mending, over histories with faults of every kind in any order.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message, ModelRequest } from '../../model/index.js';
import { wireOf } from '../../wire/index.js';
import { bodies, type Turn } from './histories.fixture.js';
import { mendHistory } from './mend-history.js';
import { type MessageApi, refusals } from './refusing-upstream.fixture.js';

const apis = Object.keys(refusals) as MessageApi[];

const id = fc.constantFrom('a', 'b', 'a_2', 'a_2_2', 'call_1');
const written = fc.constantFrom(
  '{}',
  '{"city":"Rome"}',
  "{'city': 'Rome',}",
  '{"city": "Ro',
  '',
  '[1]',
  '"{}"',
  '1.0',
  'x',
);
const said = fc.constantFrom('', 'Yes.', 'No.');
const turn: fc.Arbitrary<Turn> = fc.oneof(
  fc.record({ user: fc.constantFrom('Go.', 'Stop.') }),
  fc.record({ assistant: said, calls: fc.array(fc.tuple(id, written), { minLength: 1, maxLength: 3 }) }),
  fc.record({ assistant: said }),
  fc.record({ result: id, text: fc.constantFrom('one', 'two', '') }),
);
const faulty = fc.array(turn, { maxLength: 8 }).map((turns): Turn[] => [{ user: 'Hi.' }, ...turns]);

/** Turns without a fault. `from` is the number of the first id. */
const right = (from: number): fc.Arbitrary<Turn[]> =>
  fc
    .array(fc.record({ user: fc.boolean(), calls: fc.integer({ min: 0, max: 3 }) }), {
      minLength: 1,
      maxLength: 4,
    })
    .map((rounds) => {
      let next = from;
      return rounds.flatMap(({ user, calls }): Turn[] => {
        const ids = Array.from({ length: calls }, () => `r${next++}`);
        const called: Turn = { assistant: 'See:', calls: ids.map((one) => [one, '{"city":"Rome"}']) };
        const results = ids.map((result): Turn => ({ result, text: 'warm' }));
        const asked: Turn[] = user ? [{ user: 'And?' }] : [];
        return [...asked, ...(calls > 0 ? [called] : []), ...results, { assistant: 'Warm.' }];
      });
    });

const requestOf = (api: MessageApi, turns: readonly Turn[]): ModelRequest =>
  wireOf(api).decodeRequest(JSON.parse(JSON.stringify(bodies[api].of(turns))));

const messagesOf = (request: ModelRequest): Message[] => mendHistory(request).request.conversation.messages;

describe.each(apis)('a history that came by %s', (api) => {
  it('is accepted by every upstream once it was mended', () => {
    fc.assert(
      fc.property(faulty, fc.constantFrom(...apis), (turns, upstream) => {
        const { request } = mendHistory(requestOf(api, turns));
        const body = JSON.parse(JSON.stringify(wireOf(upstream).encodeRequest(request)));
        expect(refusals[upstream](body)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it('is mended to the same bytes each time, and not changed itself', () => {
    fc.assert(
      fc.property(faulty, (turns) => {
        const request = requestOf(api, turns);
        const before = structuredClone(request);
        const [one, other] = [mendHistory(request), mendHistory(requestOf(api, turns))];
        expect(JSON.stringify(one)).toBe(JSON.stringify(other));
        expect(request).toEqual(before);
      }),
    );
  });

  it('is mended once: mending again gives the same object', () => {
    fc.assert(
      fc.property(faulty, (turns) => {
        const { request } = mendHistory(requestOf(api, turns));
        const again = mendHistory(request);
        expect(again.mended).toEqual([]);
        expect(again.request).toBe(request);
      }),
    );
  });

  it('is the same object where nothing is wrong with it', () => {
    fc.assert(
      fc.property(right(0), (turns) => {
        const request = requestOf(api, [{ user: 'Hi.' }, ...turns]);
        expect(mendHistory(request)).toEqual({ request, mended: [] });
        expect(mendHistory(request).request).toBe(request);
      }),
    );
  });

  it('keeps every result and every text', () => {
    fc.assert(
      fc.property(faulty, (turns) => {
        const marked = turns.map((one, at) => withMark(one, `<${at}>`));
        const text = JSON.stringify(messagesOf(requestOf(api, marked)), withoutExtra);
        for (const [at, one] of turns.entries()) {
          if ('assistant' in one && one.assistant === '') continue;
          expect(text.split(`<${at}>`)).toHaveLength(2);
        }
      }),
    );
  });

  it('keeps what was sent while it grows, so that prompt caches hold', () => {
    fc.assert(
      fc.property(faulty, right(100), (turns, more) => {
        // A turn that is complete: what follows cannot answer its calls, and its last message is not empty.
        const done: Turn[] = [...turns, { user: 'Next.' }];
        const before = messagesOf(requestOf(api, done));
        const after = messagesOf(
          requestOf(api, [...done, ...more.slice(more[0] && 'user' in more[0] ? 1 : 0)]),
        );
        expect(JSON.stringify(after.slice(0, before.length))).toBe(JSON.stringify(before));
      }),
    );
  });
});

/** Notes on the spelling repeat texts. */
const withoutExtra = (key: string, value: unknown) => (key === 'extra' ? undefined : value);

function withMark(turn: Turn, mark: string): Turn {
  if ('user' in turn) return { user: turn.user + mark };
  if ('result' in turn) return { ...turn, text: turn.text + mark };
  return turn.assistant === '' ? turn : { ...turn, assistant: turn.assistant + mark };
}

it('takes linear time: 20,000 calls of one id, each answered, with broken arguments', () => {
  const messages = Array.from({ length: 20_000 }, (_, at): Message[] => [
    {
      role: 'assistant',
      parts: [{ type: 'tool-call', id: 'a', name: 'f', input: {}, broken: `{'n': ${at},}` }],
    },
    { role: 'tool', parts: [{ type: 'tool-result', callId: 'a', output: String(at) }] },
  ]).flat();
  const request = {
    model: 'm',
    conversation: { messages, tools: [], toolChoice: 'auto' as const },
    settings: {},
    stream: false,
  };
  const { request: mended, mended: list } = mendHistory(request);
  const last = mended.conversation.messages.slice(-2).map(({ parts }) => parts[0]);
  expect(last).toMatchObject([
    { id: 'a_20000', raw: '{"n":19999}' },
    { callId: 'a_20000', output: '19999' },
  ]);
  expect(list).toHaveLength(1001);
  expect(list.at(-1)).toMatchObject({ code: 'more', message: '38999 more.' });
});
