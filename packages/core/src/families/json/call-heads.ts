// Matches the head of JSON that may be a call: a brace, a key that calls have, perhaps inside a list. Without a marker
// this is all a reader can recognise a call by.
//
//   [ {  "name" …          {"tool_calls" …          ```json\n{"name" …

import { NO, NOT_YET } from '../../engine/markers.js';

/** How much white space may separate two tokens of a head. A call with more than this is not recognised. */
const SPACE_LIMIT = 16;

export type Head = (text: string, at: number, ended: boolean) => number;

/**
 * Matches `before`, white space, and the head of a call: its length, NO or NOT_YET. In a dialect without lists, the
 * bracket and its brace must be on one line, because a bracket alone may be the end of a text.
 */
export function callHead(before: string, keys: readonly string[], lists = true): Head {
  const quoted = keys.flatMap((key) => [`"${key}"`, `'${key}'`]);
  return (text, at, ended) => {
    const steps = new Steps(text, at, ended);
    if (before !== '') steps.literal([before]).space();
    if (steps.is('[')) steps.literal(['[']).space(lists ? ' \n\r\t' : ' \t');
    return steps.literal(['{']).space().literal(quoted).length;
  };
}

/** Looks ahead, token by token. */
class Steps {
  #at: number;
  #result: number | undefined;

  constructor(
    readonly text: string,
    readonly start: number,
    readonly ended: boolean,
  ) {
    this.#at = start;
  }

  get length(): number {
    return this.#result ?? this.#at - this.start;
  }

  is(char: string): boolean {
    return this.#result === undefined && this.text.charAt(this.#at) === char;
  }

  literal(candidates: readonly string[]): this {
    if (this.#result !== undefined) return this;
    const found = candidates.find((candidate) => this.text.startsWith(candidate, this.#at));
    if (found !== undefined) this.#at += found.length;
    else {
      const rest = this.text.slice(this.#at);
      const open = !this.ended && candidates.some((candidate) => candidate.startsWith(rest));
      this.#result = open ? NOT_YET : NO;
    }
    return this;
  }

  space(characters = ' \n\r\t'): this {
    if (this.#result !== undefined) return this;
    const from = this.#at;
    while (this.#at - from < SPACE_LIMIT && characters.includes(this.text.charAt(this.#at) || 'x'))
      this.#at++;
    if (this.#at >= this.text.length && !this.ended) this.#result = NOT_YET;
    return this;
  }
}
