// One reading, by us or by the floor: everything fed, everything that comes back looked at.

import { createParser, type Dialect, type ParseEvent, type ParserOptions } from '@dragoman/core';
import { Floor } from './floor.js';
import { type Frame, MB, tools } from './inputs.js';

/** Nothing here is cut off by a limit: what is measured is the reading. */
const limits = { argumentLength: 256 * MB, held: 256 * MB, calls: 1e9 };

export function openParser(dialect: Dialect, options: ParserOptions = {}) {
  return createParser(dialect, { tools, limits, ...options });
}

export function readWith(dialect: Dialect, deltas: readonly string[]): number {
  const parser = openParser(dialect);
  let seen = 0;
  for (const delta of deltas) seen += charactersOf(parser.feed(delta));
  return seen + charactersOf(parser.finish());
}

/** Characters of text, reasoning and arguments. */
export function charactersOf(events: readonly ParseEvent[]): number {
  let seen = 0;
  for (const event of events) {
    if (event.type === 'text-delta' || event.type === 'reasoning-delta' || event.type === 'call-delta')
      seen += event.text.length;
  }
  return seen;
}

export function readWithFloor({ open, close }: Frame, deltas: readonly string[]): number {
  const floor = new Floor(open, close);
  let seen = 0;
  for (const delta of deltas) seen += floor.feed(delta).length;
  return seen + floor.finish().length;
}
