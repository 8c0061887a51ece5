// Growth: one string argument from 64 KB to 16 MB, each size against the one before.

import type { Dialect } from '@dragoman/core';
import { callText, cut, fileText, KB, MB } from './inputs.js';
import { DOUBLING } from './limits.js';
import { raceFor } from './measure.js';
import { readWith } from './read.js';

export interface Growth {
  dialect: string;
  /** Characters of a delta; 0: whole. */
  delta: number;
  /** Milliseconds for each size. */
  times: { size: number; time: number }[];
  ratios: number[];
  worst: number;
}

const SIZES = Array.from({ length: 9 }, (_, n) => 64 * KB * 2 ** n).filter((size) => size <= 16 * MB);

export function growth(dialect: Dialect, delta: number): Growth {
  const times = SIZES.map((size) => ({ size, time: Number.POSITIVE_INFINITY }));
  for (let round = 0; round < 6; round++) {
    for (const one of times) {
      const { head, argument, tail } = callText(dialect, fileText(one.size));
      const text = head + argument + tail;
      const deltas = delta === 0 ? [text] : cut(text, delta);
      const best = { time: one.time };
      raceFor({ time: () => readWith(dialect, deltas) }, best, 20);
      one.time = best.time;
    }
    if (round > 0 && Math.max(...ratiosOf(times)) <= DOUBLING) break;
  }
  const ratios = ratiosOf(times);
  return { dialect: dialect.name, delta, times, ratios, worst: Math.max(...ratios) };
}

function ratiosOf(times: readonly { time: number }[]): number[] {
  return times.slice(1).map(({ time }, n) => time / (times[n] as { time: number }).time);
}
