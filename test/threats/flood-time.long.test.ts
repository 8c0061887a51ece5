// Threats of time, out of a model's text: M16 and M17. Time grows no faster than the text.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createParser, type Dialect } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { every, f, handOf, TOOLS, write } from './handwriting.js';

/** Writes a call of `f` up to where the value of `key` begins: in a string, or where JSON is expected. */
function upToValue(dialect: Dialect, key: string, quote: '"' | '' = ''): string {
  const text = write(dialect, f([key, quote ? '"@"' : '[@]']));
  return text.slice(0, text.indexOf(quote ? '@' : '[@'));
}

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

const FLOOD = 8 * 1024;
/** Below this the clock says nothing, and there is nothing to fear. */
const NOTHING_MS = 5;
const ATTEMPTS = 8;

/**
 * How many times longer twice the flood takes: the mean of three doublings. One flood of eight times the length is
 * held against eight of the single length, so that whatever else the machine does slows both alike. By the clock
 * and not by process.cpuUsage(), which counts the threads of other test files, too; the fastest of several runs.
 */
function growth(read: (length: number) => void): number {
  let one = Number.POSITIVE_INFINITY;
  let eight = Number.POSITIVE_INFINITY;
  let ratio = 1;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    one = Math.min(
      one,
      timeOf(() => read(8 * FLOOD)),
    );
    if (one < NOTHING_MS) return 1;
    eight = Math.min(
      eight,
      timeOf(() => {
        for (let n = 0; n < 8; n++) read(FLOOD);
      }),
    );
    ratio = 2 * Math.cbrt(one / eight);
    if (ratio < 2.5) break;
  }
  return ratio;
}

function timeOf(run: () => void): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

/** Openers, closers, and what strings and code are made of. */
const floodsOf = (dialect: Dialect): string[] => {
  const { openers, closer } = handOf(dialect);
  const call = write(dialect, f(['s', '"x"']));
  return [
    ...new Set([...openers, closer, ...(call.match(/<[^<>\n]+>|![a-z_]+/g) ?? []), call]),
    ...['{', '}', '[', '"', "'", '\\', '<\\', '"\\', '/*', '<think>'],
  ];
};

const placesOf = (dialect: Dialect): string[] => [
  '',
  upToValue(dialect, 's', '"'),
  upToValue(dialect, 'o'),
  handOf(dialect).openers[0] ?? '',
];

describe('time', () => {
  it.each(every)('M16 M17 twice the flood takes at most 2.5 times the time in $name', (dialect) => {
    const steep: string[] = [];
    for (const [n, place] of placesOf(dialect).entries()) {
      for (const [m, unit] of floodsOf(dialect).entries()) {
        // Whole and by pieces in turn: bench/src/floods.ts tries more of both.
        const size = (n + m) % 2 === 0 ? Number.POSITIVE_INFINITY : 61;
        const read = (length: number) => {
          const text = place + unit.repeat(Math.ceil(length / unit.length));
          const parser = createParser(dialect, { tools: TOOLS });
          if (size > length) parser.feed(text);
          else for (let at = 0; at < text.length; at += size) parser.feed(text.slice(at, at + size));
          parser.finish();
        };
        if (growth(read) < 2.5) continue;
        gc();
        const ratio = growth(read);
        if (ratio >= 2.5)
          steep.push(
            `${JSON.stringify(unit)} behind ${JSON.stringify(place)} by ${size}: ${ratio.toFixed(1)}`,
          );
      }
    }
    expect(steep).toEqual([]);
  });
});
