// How the tests of masks write what transformers said: short enough to be recorded.

import { createHash } from 'node:crypto';

/** A hash of the ids of tokens. */
export const hashOf = (ids: readonly number[]) =>
  createHash('sha256').update(JSON.stringify(ids)).digest('hex').slice(0, 12);

/** The ranges of tokens whose mask is set. */
export function rangesOf(mask: readonly number[]): number[][] {
  const ranges: number[][] = [];
  for (const [at, learnt] of mask.entries()) {
    const last = ranges.at(-1);
    if (!learnt) continue;
    if (last?.[1] === at) last[1] = at + 1;
    else ranges.push([at, at + 1]);
  }
  return ranges;
}
