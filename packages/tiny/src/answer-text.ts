// The text of an answer from the bytes of its tokens: a character may take several tokens, and a text that ends the
// answer may begin in one and end in another.

export class AnswerText {
  readonly #decoder = new TextDecoder();
  readonly #stops: readonly string[];
  /** Text that could be the beginning of a stop text. */
  #held = '';
  /** A stop text was found: nothing follows. */
  stopped = false;

  constructor(stops: readonly string[]) {
    this.#stops = stops.filter((stop) => stop !== '');
  }

  /** Gives the text that can be told now. */
  add(bytes: Uint8Array): string {
    return this.#tell(this.#decoder.decode(bytes, { stream: true }), false);
  }

  /** Gives the rest. */
  end(): string {
    return this.stopped ? '' : this.#tell(this.#decoder.decode(), true);
  }

  #tell(text: string, isLast: boolean): string {
    const all = this.#held + text;
    const found = this.#stops.map((stop) => all.indexOf(stop)).filter((at) => at >= 0);
    this.stopped = found.length > 0;
    const end = this.stopped ? Math.min(...found) : all.length - (isLast ? 0 : this.#open(all));
    this.#held = this.stopped ? '' : all.slice(end);
    return all.slice(0, end);
  }

  /** The length of the longest end of the text with which a stop text begins. */
  #open(text: string): number {
    const lengths = this.#stops.map((stop) => {
      let length = Math.min(stop.length - 1, text.length);
      while (length > 0 && !stop.startsWith(text.slice(text.length - length))) length--;
      return length;
    });
    return Math.max(0, ...lengths);
  }
}
