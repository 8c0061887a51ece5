// Fewer, longer argument fragments. Official clients refuse a stream of more than 65,536 of them or of more than
// 16 MiB, and a model may write one character at a time. The first fragments pass as they come, so that short
// calls appear at once; later ones wait until they are worth a frame. All fragments of a 16 MiB stream together
// stay under 50,000.

/** From how many fragments on a fragment must have how many characters. */
const steps = [
  { from: 0, length: 1 },
  { from: 4096, length: 16 },
  { from: 8192, length: 64 },
  { from: 16384, length: 512 },
];

export class Coalescer {
  #held = '';
  #sent = 0;

  /** What is to be sent now: '' while it is better to wait. */
  add(text: string): string {
    this.#held += text;
    return this.#held.length >= this.#least() ? this.flush() : '';
  }

  /** What still waits: to be sent before anything else. */
  flush(): string {
    const text = this.#held;
    this.#held = '';
    if (text !== '') this.#sent++;
    return text;
  }

  #least(): number {
    let least = 1;
    for (const { from, length } of steps) if (this.#sent >= from) least = length;
    return least;
  }
}
