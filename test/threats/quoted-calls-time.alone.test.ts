// What it costs to find the places where a text shows calls: time that grows with the text, and a state that does not.

import { findDialect, type Tool } from '@dragoman/core';
import { expect, it } from 'vitest';
import { createLeakWatch } from '../../packages/core/src/bridge/heal/leak-watches.js';
import { growthOf } from '../cost.js';
import { heldBytes } from './heap.js';
import { openings, repeated } from './quoted-openings.js';

const KB = 1024;
const LIMIT = 2.5;
/** Pieces in each chunk. */
const CHUNK = 16;

const tools: Tool[] = [{ name: 'get_weather', parameters: { type: 'object' } }];
const createWatch = () =>
  createLeakWatch([findDialect('hermes')], { parser: { tools }, accepts: () => true });

/** Feeds so many pieces, and gives the characters that have not come out. */
function feed(watch: ReturnType<typeof createWatch>, piece: string, count: number): number {
  let held = 0;
  for (let fed = 0; fed < count; fed += CHUNK) {
    const chunk = repeated(piece, CHUNK, fed);
    held += chunk.length;
    for (const segment of watch.feed(chunk)) if (segment.type !== 'call') held -= segment.text.length;
  }
  return held;
}

const PIECES = 4000;

it.each(openings)('twice as many %j take about twice as long', (piece) => {
  const work = (count: number) => () => feed(createWatch(), piece, count);
  expect(growthOf(work(8 * PIECES), work(PIECES), LIMIT)).toBeLessThan(LIMIT);
});

it.each(openings)('what is held of %j does not grow with the text', (piece) => {
  const watch = createWatch();
  expect(feed(watch, piece, PIECES)).toBeLessThan(KB);
  const before = heldBytes();
  const held = feed(watch, piece, 40 * PIECES);
  const after = heldBytes();
  expect(held).toBeLessThan(KB);
  expect(after - before).toBeLessThan(512 * KB);
  // It was in use until here.
  expect(watch.finish()).toBeDefined();
});
