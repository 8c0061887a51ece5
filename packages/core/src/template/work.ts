// The bound on what a template may cost. A step is one node of the template evaluated, one item visited, or a
// stretch of text: about a fifth of a microsecond, so that the default ends in well under a second.

import { UsageError } from '../model/errors.js';

const DEFAULT_STEPS = 2_000_000;
/** As deep as Python's own stack lets macros call each other, about. */
const DEEPEST_CALL = 200;

export class Work {
  readonly limit: number;
  #left: number;
  #depth = 0;

  /** Without a limit: the default, and one step more for each character of the request. */
  constructor(limit: number | undefined, requestSize: number) {
    if (limit !== undefined && !(limit > 0)) {
      throw new UsageError('bad-options', 'must be a number above 0', 'options.maxWork');
    }
    this.limit = limit ?? DEFAULT_STEPS + requestSize;
    this.#left = this.limit;
  }

  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) {
      throw tooMuch(
        `the template takes more than ${this.limit} steps: raise options.maxWork if you trust it`,
      );
    }
  }

  /** Pays for text before it is made, so that no text is made that cannot be paid. */
  text(length: number): void {
    this.spend(1 + length / 16);
  }

  /** Pays for text that is looked through by the machine. */
  scan(length: number): void {
    this.spend(length / 256);
  }

  /** Pays for text that is taken apart, character by character. */
  walk(length: number): void {
    this.spend(length / 2);
  }

  /** One macro inside another. */
  nested<T>(body: () => T): T {
    if (++this.#depth > DEEPEST_CALL) throw tooMuch(`macros call each other more than ${DEEPEST_CALL} deep`);
    const result = body();
    this.#depth--;
    return result;
  }
}

export function tooMuch(message: string): UsageError {
  return new UsageError('template-too-much-work', message);
}
