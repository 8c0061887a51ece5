// Reuses the memory of outputs that were written. Allocating and freeing buffers of some megabytes that cross threads
// fragments the heap, and over gigabytes of input the process would grow.

/** As many buffers as a thread can have in use. */
const MOST = 8;

export class SpareMemory {
  readonly #spare: ArrayBuffer[] = [];

  /** Takes a buffer that is large enough, and not many times too large. */
  take(size: number): Buffer | undefined {
    const at = this.#spare.findIndex(({ byteLength }) => byteLength >= size && byteLength <= size * 4);
    return at < 0 ? undefined : Buffer.from(this.#spare.splice(at, 1)[0] as ArrayBuffer);
  }

  give(memory: ArrayBuffer): void {
    this.#spare.push(memory);
    if (this.#spare.length > MOST) this.#spare.shift();
  }
}
