// Looks in text, as the parser gave it, for the opener of a call at the start of a line: most likely a call that went
// wrong. Inside a fenced block, or a quotation of the dialect, it is an example.

import type { Dialect, Opener } from '../../engine/dialect.js';
import { INDENT } from '../../engine/parser.js';

/** How much of a line's start is kept: enough to recognise a fence. */
const HEAD = 8;

export class OpenerWatch {
  /** The first characters of the current line, without indentation. */
  #line = '';
  /** The white space before them. */
  #indent = '';
  #fenced = false;
  #quoted = false;
  /** The openers of quotations, in a dialect that has them. */
  readonly #quotes: readonly Opener[];

  constructor(readonly dialect: Dialect) {
    this.#quotes = dialect.grammar.openers.filter(({ inline, message }) => inline && message !== 'quoted');
  }

  /** Whether the dialect has quotations, so that markup has to be passed in. */
  get readsMarkup(): boolean {
    return this.#quotes.length > 0;
  }

  /** Reads markup between texts, which may begin or end a quotation. */
  pass(markup: string): void {
    const text = markup.trim();
    // A neutralised marker, which may be inside a quotation.
    if (text === '\\' || text === '') return;
    this.#quoted = this.#quotes.some(({ firsts, match }) => {
      const at = Math.max(...[...firsts].map((first) => text.lastIndexOf(first)));
      return at >= 0 && match(text, at, true) === text.length - at;
    });
  }

  /** Gives the position of the first opener in this piece; -1 if there is none. */
  feed(text: string): number {
    let found = -1;
    for (let at = 0; at < text.length; ) {
      if (this.#line === '') {
        if (found < 0 && !this.#fenced && !this.#quoted && this.#opensAt(text, at)) found = at;
        if (isBlank(text.charCodeAt(at))) {
          this.#indent = text.charAt(at) === '\n' ? '' : this.#indent + text.charAt(at);
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
      this.#indent = '';
      at++;
    }
    return found;
  }

  /** Whether what follows is inside a fenced block. The line that opens or closes it may still be incomplete. */
  get fenced(): boolean {
    return this.#line.startsWith('```') || this.#line.startsWith('~~~') ? !this.#fenced : this.#fenced;
  }

  /** Further from the line's start than the parser looks, an opener of lines is code, and its text comes in pieces. */
  #opensAt(text: string, at: number): boolean {
    const isCode = this.#indent.length > INDENT || /[^ ]/.test(this.#indent);
    return this.dialect.grammar.openers.some(
      ({ firsts, line, message, match }) =>
        message !== 'quoted' &&
        !(line && isCode) &&
        firsts.includes(text.charAt(at)) &&
        match(text, at, true) > 0,
    );
  }
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}
