// The numbers of calls in a prompt, where calls and results are written with them: `functions.get_weather:0`.

import type { ToolCall, ToolResult } from '../../model/index.js';

/**
 * Counts the calls of a prompt, and keeps the number of each for its result. A number in the model's own words stays. In
 * a conversation that is counted as a whole, so does one in the id of a call, as clients have it from serving engines.
 */
export class CallNumbers {
  readonly #numbers = new Map<string, number>();
  #next = 0;

  constructor(
    readonly counted: 'turn' | 'conversation',
    /** Between the name of a call and its number. */
    readonly sign: string,
  ) {}

  /** Numbers the calls of a turn. `written`: what the model wrote there. */
  count(calls: readonly ToolCall[], written = ''): number[] {
    if (this.counted === 'turn') this.#next = 0;
    let from = 0;
    return calls.map((call) => {
      const head = `${call.name}${this.sign}`;
      const at = written.indexOf(head, from);
      if (at >= 0) from = at + head.length;
      const number = (at < 0 ? undefined : digitsAt(written, from)) ?? this.#numberIn(call) ?? this.#next;
      this.#next = Math.max(this.#next, number) + 1;
      this.#numbers.set(call.id, number);
      return number;
    });
  }

  /** Gives the number of the call that a result answers; of an unknown call, the place of the result. */
  of({ callId }: ToolResult, place: number): number {
    return this.#numbers.get(callId) ?? place;
  }

  #numberIn({ id, name }: ToolCall): number | undefined {
    if (this.counted === 'turn') return undefined;
    const head = `${name}${this.sign}`;
    const at = id.lastIndexOf(head);
    const number = at < 0 ? undefined : digitsAt(id, at + head.length);
    return number !== undefined && id.endsWith(`${head}${number}`) ? number : undefined;
  }
}

/** Reads a number of up to six digits; undefined if there is none. */
function digitsAt(text: string, at: number): number | undefined {
  const digits = /^[0-9]{1,6}/.exec(text.slice(at, at + 6))?.[0];
  return digits === undefined ? undefined : Number(digits);
}
