// Memory of outputs that are written, kept for those to come. Freed and asked for anew, pieces of some megabytes that
// cross threads leave holes that the process never gives back: over gigabytes it would grow.

/** As many as a thread can have under way, and no more. */
const MOST = 8;

export class SpareMemory {
  readonly #spare: ArrayBuffer[] = [];

  /** One that is large enough, and not many times too large. */
  take(size: number): Buffer | undefined {
    const at = this.#spare.findIndex(({ byteLength }) => byteLength >= size && byteLength <= size * 4);
    return at < 0 ? undefined : Buffer.from(this.#spare.splice(at, 1)[0] as ArrayBuffer);
  }

  give(memory: ArrayBuffer): void {
    this.#spare.push(memory);
    if (this.#spare.length > MOST) this.#spare.shift();
  }
}
