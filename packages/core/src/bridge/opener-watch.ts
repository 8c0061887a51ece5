// Looks, in text that was read as text, for the opener of a call at the start of a line: most likely a call that
// went wrong. Inside a fenced block it is an example.

import type { Dialect } from '../codec/dialect.js';

export class OpenerWatch {
  /** What stands in the line so far; only its first characters matter. */
  #line = '';
  #fenced = false;

  constructor(readonly dialect: Dialect) {}

  /** Where in this piece the first one stands; -1 if there is none. */
  feed(text: string): number {
    for (let at = 0; at < text.length; ) {
      if (this.#line.trim() === '') {
        if (!this.#fenced && this.#opensAt(text, at)) return at;
        if (isBlank(text.charCodeAt(at))) {
          this.#step(text.charAt(at++));
          continue;
        }
      }
      const end = text.indexOf('\n', at);
      const stop = end < 0 ? text.length : end;
      if (this.#line.length < 8) this.#line += text.slice(at, Math.min(stop, at + 8));
      at = stop;
      if (end >= 0) this.#step(text.charAt(at++));
    }
    return -1;
  }

  #step(character: string): void {
    if (character !== '\n') {
      if (this.#line.length < 8) this.#line += character;
      return;
    }
    const line = this.#line.trimStart();
    if (line.startsWith('```') || line.startsWith('~~~')) this.#fenced = !this.#fenced;
    this.#line = '';
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
