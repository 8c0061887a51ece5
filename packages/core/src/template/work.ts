// The work budget of a template. A step is one node evaluated, one item visited, or a piece of text: about a fifth
// of a microsecond, so that the default budget ends in well under a second.

import { UsageError } from '../model/errors.js';

const DEFAULT_STEPS = 2_000_000;
/** About the depth at which macros overflow Python's stack. */
const DEEPEST_CALL = 200;

export class Work {
  readonly limit: number;
  #left: number;
  #depth = 0;

  /** Without a limit, the budget is the default plus one step for each character of the request. */
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

  /** Charges for text before it is made, so that no text over the budget is ever made. */
  text(length: number): void {
    this.spend(1 + length / 16);
  }

  /** Charges for text that a built-in function scans. */
  scan(length: number): void {
    this.spend(length / 256);
  }

  /** Charges for text that is split into characters. */
  walk(length: number): void {
    this.spend(length / 2);
  }

  /** Runs one macro call, and limits how deep they nest. */
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
