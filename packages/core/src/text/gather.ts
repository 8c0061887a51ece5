// A string builder for very many small pieces.
//
// Adding to a JavaScript string a million times makes a tree (a rope) of a million nodes that the garbage collector
// walks again and again. Here the tree is flattened every few hundred characters, so it stays small.

const FLAT = 512;

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
    // Reading a character makes the JavaScript engine copy the tree into one flat string.
    this.#recent.charCodeAt(0);
    this.#flat.push(this.#recent);
    this.#recent = '';
  }

  mark(): GatherMark {
    return { flat: this.#flat.length, recent: this.#recent, length: this.#length };
  }

  /** Drops what was added after the mark. */
  reset({ flat, recent, length }: GatherMark): void {
    this.#flat.length = flat;
    this.#recent = recent;
    this.#length = length;
  }

  toString(): string {
    return this.#flat.length === 0 ? this.#recent : this.#flat.join('') + this.#recent;
  }
}
