// The beginning and the end of a text that may never stop, held in bounded memory.

export class BoundedText {
  #head = '';
  /** The end is in these two: when the newer is long enough alone, the older is forgotten. */
  #older = '';
  #newer = '';
  #length = 0;
  readonly #half: number;

  /** Holds what is needed to show at most `limit` characters. */
  constructor(limit: number) {
    this.#half = Math.max(1, Math.ceil(limit / 2));
  }

  /** How long the whole text was. */
  get length(): number {
    return this.#length;
  }

  /** How many characters are in memory: at most three halves of the limit, and the last piece added. */
  get held(): number {
    return this.#head.length + this.#older.length + this.#newer.length;
  }

  add(piece: string): void {
    this.#length += piece.length;
    const room = this.#half - this.#head.length;
    this.#head += piece.slice(0, Math.max(0, room));
    this.#newer += room > 0 ? piece.slice(room) : piece;
    if (this.#newer.length < this.#half) return;
    this.#older = this.#newer.slice(-this.#half);
    this.#newer = '';
  }

  /** The whole text if it has at most `limit` characters, else both its ends and a note between them. */
  toText(limit: number): string {
    const ends = this.#head + this.#older + this.#newer;
    if (this.#length <= limit && ends.length === this.#length) return ends;
    const half = Math.min(this.#half, Math.floor(limit / 2));
    const head = withoutHalfPair(this.#head.slice(0, half));
    const tail = half > 0 ? withoutHalfPair(ends.slice(-half)) : '';
    const left = this.#length - head.length - tail.length;
    return `${head}\n[… ${left} characters left out …]\n${tail}`;
  }
}

/** A cut through a surrogate pair leaves neither of its halves. */
export function withoutHalfPair(text: string): string {
  const start = isBetween(text.charCodeAt(0), 0xdc00, 0xdfff) ? 1 : 0;
  const end = isBetween(text.charCodeAt(text.length - 1), 0xd800, 0xdbff) ? text.length - 1 : text.length;
  return text.slice(start, Math.max(start, end));
}

function isBetween(code: number, low: number, high: number): boolean {
  return code >= low && code <= high;
}
