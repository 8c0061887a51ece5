import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visibleText, widthOf } from '../visible-text.js';
import { Flow, type FlowOptions } from './flow.js';

function flowed(pieces: readonly string[], options: Partial<FlowOptions> = {}): string {
  let written = '';
  const flow = new Flow({
    write: (text) => {
      written += text;
    },
    width: 20,
    clean: visibleText,
    ...options,
  });
  for (const piece of pieces) flow.feed(piece);
  flow.end();
  return written;
}

const words = fc
  .array(fc.constantFrom(...'abcdefgh    \n`\t世\u001b\r\u{1f600}', '\ud83d'), { maxLength: 80 })
  .map((characters) => characters.join(''));

describe('text that flows', () => {
  it('is wrapped between words, with a margin', () => {
    expect(flowed(['the quick brown fox jumps'], { margin: '  ' })).toBe('  the quick brown\n  fox jumps');
  });

  it('begins and ends without blank lines, and keeps those between', () => {
    expect(flowed(['\n\na\n\nb\n\n'])).toBe('a\n\nb');
  });

  it('leaves fenced code and long words to the terminal', () => {
    const code = `\`\`\`\n${'x '.repeat(20)}y\n\`\`\``;
    expect(flowed([code])).toBe(code);
    expect(flowed(['a'.repeat(30)])).toBe('a'.repeat(30));
  });

  it('cuts where a line is full, and stops after its rows', () => {
    expect(flowed(['a'.repeat(45)], { wrap: 'cut', from: 0 })).toBe(
      `${'a'.repeat(20)}\n${'a'.repeat(20)}\naaaaa`,
    );
    expect(flowed(['a'.repeat(45)], { wrap: 'cut', from: 0, rows: 2 })).toBe(
      `${'a'.repeat(20)}\n${'a'.repeat(20)}`,
    );
  });

  it('breaks scripts without spaces anywhere', () => {
    expect(flowed(['世'.repeat(15)])).toBe(`${'世'.repeat(10)}\n${'世'.repeat(5)}`);
  });

  it('shows what would act, and half a pair only if the other half does not come', () => {
    expect(flowed(['a\u001b[2J'])).toBe('a␛[2J');
    expect(flowed(['\ud83d', '\ude00\r', '\nb'])).toBe('\u{1f600}\nb');
    expect(flowed(['\ud83d', 'x'])).toBe('\\ud83dx');
  });

  it('is the same however it is cut', () => {
    fc.assert(
      fc.property(words, fc.array(fc.nat(80), { maxLength: 6 }), (text, cuts) => {
        const places = [
          0,
          ...cuts.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b),
          text.length,
        ];
        const pieces = places.slice(1).map((end, at) => text.slice(places[at], end));
        for (const wrap of ['words', 'cut'] as const)
          expect(flowed(pieces, { wrap })).toBe(flowed([text], { wrap }));
      }),
      { seed: 5, numRuns: 300 },
    );
  });

  it('fills no line outside of code beyond its width, but by one word', () => {
    fc.assert(
      fc.property(words, (text) => {
        for (const line of flowed([text.replaceAll('`', '')]).split('\n'))
          expect(widthOf(line) <= 20 || !/\s/.test(line.trim())).toBe(true);
      }),
      { seed: 6, numRuns: 300 },
    );
  });
});
