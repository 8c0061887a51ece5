// Looks for the client's stop strings in the text of an answer only. They are not sent to the upstream: it would also
// stop inside a call's arguments, and the call would be lost.
//
// The stop string that is complete first counts, as for a model that writes character by character; of several that end
// at the same position, the longest. Each character is compared once for each stop string (Knuth, Morris, Pratt).

interface StopMatch {
  stop: string;
  /** For each length of a prefix: how long the start is that is also its end. */
  borders: number[];
  /** How many of its characters the text so far ends with. */
  matched: number;
}

export class StopWatch {
  #held = '';
  readonly #watches: StopMatch[];

  constructor(stops: readonly string[]) {
    const some = stops.filter((stop) => stop !== '');
    this.#watches = some.map((stop) => ({ stop, borders: bordersOf(stop), matched: 0 }));
  }

  /** Gives the text that can be delivered now, and the stop string if one is complete, with its end in this piece. */
  feed(text: string): { text: string; stop?: string; end?: number } {
    if (this.#watches.length === 0) return { text };
    const all = this.#held + text;
    for (let at = 0; at < text.length; at++) {
      const stop = this.#step(text.charCodeAt(at));
      if (stop === undefined) continue;
      const end = at + 1;
      const before = all.slice(0, this.#held.length + end - stop.length);
      this.flush();
      return { text: before, stop, end };
    }
    const safe = all.length - Math.max(...this.#watches.map(({ matched }) => matched));
    this.#held = all.slice(safe);
    return { text: all.slice(0, safe) };
  }

  /** Gives the held text, since something other than text follows, or nothing. */
  flush(): string {
    const text = this.#held;
    this.#held = '';
    for (const watch of this.#watches) watch.matched = 0;
    return text;
  }

  #step(code: number): string | undefined {
    let found: string | undefined;
    for (const watch of this.#watches) {
      const { stop, borders } = watch;
      let matched = watch.matched;
      while (matched > 0 && stop.charCodeAt(matched) !== code) matched = borders[matched] ?? 0;
      if (stop.charCodeAt(matched) === code) matched++;
      watch.matched = matched;
      if (matched === stop.length && stop.length > (found?.length ?? 0)) found = stop;
    }
    return found;
  }
}

function bordersOf(stop: string): number[] {
  const borders = [0, 0];
  let border = 0;
  for (let at = 1; at < stop.length; at++) {
    while (border > 0 && stop.charCodeAt(border) !== stop.charCodeAt(at)) border = borders[border] ?? 0;
    if (stop.charCodeAt(border) === stop.charCodeAt(at)) border++;
    borders.push(border);
  }
  return borders;
}
