// Reading a text in pieces, with what holds for every reading checked on the way.

import { collect, createParser, type Dialect, type ParsedAnswer, type ParserOptions } from '@dragoman/core';
import { expect } from 'vitest';

/** Feeds the pieces one by one. Fails if the ranges of the events do not tile the text. */
export function readPieces(
  dialect: Dialect,
  pieces: readonly string[],
  options: ParserOptions = {},
): ParsedAnswer {
  const parser = createParser(dialect, options);
  const events = pieces.flatMap((piece) => parser.feed(piece));
  events.push(...parser.finish());
  let at = 0;
  for (const { type, range } of events) {
    if (range[0] !== at || range[1] < at) expect.fail(`${type} at ${range} does not follow ${at}`);
    at = range[1];
  }
  expect(at, 'events must reach the end of the text').toBe(pieces.join('').length);
  return collect(events);
}

/** Pieces of so many code units. */
export function cutEvery(text: string, length: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += length) pieces.push(text.slice(at, at + length));
  return pieces;
}

/** Pieces of random lengths, the same for the same text and seed. */
export function cutRandomly(text: string, seed: number): string[] {
  const pieces: string[] = [];
  let state = (seed * 2654435761 + text.length) >>> 0;
  for (let at = 0; at < text.length; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    // Mostly short, now and then long: markers are cut as well as passed whole.
    const most = state % 5 === 0 ? 64 : 6;
    const length = 1 + ((state >>> 8) % most);
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}
