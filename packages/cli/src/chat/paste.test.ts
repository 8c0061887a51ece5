import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromOneLine, PasteReader, type TypedPiece, toOneLine } from './paste.js';

function readAll(chunks: readonly string[]): TypedPiece[] {
  const reader = new PasteReader();
  const pieces = chunks.flatMap((chunk) => reader.feed(chunk));
  const joined: TypedPiece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last && !last.pasted && !piece.pasted) last.text += piece.text;
    else joined.push({ ...piece });
  }
  return joined;
}

describe('pasted text', () => {
  const typed = 'a\u001b[A\u001b[200~one\ntwo\u001b[201~\rb';

  it('is told from what is typed, however it arrives, but for a bracket torn at its Escape', () => {
    const whole = [
      { text: 'a\u001b[A', pasted: false },
      { text: 'one\ntwo', pasted: true },
      { text: '\rb', pasted: false },
    ];
    const open = typed.indexOf('\u001b[200~');
    const places = Array.from({ length: typed.length + 1 }, (_, at) => at);
    const cuts = places.filter((at) => at <= open || at > open + 2);
    for (const first of cuts)
      for (const second of cuts.filter((at) => at >= first))
        expect(readAll([typed.slice(0, first), typed.slice(first, second), typed.slice(second)])).toEqual(
          whole,
        );
  });

  it('does not keep an Escape or an arrow waiting', () => {
    expect(new PasteReader().feed('\u001b')).toEqual([{ text: '\u001b', pasted: false }]);
    expect(new PasteReader().feed('\u001b[A')).toEqual([{ text: '\u001b[A', pasted: false }]);
  });

  it('is one line while it is edited, and its own lines afterwards', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), (text) => {
        const line = toOneLine(text);
        expect(line).not.toMatch(/[\n\r\t]/);
        expect(fromOneLine(line)).toBe(text.replaceAll('\r\n', '\n').replaceAll('\r', '\n'));
      }),
      { seed: 7 },
    );
  });
});
