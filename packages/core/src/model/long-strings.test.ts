import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LongStrings } from './long-strings.js';

const seed = 20;

/** Cuts a text into pieces of these lengths, over and over. */
function* cut(text: string, lengths: readonly number[]): Generator<string> {
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const length = lengths[turn % lengths.length] as number;
    yield text.slice(at, at + length);
    at += length;
  }
}

function read(text: string, lengths: readonly number[]) {
  const long = new LongStrings();
  let frame = '';
  for (const piece of cut(text, lengths)) frame += long.take(piece);
  return { frame, value: () => long.restore(JSON.parse(frame)) };
}

/** Around the length from which on a string is taken out, of all that is written in another way than it is. */
const strings = fc
  .tuple(
    fc.array(fc.constantFrom('"', '\\', '\n', '\u0000', '\u2028', '\ud83d', '\ude00', '😀', 'é', 'x'), {
      minLength: 1,
      maxLength: 8,
    }),
    fc.constantFrom(0, 1, 3, 30_000, 66_000, 100_000),
  )
  .map(([pieces, length]) => pieces.join('').repeat(Math.ceil(length / pieces.join('').length)));
const lengths = fc.array(fc.constantFrom(1, 2, 5, 7, 1000, 16_384, 65_536, 1_000_000), {
  minLength: 1,
  maxLength: 3,
});

describe('a text without its long strings', () => {
  it('is parsed as the whole text is, however it is cut and written', () => {
    const value = fc.dictionary(strings, fc.array(strings, { maxLength: 2 }), { maxKeys: 2 });
    fc.assert(
      fc.property(value, lengths, fc.boolean(), (given, pieces, ascii) => {
        const json = JSON.stringify(given, null, ascii ? 0 : 1);
        const text = ascii ? json.replace(/[^ -~]/g, escaped) : json;
        // A difference of so many characters would take minutes to show.
        expect(isDeepStrictEqual(read(text, pieces).value(), JSON.parse(text))).toBe(true);
      }),
      { seed, numRuns: 25 },
    );
  });

  it('has few characters, also where the long string is one piece', () => {
    const text = JSON.stringify({ a: 'x'.repeat(500_000), b: ['\\"'.repeat(300_000)] });
    for (const length of [3, 16_384, text.length])
      expect(read(text, [length]).frame.length).toBeLessThan(300_000);
  });

  it('is no JSON where a long string is none', () => {
    const long = 'x'.repeat(300_000);
    for (const end of ['\\q"', '\n"', '\r"', '\t"', '\\u12g4"', '\\u12"', ''])
      expect(read(`{"a":"${long}${end}}`, [16_384]).value, end).toThrow(SyntaxError);
  });

  it('is refused where it has a mark of its own', () => {
    const forged = `${'y'.repeat(60_000)}\u00000`;
    const text = JSON.stringify([forged, 'x'.repeat(100_000), forged]);
    expect(read(text, [16_384]).value).toThrow(SyntaxError);
    expect(read(JSON.stringify([forged, forged]), [16_384]).value()).toEqual([forged, forged]);
  });

  it('begins anew with every line', () => {
    const long = new LongStrings();
    const rest = long.take(`: "${'x'.repeat(200_000)}\ndata: {"a":"b"}\n\n`);
    expect(rest.endsWith('\ndata: {"a":"b"}\n\n')).toBe(true);
    expect(long.take('data: {"a":"')).toBe('data: {"a":"');
  });
});

function escaped(characters: string): string {
  return `\\u${characters.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
