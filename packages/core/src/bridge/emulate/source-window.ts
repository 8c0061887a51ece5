// The text of an answer as it was written, from the last place that is settled on: what a call that failed is
// given back from, and what a model that is asked again is shown.

/** What is shown of a long answer: its beginning and its end. */
const SHOWN = 4000;

/** From this length on pieces stand alone. */
const FLAT = 4096;

/** So many characters are put together before they go to the beginning and the end that are shown. */
const RECENT = 1024;

export class SourceWindow {
  #pieces: string[] = [];
  /** Where the first piece begins. */
  #start = 0;
  #end = 0;
  #head = '';
  #tail = '';
  /** What is in neither yet. */
  #recent = '';

  add(piece: string): void {
    this.#gather(piece);
    this.#end += piece.length;
    this.#recent += piece;
    if (this.#recent.length >= RECENT) this.#file();
  }

  /** A stream of single characters would else hold a tree of thousands of them, many times their weight. */
  #file(): void {
    const recent = flat(this.#recent);
    this.#recent = '';
    if (this.#head.length < SHOWN) this.#head += recent.slice(0, SHOWN - this.#head.length);
    this.#tail += recent;
    // Cut now and then, not each time: a piece costs its own length.
    if (this.#tail.length > 6 * SHOWN) this.#tail = this.#tail.slice(-3 * SHOWN);
  }

  /** Small pieces are put together to long ones: a million of them weigh far more than their characters. */
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

  /** The text between two places; what lies before the settled one is gone. */
  slice(from: number, to: number): string {
    const text = this.#pieces.join('');
    this.#pieces = [text];
    return text.slice(Math.max(0, from - this.#start), to - this.#start);
  }

  /** Nothing before this place will be asked for again. */
  settle(at: number): void {
    let gone = 0;
    while (gone < this.#pieces.length && this.#start < at) {
      const first = this.#pieces[gone] as string;
      const length = Math.min(first.length, at - this.#start);
      if (length === first.length) gone++;
      else this.#pieces[gone] = first.slice(length);
      this.#start += length;
    }
    // All at once: taken one by one, each would move all that are left.
    if (gone > 0) this.#pieces.splice(0, gone);
  }

  /** The answer up to a place near its end, its middle left out if it is long. */
  shown(to = this.#end): string {
    this.#file();
    if (to <= SHOWN) return this.#head.slice(0, to);
    const tail = this.#tail.slice(0, this.#tail.length - (this.#end - to));
    if (to <= 2 * SHOWN) return this.#head + tail.slice(SHOWN - to);
    return `${this.#head}\n[…]\n${tail.slice(-SHOWN)}`;
  }
}

/** Asking for a character makes the engine copy the tree into one piece. */
function flat(text: string): string {
  text.charCodeAt(0);
  return text;
}
