// A window onto text that is still arriving.
//
//   |<------- read, dropped --------->|<-- window: text -->|  not here yet
//                                      ^ at
//
// Text that was read is dropped when the next chunk arrives, unless a mark keeps it: then it is stored in
// pieces, which are joined once if the cursor rewinds. So a chunk costs its own length, however much is held.

import { Gather } from './gather.js';

interface Mark {
  /** Absolute position of the mark. */
  readonly start: number;
  /** The text between this mark and the next one that has already left the window. */
  pieces: Gather;
}

export class Cursor {
  /** The window. Readers start at `at`; the text before it has been read. */
  text = '';
  at = 0;
  /** No more text will come, so no match may wait for more. */
  ended = false;
  /** The text did not end by itself: something cut it, such as a token limit. */
  cut: boolean | undefined;

  #base = 0;
  #marks: Mark[] = [];
  /** Where the innermost mark's text that is not yet in its pieces begins in the window. */
  #kept = 0;
  #reread = 0;

  /** Absolute position, in UTF-16 code units of the whole text. */
  get position(): number {
    return this.#base + this.at;
  }

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

  mark(): void {
    const outer = this.#marks.at(-1);
    if (outer && this.at > this.#kept) outer.pieces.add(this.text.slice(this.#kept, this.at));
    this.#marks.push({ start: this.position, pieces: new Gather() });
    this.#kept = this.at;
  }

  /** Removes the innermost mark. The text read since then stays read. */
  release(): void {
    const mark = this.#marks.pop();
    const outer = this.#marks.at(-1);
    if (!mark || !outer) return;
    outer.pieces.add(mark.pieces.toString());
  }

  /** Goes back to the innermost mark and removes it. */
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
   * Whether another rewind is allowed. All text that is read twice stays within a multiple of the text's length,
   * which bounds the time for any input. Only positions decide, so the result does not depend on the chunks.
   */
  get mayGoBack(): boolean {
    return this.#reread <= 8 * this.position + 65536;
  }
}
