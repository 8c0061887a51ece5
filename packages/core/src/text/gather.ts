// Text put together from very many small pieces.
//
// Adding to a JavaScript string a million times makes a tree of a million nodes that the collector has to
// walk again and again. Here the tree is flattened every few thousand characters, so only a small one lives.

const FLAT = 4096;

export interface GatherMark {
  readonly flat: number;
  readonly recent: string;
  readonly length: number;
}

export class Gather {
  #flat: string[] = [];
  #recent = '';
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(piece: string): void {
    this.#recent += piece;
    this.#length += piece.length;
    if (this.#recent.length >= FLAT) this.#flatten();
  }

  #flatten(): void {
    // Asking for a character makes the engine copy the tree into one piece.
    this.#recent.charCodeAt(0);
    this.#flat.push(this.#recent);
    this.#recent = '';
  }

  mark(): GatherMark {
    return { flat: this.#flat.length, recent: this.#recent, length: this.#length };
  }

  /** Forgets what was added behind the mark. */
  reset({ flat, recent, length }: GatherMark): void {
    this.#flat.length = flat;
    this.#recent = recent;
    this.#length = length;
  }

  toString(): string {
    return this.#flat.length === 0 ? this.#recent : this.#flat.join('') + this.#recent;
  }
}
