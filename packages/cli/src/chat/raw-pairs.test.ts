import { describe, expect, it } from 'vitest';
import { RawPairs } from './raw-pairs.js';
import type { ReadPiece } from './turn-view.js';

function shown(columns: number, pieces: readonly ReadPiece[]): string {
  let text = '';
  const pairs = new RawPairs((piece) => {
    text += piece;
  }, columns);
  for (const piece of pieces) pairs.read(piece);
  pairs.end();
  return text;
}

const hello: ReadPiece = { kind: 'text', text: 'Hello there.', raw: 'Hello there.' };
const call: ReadPiece[] = [
  { kind: 'markup', text: '', raw: '<tool_call>' },
  { kind: 'call-start', text: 'now', raw: 'now' },
  { kind: 'call-end', text: '', raw: '</tool_call>' },
];

describe('raw text beside its reading', () => {
  it('is written once on a narrow terminal where it was read as it stands', () => {
    expect(shown(80, [hello])).toBe('Hello there.\n');
  });

  it('is written where it differs', () => {
    const text = shown(80, [hello, ...call]);
    expect(text).toContain('Hello there.\n┊ <tool_call>now</tool_call>\n→ now');
  });

  it('fills both columns of a wide one', () => {
    expect(shown(120, [hello]).split('Hello there.')).toHaveLength(3);
  });
});
