// Threats of size, out of a model's text: M13 to M15. Limits hold while text is read, and memory does not grow with what is not delivered.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createParser, type Dialect, type Issue, type Limits, type ParseEvent, parse } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { SourceWindow } from '../../packages/core/src/bridge/emulate/source-window.js';
import { oneOf } from '../effort.js';
import { every, f, handOf, named, TOOLS, write } from './handwriting.js';

const codes = (found: readonly { code: string }[]) => [...new Set(found.map(({ code }) => code))];

/** Writes a call of `f` up to where the value of `key` begins: in a string, or where JSON is expected. */
function upToValue(dialect: Dialect, key: string, quote: '"' | '' = ''): string {
  const text = write(dialect, f([key, quote ? '"@"' : '[@]']));
  return text.slice(0, text.indexOf(quote ? '@' : '[@'));
}

/** Feeds pieces and drops the events. */
function feedAll(dialect: Dialect, pieces: Iterable<string>, limits: Partial<Limits>) {
  const parser = createParser(dialect, { tools: TOOLS, limits });
  const reading: { issues: Issue[]; delivered: number } = { issues: [], delivered: 0 };
  const take = (events: ParseEvent[]) => {
    for (const event of events) {
      if (event.issues && reading.issues.length < 100) reading.issues.push(...event.issues);
      if (event.type === 'call-end') reading.delivered++;
    }
  };
  for (const piece of pieces) take(parser.feed(piece));
  take(parser.finish());
  return reading;
}

function* repeat(start: string, piece: string, length: number): Iterable<string> {
  yield start;
  for (let fed = 0; fed < length; fed += piece.length) yield piece;
}

const tagged = every.filter(({ traits }) => traits.values !== 'json');
const json = every.filter(({ traits }) => traits.values === 'json');
const nested = (dialect: Dialect, depth: number) =>
  write(dialect, f(['a', `${'['.repeat(depth)}${']'.repeat(depth)}`]));

describe('depth and size', () => {
  it.each(every)('M13 a hundred thousand levels are a short issue and no deep value in $name', (dialect) => {
    const depth = 100_000;
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const closed = write(dialect, f(['o', `${open.repeat(depth)}1${close.repeat(depth)}`]));
      for (const text of [upToValue(dialect, 'o') + open.repeat(depth), closed]) {
        const answer = parse(dialect, text, { tools: TOOLS });
        for (const { input } of answer.calls) expect(typeof input.o).toBe('string');
        expect(answer.issues.length).toBeGreaterThan(0);
        for (const { message } of answer.issues) expect(message.length).toBeLessThan(300);
      }
    }
  });

  const refusesDepth = (dialect: Dialect) => {
    const answer = parse(
      dialect,
      `${nested(dialect, 1000)}\n${write(dialect, { ...f(['s', '"x"']), id: 'b' })}`,
      {
        tools: TOOLS,
      },
    );
    expect(codes(answer.issues)).toEqual(['too-deep']);
    expect(answer.calls.map(({ input }) => input)).toEqual([{ s: 'x' }]);
  };
  const limitsDepth = (dialect: Dialect) => {
    const callsOf = (depth: number, limits: Partial<Limits>) =>
      parse(dialect, nested(dialect, depth), { tools: TOOLS, limits }).calls.length;
    expect([callsOf(100, {}), callsOf(140, {})]).toEqual([1, 0]);
    expect([callsOf(100, { depth: 50 }), callsOf(400, { depth: 500 })]).toEqual([0, 1]);
  };

  it.each(json)('M13 a call too deep is not delivered, and the next one is, in $name', refusesDepth);
  it.each(json)('M13 the limit of depth is an option in $name', limitsDepth);
  it.each(tagged)('M13 a call too deep is not delivered, and the next one is, in $name', refusesDepth);
  it.each(tagged)('M13 the limit of depth is an option in $name', limitsDepth);

  it.each(
    oneOf(
      3,
      json.filter(({ name }) => name !== 'xnl'),
    ),
  )('M14 a million keys are a clear issue in $name', (dialect) => {
    const members = Array.from({ length: 1_000_000 }, (_, at) => `"k${at}":1`).join(',');
    const answer = parse(dialect, write(dialect, f(['o', `{${members}}`])), { tools: TOOLS });
    expect(answer.calls).toEqual([]);
    expect(codes(answer.issues)).toEqual(['too-long']);
    for (const { message } of answer.issues) expect(message.length).toBeLessThan(300);
  });

  const many = (dialect: Dialect) =>
    write(dialect, f(...Array.from({ length: 50 }, (_, at): [string, string] => [`k${at}`, '"x"'])));
  const refuses = (dialect: Dialect, text: string, limits: Partial<Limits>) => {
    expect(parse(dialect, text, { tools: TOOLS }).calls).toHaveLength(1);
    const answer = parse(dialect, text, { tools: TOOLS, limits });
    expect(answer.calls, JSON.stringify(limits)).toEqual([]);
    expect(codes(answer.issues)).toEqual(['too-long']);
  };
  const limitsMembers = (dialect: Dialect) => {
    refuses(dialect, write(dialect, f(['a', `[${Array(50).fill(1).join(',')}]`])), { members: 20 });
    refuses(dialect, many(dialect), { members: 20 });
  };

  it.each(json.filter(({ name }) => name !== 'xnl'))(
    'M14 the limit of members is an option in $name',
    limitsMembers,
  );
  it.each([...tagged, ...named('xnl')])('M14 the limit of members is an option in $name', limitsMembers);

  it.each(every)('M14 the limit of length is an option in $name', (dialect) => {
    refuses(dialect, write(dialect, f(['s', `"${'x'.repeat(5000)}"`])), { argumentLength: 1000 });
    refuses(dialect, many(dialect), { argumentLength: 100 });
  });

  it.each(every)('M14 the number of calls is limited in $name', (dialect) => {
    const calls = Array.from({ length: 200 }, (_, at) =>
      write(dialect, { ...f(['s', '"x"']), id: `i${at}` }),
    );
    const answer = parse(dialect, calls.join('\n'), { tools: TOOLS });
    expect(answer.calls).toHaveLength(128);
    expect(codes(answer.issues)).toContain('too-many-calls');
  });
});

// ---------------------------------------------------------------- memory

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

function heapUsed(): number {
  gc();
  return process.memoryUsage().heapUsed;
}

const MB = 1024 * 1024;
const SMALL: Partial<Limits> = { argumentLength: MB, held: MB };

describe('memory', () => {
  it.each(oneOf(3, every))(
    'M15 an opener and 64 MB leave no more than the limits in memory in $name',
    (dialect) => {
      const length = 64 * MB;
      const before = heapUsed();
      let most = 0;
      function* pieces(): Iterable<string> {
        let fed = 0;
        for (const piece of repeat(upToValue(dialect, 's', '"'), 'x'.repeat(65_536), length)) {
          yield piece;
          fed += piece.length;
          if (fed % (16 * MB) < piece.length) most = Math.max(most, heapUsed() - before);
        }
      }
      const { issues, delivered } = feedAll(dialect, pieces(), SMALL);
      expect(delivered).toBe(0);
      // Told at the end: a call that was cut off, or one that was too long.
      expect(codes(issues).some((code) => code === 'incomplete-call' || code === 'too-long')).toBe(true);
      expect(Math.round(most / MB), 'MB held').toBeLessThan(32);
    },
  );

  it('L23 what is kept of an answer in single characters weighs little more than the characters', () => {
    const before = heapUsed();
    const windows = Array.from({ length: 50 }, () => new SourceWindow());
    for (const window of windows) {
      for (let at = 0; at < 23_000; at++) {
        window.add(at % 2 === 0 ? 'a' : 'b');
        window.settle(at);
      }
    }
    expect((heapUsed() - before) / windows.length, 'bytes for one').toBeLessThan(3 * 28_000);
    expect(windows[0]?.shown().length).toBeLessThan(9000);
  });

  /** MB held behind half a megabyte of the same, with limits of 16 K. */
  function heldBehind(dialect: Dialect, start: string, unit: string, before = heapUsed()): number {
    const parser = createParser(dialect, { tools: TOOLS, limits: { argumentLength: 16_384, held: 16_384 } });
    const piece = unit.repeat(Math.ceil(32_768 / unit.length));
    for (const one of repeat(start, piece, MB / 2)) parser.feed(one);
    const held = (heapUsed() - before) / MB;
    parser.finish();
    return held;
  }

  /** What a parser holds it holds each time; what else this thread allocates meanwhile it does not. */
  function leastHeld(dialect: Dialect, start: string, unit: string, before: number): number {
    let least = heldBehind(dialect, start, unit, before);
    for (let again = 0; again < 2 && least >= 0.3; again++)
      least = Math.min(least, heldBehind(dialect, start, unit));
    return least;
  }

  /** What may go on without end, and is not just the letters of a string. */
  const endless = (dialect: Dialect): [start: string, unit: string][] => {
    const call = write(dialect, f(['s', '"x"']));
    return [
      ...handOf(dialect).openers.flatMap((opener): [string, string][] => [
        [opener, ' '],
        [opener, 'x'],
      ]),
      [upToValue(dialect, 'a'), '['],
      [`${upToValue(dialect, 'a')}[`, '1, '],
      [`${upToValue(dialect, 'o')}{"`, 'k'],
      [upToValue(dialect, 'n'), '7'],
      [upToValue(dialect, 's', '"'), '\\'],
      [upToValue(dialect, 's', '"'), '<'],
      [upToValue(dialect, 's', '"'), `${handOf(dialect).closer} `],
      [`<think>${call}`, ' thinking'],
      [call, '\n'],
    ];
  };

  it.each(oneOf(3, every))(
    'M15 nothing that goes on without end is held beyond the limits in $name',
    (dialect) => {
      // Asked once for all: to ask is to collect all garbage of this thread.
      const before = heapUsed();
      for (const [start, unit] of endless(dialect)) {
        const held = leastHeld(dialect, start, unit, before);
        expect(held, `MB held behind ${JSON.stringify([start, unit])}`).toBeLessThan(0.3);
      }
    },
  );
});
