// The text of an answer as the model wrote it, from the settled position on. It gives the source of a call that failed,
// and the text that a reask shows the model.

/** How many characters of a long answer's beginning, and of its end, are shown. */
const SHOWN = 4000;

/** Pieces are joined up to this length. */
const FLAT = 4096;

/** So many characters are gathered before they are added to the beginning and the end that are shown. */
const RECENT = 1024;

export class SourceWindow {
  #pieces: string[] = [];
  /** The position of the first piece. */
  #start = 0;
  #end = 0;
  #head = '';
  #tail = '';
  /** Text that is not in `#head` and `#tail` yet. */
  #recent = '';

  add(piece: string): void {
    this.#gather(piece);
    this.#end += piece.length;
    this.#recent += piece;
    if (this.#recent.length >= RECENT) this.#file();
  }

  /** Without this, a stream of single characters would hold a rope of thousands of strings, many times their size. */
  #file(): void {
    const recent = flat(this.#recent);
    this.#recent = '';
    if (this.#head.length < SHOWN) this.#head += recent.slice(0, SHOWN - this.#head.length);
    this.#tail += recent;
    // Cut only now and then, so that a piece costs its own length.
    if (this.#tail.length > 6 * SHOWN) this.#tail = this.#tail.slice(-3 * SHOWN);
  }

  /** Joins small pieces into long ones: a million small strings take far more memory than their characters. */
  #gather(piece: string): void {
    const last = this.#pieces.length - 1;
    const begun = this.#pieces[last];
    if (begun === undefined || begun.length >= FLAT) {
      this.#pieces.push(piece);
      return;
    }
    const longer = begun + piece;
    this.#pieces[last] = longer.length >= FLAT ? flat(longer) : longer;
  }

  /** Gives the text between two positions; text before the settled one is gone. */
  slice(from: number, to: number): string {
    const text = this.#pieces.join('');
    this.#pieces = [text];
    return text.slice(Math.max(0, from - this.#start), to - this.#start);
  }

  /** Drops the text before this position. */
  settle(at: number): void {
    let gone = 0;
    while (gone < this.#pieces.length && this.#start < at) {
      const first = this.#pieces[gone] as string;
      const length = Math.min(first.length, at - this.#start);
      if (length === first.length) gone++;
      else this.#pieces[gone] = first.slice(length);
      this.#start += length;
    }
    // Removed at once: each single removal would move all pieces that are left.
    if (gone > 0) this.#pieces.splice(0, gone);
  }

  /** Gives the answer up to a position near its end; its middle is left out if it is long. */
  shown(to = this.#end): string {
    this.#file();
    if (to <= SHOWN) return this.#head.slice(0, to);
    const tail = this.#tail.slice(0, this.#tail.length - (this.#end - to));
    if (to <= 2 * SHOWN) return this.#head + tail.slice(SHOWN - to);
    return `${this.#head}\n[…]\n${tail.slice(-SHOWN)}`;
  }
}

/** Flattens a rope: reading a character makes the JavaScript engine copy it into one string. */
function flat(text: string): string {
  text.charCodeAt(0);
  return text;
}
