// Ends an answer at one of several texts, and holds back what may be the beginning of one.

export class StopText {
  #held = '';
  readonly #stops: readonly string[];

  constructor(stops: readonly string[]) {
    this.#stops = stops.filter((stop) => stop !== '');
  }

  /** Gives the text that is certain, and whether the answer ends behind it. */
  push(text: string): { text: string; isOver: boolean } {
    if (this.#stops.length === 0) return { text, isOver: false };
    const all = this.#held + text;
    const at = this.#stops.map((stop) => all.indexOf(stop)).filter((place) => place >= 0);
    if (at.length > 0) {
      this.#held = '';
      return { text: all.slice(0, Math.min(...at)), isOver: true };
    }
    const held = Math.max(0, ...this.#stops.map((stop) => overlap(all, stop)));
    this.#held = all.slice(all.length - held);
    return { text: all.slice(0, all.length - held), isOver: false };
  }

  end(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }
}

/** The length of the longest end of a text that is the beginning of a stop. */
function overlap(text: string, stop: string): number {
  for (let length = Math.min(text.length, stop.length - 1); length > 0; length--)
    if (text.endsWith(stop.slice(0, length))) return length;
  return 0;
}
