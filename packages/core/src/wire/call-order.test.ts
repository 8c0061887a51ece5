import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallOrder, type ContentEvent } from './call-order.js';

const begin = (id: string): ContentEvent => ({ type: 'call-start', id, name: 'f' });
const piece = (id: string, text: string): ContentEvent => ({ type: 'call-delta', id, text });
const end = (id: string): ContentEvent => ({ type: 'call-end', id });
const text = (said: string): ContentEvent => ({ type: 'text-delta', text: said });
const finish: ContentEvent = { type: 'finish', reason: 'tool-calls' };

function ordered(events: ContentEvent[]): ContentEvent[] {
  const order = new CallOrder();
  return events.flatMap((event) => order.take(event));
}

describe('calls that are written at once', () => {
  it('are told one after the other, and what is said meanwhile behind the first', () => {
    const events = [begin('a'), begin('b'), piece('b', '['), piece('a', '{'), text('Hm'), piece('b', ']')];
    expect(ordered([...events, end('b'), piece('a', '}'), end('a'), finish])).toEqual([
      begin('a'),
      piece('a', '{'),
      piece('a', '}'),
      end('a'),
      begin('b'),
      piece('b', '[]'),
      end('b'),
      text('Hm'),
      finish,
    ]);
  });

  it('are all told at the finish, those without an end as they are', () => {
    const events = [begin('a'), begin('b'), text('Hm'), begin('c'), end('c'), finish];
    expect(ordered(events)).toEqual([begin('a'), begin('b'), text('Hm'), begin('c'), end('c'), finish]);
  });

  it('lose nothing, however they are mixed', () => {
    const calls = fc.array(fc.array(fc.string({ maxLength: 3 }), { maxLength: 3 }), { maxLength: 4 });
    fc.assert(
      fc.property(calls, fc.array(fc.nat(), { maxLength: 40 }), (pieces, picks) => {
        const queues = pieces.map((texts, at) => [
          begin(`${at}`),
          ...texts.map((said) => piece(`${at}`, said)),
          end(`${at}`),
        ]);
        const mixed: ContentEvent[] = [];
        for (const pick of picks) {
          const next = queues[pick % (queues.length || 1)]?.shift();
          if (next !== undefined) mixed.push(next);
        }
        mixed.push(...queues.flat(), finish);
        const told = ordered(mixed);
        for (const [at, texts] of pieces.entries()) {
          const own = told.filter((event) => 'id' in event && event.id === `${at}`);
          expect(own.map((event) => ('text' in event ? event.text : '')).join('')).toBe(texts.join(''));
          const first = told.indexOf(own[0] as ContentEvent);
          expect(told.slice(first, first + own.length)).toEqual(own);
        }
      }),
      { seed: 3, numRuns: 300 },
    );
  });
});
