// Long texts of a stream that wait to be read piece by piece, and what comes behind them.

export class WaitingTexts {
  readonly #texts: Iterator<string, void>[] = [];

  /** Gives the first piece if nothing waits; the others wait. */
  begin(pieces: Iterator<string, void>): string {
    const isFirst = this.#texts.length === 0;
    this.#texts.push(pieces);
    return isFirst ? this.next() : '';
  }

  /** Gives the text if nothing waits. Otherwise it waits, too. */
  behind(text: string): string {
    if (this.#texts.length === 0) return text;
    if (text !== '') this.#texts.push([text].values());
    return '';
  }

  /** Gives the next piece; '' if nothing waits. */
  next(): string {
    for (let [first] = this.#texts; first; [first] = this.#texts) {
      const { done, value } = first.next();
      if (!done) return value;
      this.#texts.shift();
    }
    return '';
  }
}
