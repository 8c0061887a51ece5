// Joins argument fragments into fewer, longer ones. Official clients refuse a stream of more than 65,536 fragments or
// of more than 16 MiB, and a model may write one character at a time. The first fragments pass as they come, so that
// short calls appear at once; later ones wait until they are long enough for an event of their own. All fragments of a
// 16 MiB stream together stay under 50,000.

/** After `from` fragments, a fragment has at least `length` characters. */
const steps = [
  { from: 0, length: 1 },
  { from: 4096, length: 16 },
  { from: 8192, length: 64 },
  { from: 16384, length: 512 },
];

export class Coalescer {
  #held = '';
  #sent = 0;

  /** Gives the text to send now: '' while the fragment is too short. */
  add(text: string): string {
    this.#held += text;
    return this.#held.length >= this.#least() ? this.flush() : '';
  }

  /** Gives the text that still waits. It must be sent before any other event. */
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
