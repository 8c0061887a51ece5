// How JSON begins that may be a call: a brace, a key that calls have, perhaps in a list. That is all there is to
// see where no marker announces it.
//
//   [ {  "name" …          {"tool_calls" …          ```json\n{"name" …

import { NO, NOT_YET } from '../../engine/markers.js';

/** White space between two tokens of a head. A call that is laid out more widely than this is not seen. */
const SPACE_LIMIT = 16;

export type Head = (text: string, at: number, ended: boolean) => number;

/**
 * Matches `before`, white space, and the head of a call: its length, NO or NOT_YET. Where calls are no lists, a bracket
 * and its brace stand on one line: a bracket alone may be the end of a text.
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

/** One look ahead, token by token. */
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
