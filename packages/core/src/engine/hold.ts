// A tentative reading that can be undone. `reader.try()` opens a hold, and its caller closes it:
//
//   const hold = reader.try();
//   …                           events are buffered in the hold, and the text is kept
//   hold.keep();                the reading was right: its events are emitted
//   hold.undo();                it was wrong: the reader goes back to where it began
//
// Holds nest, and the innermost is closed first. Closing one twice or out of order is a bug in a grammar and throws.

import type { IssueCode, ParseEvent } from '../model/index.js';
import type { Mode, Reader } from './reader.js';

export class Hold {
  /** The events since the hold was opened, in order. */
  readonly events: ParseEvent[] = [];
  readonly #start: number;
  #isOpen = true;

  constructor(
    readonly reader: Reader,
    readonly restore: () => void,
  ) {
    this.#start = reader.position;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** How many characters were read since the hold was opened. */
  get length(): number {
    return this.#isOpen ? this.reader.position - this.#start : 0;
  }

  keep(): void {
    this.reader.closeHold(this, 'keep');
    this.#isOpen = false;
  }

  undo(): void {
    this.reader.closeHold(this, 'undo');
    this.#isOpen = false;
  }

  /** Keeps the hold if it is still open. */
  settle(): void {
    if (this.#isOpen) this.keep();
  }
}

/** The hold of an opener that was found in text. It begins at the separators before the opener. */
export class OpenerHold extends Hold {
  /** The opener is on the line after one that opens a code fence. */
  readonly behindFence: boolean;
  readonly #openerAt: number;

  constructor(reader: Reader, restore: () => void, ahead: number) {
    super(reader, restore);
    this.behindFence = reader.inFenceLine;
    this.#openerAt = reader.position + ahead;
  }

  /** Treats the opener as text, because it opened nothing. Reading goes on just after its first character. */
  reject(issue?: { code: IssueCode; message: string }): Mode {
    const { reader } = this;
    this.undo();
    reader.unfinished = 'nothing';
    // The issue comes before the opener's text, so that a consumer of the events can still withhold that text.
    if (issue) reader.issue(issue.code, issue.message);
    // Very many openers must not make the time quadratic: beyond the limit the rest is plain text.
    const rest = reader.text.length - reader.at;
    const behind = this.#openerAt - reader.position + 1;
    reader.say(reader.mayGoBack || !reader.ended ? Math.min(rest, behind) : rest);
    return reader.plain;
  }

  /** Goes back to the opener, so that the caller can read it again without a hold. */
  restart(asText = false): void {
    const { reader } = this;
    this.undo();
    reader.beginSource();
    const ahead = this.#openerAt - reader.position;
    if (asText || reader.inFenceLine) reader.say(ahead);
    else reader.markup(ahead);
  }
}
