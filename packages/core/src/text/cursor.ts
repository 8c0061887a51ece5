// A window onto text that is still arriving.
//
//   |<------- read, forgotten ------->|<-- window: text -->|  not here yet
//                                      ^ at
//
// What was read is forgotten when the next chunk arrives, unless a mark keeps it: then it is put aside in
// pieces, joined once if the cursor has to go back. So a chunk costs its own length, however much is held.

import { Gather } from './gather.js';

interface Mark {
  /** Absolute position of the mark. */
  readonly start: number;
  /** What was read behind the mark, up to the next mark, as far as it has left the window. */
  pieces: Gather;
}

export class Cursor {
  /** The window. Read from `at` on; nothing before it concerns a reader. */
  text = '';
  at = 0;
  /** No more text will come: every question has an answer now. */
  ended = false;

  #base = 0;
  #marks: Mark[] = [];
  /** Where, in the window, the part begins that belongs to the innermost mark and is not in its pieces. */
  #kept = 0;
  #reread = 0;

  /** Absolute position, in UTF-16 code units of the whole text. */
  get position(): number {
    return this.#base + this.at;
  }

  /** How many marks are set. */
  get depth(): number {
    return this.#marks.length;
  }

  push(chunk: string): void {
    if (this.#marks.length > 0) this.#putAside();
    this.#base += this.at;
    this.text = this.at === this.text.length ? chunk : this.text.slice(this.at) + chunk;
    this.at = 0;
  }

  #putAside(): void {
    const mark = this.#marks.at(-1) as Mark;
    if (this.at > this.#kept) mark.pieces.add(this.text.slice(this.#kept, this.at));
    this.#kept = 0;
  }

  end(): void {
    this.ended = true;
  }

  /** Sets a mark to come back to. */
  mark(): void {
    const outer = this.#marks.at(-1);
    if (outer && this.at > this.#kept) outer.pieces.add(this.text.slice(this.#kept, this.at));
    this.#marks.push({ start: this.position, pieces: new Gather() });
    this.#kept = this.at;
  }

  /** Forgets the innermost mark: what was read behind it stays read. */
  release(): void {
    const mark = this.#marks.pop();
    const outer = this.#marks.at(-1);
    if (!mark || !outer) return;
    outer.pieces.add(mark.pieces.toString());
  }

  /** Goes back to the innermost mark and forgets it. */
  rewind(): void {
    const mark = this.#marks.pop();
    if (!mark) return;
    this.#reread += this.position - mark.start;
    if (mark.pieces.length > 0) {
      this.text = mark.pieces.toString() + this.text.slice(this.#kept);
      this.#kept = 0;
      this.#base = mark.start;
    }
    this.at = this.#kept;
  }

  /**
   * Whether going back may still be tried. Together, all that is read twice stays within a multiple of the
   * text: that bounds the time for any input. Positions alone decide, so every cutting decides alike.
   */
  get mayGoBack(): boolean {
    return this.#reread <= 8 * this.position + 65536;
  }
}
