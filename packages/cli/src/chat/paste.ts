// Recognises pasted text by the terminal's bracketed paste mode.

export const PASTE_ON = '\u001b[?2004h';
export const PASTE_OFF = '\u001b[?2004l';
const OPEN = '\u001b[200~';
const CLOSE = '\u001b[201~';

export interface TypedPiece {
  text: string;
  pasted: boolean;
}

export class PasteReader {
  #inside = false;
  #held = '';
  #pasted = '';

  feed(text: string): TypedPiece[] {
    const pieces: TypedPiece[] = [];
    let rest = this.#held + text;
    this.#held = '';
    while (rest !== '') {
      const marker = this.#inside ? CLOSE : OPEN;
      const at = rest.indexOf(marker);
      const end = at < 0 ? rest.length - this.#partAtEnd(rest, marker) : at;
      const before = rest.slice(0, end);
      if (this.#inside) this.#pasted += before;
      else if (before !== '') pieces.push({ text: before, pasted: false });
      if (at < 0) {
        this.#held = rest.slice(end);
        break;
      }
      if (this.#inside) pieces.push({ text: this.#pasted, pasted: true });
      this.#pasted = '';
      this.#inside = !this.#inside;
      rest = rest.slice(at + marker.length);
    }
    return pieces;
  }

  /** How much of the end may be the beginning of a marker. What is typed is not kept waiting for an Escape. */
  #partAtEnd(text: string, marker: string): number {
    const least = this.#inside ? 1 : 3;
    for (let length = marker.length - 1; length >= least; length--) {
      if (text.endsWith(marker.slice(0, length))) return length;
    }
    return 0;
  }
}

const BREAK = '␤';
const TAB = '␉';

/** Several lines as one that can be edited. */
export function toOneLine(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').replaceAll('\n', BREAK).replaceAll('\t', TAB);
}

export function fromOneLine(text: string): string {
  return text.replaceAll(BREAK, '\n').replaceAll(TAB, '\t');
}
