import type { Range } from '@dragoman/core';

/** In the order of the text. */
export function byPlace(a: { range: Range }, b: { range: Range }): number {
  return a.range[0] - b.range[0] || a.range[1] - b.range[1];
}
