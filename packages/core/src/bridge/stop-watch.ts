// Stop strings of the client, looked for in the text of an answer alone. They are not sent to the upstream: it
// would stop inside a call's arguments as well, and the call would be lost.

export class StopWatch {
  #held = '';
  #longest: number;

  constructor(readonly stops: readonly string[]) {
    this.#longest = Math.max(0, ...stops.map((stop) => stop.length));
  }

  /** The text that can be given out now, and the stop string if one was reached. */
  feed(text: string): { text: string; stop?: string } {
    if (this.#longest === 0) return { text };
    this.#held += text;
    const found = this.#first();
    if (found) {
      const before = this.#held.slice(0, found.at);
      this.#held = '';
      return { text: before, stop: found.stop };
    }
    const safe = this.#held.length - this.#pending();
    const given = this.#held.slice(0, safe);
    this.#held = this.#held.slice(safe);
    return { text: given };
  }

  /** Something else than text follows, or nothing: what was held is text. */
  flush(): string {
    const text = this.#held;
    this.#held = '';
    return text;
  }

  #first(): { at: number; stop: string } | undefined {
    let first: { at: number; stop: string } | undefined;
    for (const stop of this.stops) {
      const at = this.#held.indexOf(stop);
      if (at >= 0 && (!first || at < first.at)) first = { at, stop };
    }
    return first;
  }

  /** The length of the longest end that may become a stop string. */
  #pending(): number {
    const most = Math.min(this.#held.length, this.#longest - 1);
    for (let length = most; length > 0; length--) {
      const end = this.#held.slice(-length);
      if (this.stops.some((stop) => stop.length > length && stop.startsWith(end))) return length;
    }
    return 0;
  }
}
