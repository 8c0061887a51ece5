// Reads what a quoted fence holds, only to know the calls in it: they stay text, and nobody should lose one in silence.

import type { Dialect } from '../../engine/dialect.js';
import { createParser, type Parser } from '../../engine/parser.js';
import type { SharingOptions } from '../../engine/parser-options.js';
import type { CallEnd, ParseEvent } from '../../model/index.js';

export class FencedCalls {
  /** The names of the calls that would count outside of the fence. */
  readonly names: string[] = [];
  readonly #parser: Parser;

  /** `start`: where the fence begins. */
  constructor(
    dialect: Dialect,
    options: SharingOptions,
    readonly start: number,
    readonly accepts: (call: CallEnd) => boolean,
  ) {
    this.#parser = createParser(dialect, { ...options, thinking: false });
    // No reasoning begins here.
    this.#parser.feed('.');
  }

  feed(text: string): void {
    this.#note(this.#parser.feed(text));
  }

  finish(): void {
    this.#note(this.#parser.finish());
  }

  #note(events: readonly ParseEvent[]): void {
    for (const event of events)
      if (event.type === 'call-end' && this.accepts(event)) this.names.push(event.name);
  }
}
