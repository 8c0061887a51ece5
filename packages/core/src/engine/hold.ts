// A reading that may turn out to be wrong. `reader.try()` opens a hold, and who opened it closes it:
//
//   const hold = reader.try();
//   …                           events wait in the hold, the text stays within reach
//   hold.keep();                the reading was right: its events go out
//   hold.undo();                it was wrong: back to where it began, as if nothing had been read
//
// Holds nest, and the innermost is closed first. To close one twice, or out of turn, is a fault of a grammar and throws.

import type { IssueCode, ParseEvent } from '../model/index.js';
import type { Mode, Reader } from './reader.js';

export class Hold {
  /** What was read since, in order. */
  readonly events: ParseEvent[] = [];
  readonly #start: number;
  #isOpen = true;

  constructor(
    readonly reader: Reader,
    /** Puts the reader's state back as it was. */
    readonly restore: () => void,
  ) {
    this.#start = reader.position;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** How much has been read since. */
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

  /** Lets the events out that are still held, if any are. */
  settle(): void {
    if (this.#isOpen) this.keep();
  }
}

/** The hold of an opener that was found in text: what it opens is tried, from the separators before it on. */
export class OpenerHold extends Hold {
  /** The opener stands on the line behind one that opens a code fence. */
  readonly behindFence: boolean;
  readonly #openerAt: number;

  constructor(reader: Reader, restore: () => void, ahead: number) {
    super(reader, restore);
    this.behindFence = reader.inFenceLine;
    this.#openerAt = reader.position + ahead;
  }

  /** It opened nothing: it is text, and reading goes on just behind its first character. */
  reject(issue?: { code: IssueCode; message: string }): Mode {
    const { reader } = this;
    this.undo();
    reader.unfinished = 'nothing';
    // Before the opener is said: who reads along can still hold it back.
    if (issue) reader.issue(issue.code, issue.message);
    // Openers without end must not make reading take forever: beyond the bound the rest is plain.
    const rest = reader.text.length - reader.at;
    const behind = this.#openerAt - reader.position + 1;
    reader.say(reader.mayGoBack || !reader.ended ? Math.min(rest, behind) : rest);
    return reader.plain;
  }

  /** Goes back to the opener, to read what it opened a second time, for good. */
  restart(asText = false): void {
    const { reader } = this;
    this.undo();
    reader.beginSource();
    const ahead = this.#openerAt - reader.position;
    if (asText || reader.inFenceLine) reader.say(ahead);
    else reader.markup(ahead);
  }
}
