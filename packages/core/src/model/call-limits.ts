// How much the arguments of an answer's calls may hold. More is refused before it is read: what reads a call takes its
// arguments as a whole.

import { ApiError } from './answer.js';
import { JsonSize } from './json-size.js';

/** The most elements in the arguments of all calls of an answer: what is made of them takes some 30 ms at the end. */
export const MOST_IN_CALLS = 12_000;

/** The most characters in the arguments of all calls of an answer, several times as many as models can write. */
export const LONGEST_CALLS = 1.5 * 1024 * 1024;

export function tooMuchInCalls(most: number, what: 'elements' | 'characters'): ApiError {
  const message = `The upstream's answer has more than ${most} ${what} in the arguments of its calls.`;
  return new ApiError('upstream-broken', message);
}

/** The members of all APIs that hold arguments, as an object or as JSON in a string. */
const names: ReadonlySet<string> = new Set(['arguments', 'input', 'partial_json']);

/** Gives an error if a value that an upstream sent, an answer or an event, has too much in its calls. */
export function excessInCalls(value: unknown): ApiError | undefined {
  const count = new CallCount();
  count.look(value, true);
  if (count.characters > LONGEST_CALLS) return tooMuchInCalls(LONGEST_CALLS, 'characters');
  return count.elements > MOST_IN_CALLS ? tooMuchInCalls(MOST_IN_CALLS, 'elements') : undefined;
}

/** Characters that are counted at once. */
const PIECE = 64 * 1024;

class CallCount {
  characters = 0;
  /** Of arguments that are a string: those of objects are counted with the text of the answer. */
  elements = 0;
  readonly #utf8 = new TextEncoder();

  /** What is at the first level, of an answer or of the one in an event, is no call: there, `input` is a prompt. */
  look(value: unknown, isFirst = false): void {
    if (typeof value !== 'object' || value === null) return;
    const members = value as Record<string, unknown>;
    for (const key in members) {
      if (isFirst || !names.has(key)) this.look(members[key], isFirst && key === 'response');
      else if (typeof members[key] === 'string') this.#addText(members[key]);
      else this.#addLength(members[key]);
    }
  }

  #addText(text: string): void {
    this.characters += text.length;
    // The input of a freeform tool is any text.
    if (this.characters > LONGEST_CALLS || !/^\s*[[{]/.test(text)) return;
    const size = new JsonSize();
    for (let at = 0; at < text.length; at += PIECE) size.add(this.#utf8.encode(text.slice(at, at + PIECE)));
    this.elements += size.elements;
  }

  #addLength(value: unknown): void {
    if (typeof value === 'string') this.characters += value.length;
    if (typeof value !== 'object' || value === null) return;
    const members = value as Record<string, unknown>;
    for (const key in members) {
      this.characters += key.length;
      this.#addLength(members[key]);
    }
  }
}
