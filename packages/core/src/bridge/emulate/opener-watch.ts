// Looks, in text that was read as text, for the opener of a call at the start of a line: most likely a call that
// went wrong. Inside a fenced block, or in what the dialect itself quotes, it is an example.

import type { Dialect, Opener } from '../../engine/dialect.js';

/** More of a line's start than any fence has. */
const HEAD = 8;

export class OpenerWatch {
  /** The first characters of the line so far, without the space before them. */
  #line = '';
  #fenced = false;
  #quoted = false;
  /** What opens a quote, in a dialect that has quotes. */
  readonly #quotes: readonly Opener[];

  constructor(readonly dialect: Dialect) {
    this.#quotes = dialect.grammar.openers.filter(({ inline }) => inline);
  }

  /** Whether markup matters here. */
  get readsMarkup(): boolean {
    return this.#quotes.length > 0;
  }

  /** Markup between texts: it may begin or end a quote. */
  pass(markup: string): void {
    const text = markup.trim();
    // The break of a marker, which may stand in a quote.
    if (text === '\\' || text === '') return;
    this.#quoted = this.#quotes.some(({ firsts, match }) => {
      const at = Math.max(...[...firsts].map((first) => text.lastIndexOf(first)));
      return at >= 0 && match(text, at, true) === text.length - at;
    });
  }

  /** Where in this piece the first one stands; -1 if there is none. */
  feed(text: string): number {
    let found = -1;
    for (let at = 0; at < text.length; ) {
      if (this.#line === '') {
        if (found < 0 && !this.#fenced && !this.#quoted && this.#opensAt(text, at)) found = at;
        if (isBlank(text.charCodeAt(at))) {
          at++;
          continue;
        }
      }
      const end = text.indexOf('\n', at);
      const stop = end < 0 ? text.length : end;
      if (this.#line.length < HEAD) this.#line += text.slice(at, Math.min(stop, at + HEAD));
      at = stop;
      if (end < 0) break;
      this.#fenced = this.fenced;
      this.#line = '';
      at++;
    }
    return found;
  }

  /** What follows stands in a fenced block; the end of a line that opens or closes one may not be said yet. */
  get fenced(): boolean {
    return this.#line.startsWith('```') || this.#line.startsWith('~~~') ? !this.#fenced : this.#fenced;
  }

  #opensAt(text: string, at: number): boolean {
    return this.dialect.grammar.openers.some(
      (opener) => opener.firsts.includes(text.charAt(at)) && opener.match(text, at, true) > 0,
    );
  }
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}
