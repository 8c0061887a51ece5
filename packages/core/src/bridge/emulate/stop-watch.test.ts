import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StopWatch } from './stop-watch.js';

const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 24 });
const stops = fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 5 }), { maxLength: 3 });

/** What a model that stops by itself would have written. */
function expected(text: string, watched: readonly string[]): { text: string; stop?: string } {
  for (let end = 1; end <= text.length; end++) {
    const ending = watched.filter((stop) => stop !== '' && text.slice(0, end).endsWith(stop));
    const [stop] = ending.sort((a, b) => b.length - a.length);
    if (stop !== undefined) return { text: text.slice(0, end - stop.length), stop };
  }
  return { text };
}

function watched(text: string, list: readonly string[], size: number): { text: string; stop?: string } {
  const watch = new StopWatch(list);
  let given = '';
  for (let at = 0; at < text.length; at += size) {
    const found = watch.feed(text.slice(at, at + size));
    given += found.text;
    if (found.stop !== undefined) return { text: given, stop: found.stop };
  }
  return { text: given + watch.flush() };
}

describe('stop strings', () => {
  it('are found where the first of them is complete, however the text is cut', () => {
    fc.assert(
      fc.property(letters, stops, fc.integer({ min: 1, max: 9 }), (text, list, size) => {
        expect(watched(text, list, size)).toEqual(expected(text, list));
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it('hold back no more than may become one', () => {
    const watch = new StopWatch(['END', 'zzzz']);
    expect(watch.feed('the E').text).toBe('the ');
    expect(watch.feed('x').text).toBe('Ex');
    expect(watch.feed('zz').text).toBe('');
    expect(watch.feed('a').text).toBe('zza');
  });

  it('do not go on behind something else than text', () => {
    const watch = new StopWatch(['END']);
    watch.feed('EN');
    expect(watch.flush()).toBe('EN');
    expect(watch.feed('D.')).toEqual({ text: 'D.' });
  });

  it('cost a step a character, however long they are', () => {
    const long = 'a'.repeat(20_000);
    const watch = new StopWatch([`${long}b`]);
    let given = 0;
    for (let at = 0; at < 30_000; at += 10) given += watch.feed('aaaaaaaaaa').text.length;
    expect(given).toBe(10_000);
  });
});
