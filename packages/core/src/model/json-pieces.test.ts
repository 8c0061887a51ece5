import { describe, expect, it } from 'vitest';
import { isLongJson, jsonPieces } from './json-pieces.js';

const LONG = 300_000;
/** A piece may end with a part of 64 Ki characters, each of which may be an escape of six. */
const LONGEST_PIECE = 7 * 64 * 1024;
const long = 'The "quick" <b>fox</b>,\n你好 😀 \u0000'.repeat(LONG / 30);

const values: [string, unknown][] = [
  ['a short value', { a: [1, null, 'x', { b: true }], c: undefined, f: () => 1 }],
  ['a string', 'x'],
  ['a long string', long],
  ['a long string of pairs', '😀'.repeat(LONG)],
  ['pairs that begin at an odd place', `x${'😀'.repeat(LONG)}`],
  ['halves of characters', '\ud83d'.repeat(LONG)],
  ['long members', { a: long, [long]: 1, b: undefined, c: { d: [long, [long]] }, e: [] }],
  ['a long list', Array.from({ length: LONG / 10 }, (_, at) => ({ at, text: `${at}` }))],
  ['a list with gaps', [long, undefined, () => 1, null, {}]],
  ['many levels', Array.from({ length: 500 }).reduce((inner) => ({ a: inner, b: [inner === 1] }), long)],
  ['nothing but gaps', { a: undefined, b: { [long]: undefined } }],
];

describe('the pieces of a JSON text', () => {
  it.each(values)('are together what JSON.stringify writes: %s', (_, value) => {
    expect([...jsonPieces(value)].join('') === JSON.stringify(value)).toBe(true);
  });

  it.each(values)('are short: %s', (_, value) => {
    for (const piece of jsonPieces(value)) expect(piece.length).toBeLessThan(LONGEST_PIECE);
  });
});

it('a value is long by what it holds, at any depth', () => {
  expect(isLongJson({ a: 'x'.repeat(LONG) })).toBe(false);
  expect(isLongJson({ a: 'x'.repeat(LONG) }, LONG)).toBe(true);
  expect(isLongJson([{ a: [{ b: 'x'.repeat(4 * LONG) }] }])).toBe(true);
  expect(isLongJson({ ['x'.repeat(4 * LONG)]: 1 })).toBe(true);
  expect(isLongJson(Array.from({ length: 2 * LONG }, () => []))).toBe(true);
});
