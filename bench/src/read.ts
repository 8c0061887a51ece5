// Reads a text once, with our parser or the floor: feeds all of it, and uses all output.

import { createParser, type Dialect, type ParseEvent, type ParserOptions } from '@dragoman/core';
import { Floor } from './floor.js';
import { type ArgumentFrame, MB, tools } from './inputs.js';

/** Without limits on lengths, so that all of the text is read. */
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

export function readWithFloor({ open, close }: ArgumentFrame, deltas: readonly string[]): number {
  const floor = new Floor(open, close);
  let seen = 0;
  for (const delta of deltas) seen += floor.feed(delta).length;
  return seen + floor.finish().length;
}
