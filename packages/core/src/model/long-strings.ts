// Reads the long strings of JSON text while it arrives. JSON.parse takes a text as a whole, and one of megabytes would
// keep everything else waiting. So of a string that is long only the beginning stays in the text, with a mark behind it;
// the rest is decoded piece by piece and put back into the parsed value.
//
//   {"content":"a line \n …            {"content":"a line \n …<mark>"}     what is parsed
//               … megabytes …"}   ──>   … megabytes …                       what is put back
//
// Works for a body as for a stream of events: a line break ends every string, since JSON has none in strings.

/** Characters of a string that stay in the text, and one piece more. */
const LONG = 64 * 1024;

/** The same when it was decoded: an escape has up to six characters. */
const LONG_TEXT = LONG / 6;

/**
 * Characters that are looked at in one go. At most one string ends in them that was taken out: the one that was open at
 * their start.
 */
export const PIECE = 64 * 1024;

/** No escape of JSON: text with it is none. */
const BROKEN = '\\x';

export class LongStrings {
  /** Characters of all strings that were taken out and not put back. */
  length = 0;
  /** The strings by their marks; undefined once they are put back. */
  readonly #taken = new Map<string, string | undefined>();
  #marks = 0;
  /** The start of an escape at the end of the last piece. */
  #held = '';
  #inString = false;
  /** Characters of the open string so far. */
  #passed = 0;
  /** What was taken of the open string; undefined while it is not long. */
  #aside: string | undefined;
  #isBroken = false;

  /** Gives the next piece of the text without what is taken out. */
  take(piece: string): string {
    if (piece.length <= PIECE) return this.#takePiece(piece);
    let rest = '';
    for (let at = 0; at < piece.length; at += PIECE) rest += this.#takePiece(piece.slice(at, at + PIECE));
    return rest;
  }

  /** Whether nothing is to be put back. */
  get isEmpty(): boolean {
    return this.#taken.size === 0;
  }

  /**
   * Puts the strings back into a value that was parsed of the text, and forgets them. Throws a SyntaxError if the text
   * itself has one of the marks.
   */
  restore(value: unknown): unknown {
    const whole = this.#restored(value);
    this.#taken.clear();
    this.length = 0;
    return whole;
  }

  #takePiece(piece: string): string {
    const text = this.#held + piece;
    this.#held = '';
    if (this.#aside === undefined) return this.#pass(text);
    const end = firstOf(text, closingQuote(text, 0), '\n', '\r');
    if (end === text.length) {
      this.#addAside(this.#holdEscape(text));
      return '';
    }
    this.#addAside(text.slice(0, end));
    const mark = this.#endAside();
    const isWhole = text.charAt(end) === '"';
    this.#inString = false;
    return isWhole
      ? `${mark}"${this.#pass(text.slice(end + 1))}`
      : mark + BROKEN + this.#pass(text.slice(end));
  }

  /** Gives the text, but for the start of an escape at its end. A string that is long by now is taken from here on. */
  #pass(text: string): string {
    let at = lastLine(text);
    if (at > 0) this.#inString = false;
    while (at < text.length) {
      const start = at;
      if (this.#inString) {
        const quote = closingQuote(text, at);
        this.#passed += quote - start;
        at = quote + 1;
        this.#inString = quote === text.length;
        continue;
      }
      const quote = text.indexOf('"', at);
      if (quote < 0) break;
      this.#inString = true;
      this.#passed = 0;
      at = quote + 1;
    }
    if (!this.#inString) return text;
    const passed = this.#holdEscape(text);
    this.#passed -= this.#held.length;
    if (this.#passed > LONG) this.#aside = '';
    return passed;
  }

  #addAside(written: string): void {
    try {
      const text: string = JSON.parse(`"${written}"`);
      this.#aside += text;
      this.length += text.length;
    } catch {
      this.#isBroken = true;
    }
  }

  /** Gives the mark as JSON, with what makes the text broken if the string is. */
  #endAside(): string {
    const number = this.#marks++;
    this.#taken.set(markOf(number), this.#aside ?? '');
    this.#aside = undefined;
    const broken = this.#isBroken ? BROKEN : '';
    this.#isBroken = false;
    return JSON.stringify(markOf(number)).slice(1, -1) + broken;
  }

  #holdEscape(text: string): string {
    const at = text.lastIndexOf('\\');
    if (at < 0 || text.length - at > 5 || isEscaped(text, at)) return text;
    if (at < text.length - 1 && text.charAt(at + 1) !== 'u') return text;
    this.#held = text.slice(at);
    return text.slice(0, at);
  }

  #restored(value: unknown): unknown {
    if (typeof value === 'string') return value.length > LONG_TEXT ? this.#whole(value) : value;
    if (typeof value !== 'object' || value === null) return value;
    const members = value as Record<string, unknown>;
    for (const key of Object.keys(members)) {
      const name = key.length > LONG_TEXT ? this.#whole(key) : key;
      const member = this.#restored(members[key]);
      if (name !== key) delete members[key];
      if (name !== key || member !== members[key]) members[name] = member;
    }
    return value;
  }

  #whole(start: string): string {
    const at = start.lastIndexOf(MARK);
    const mark = at < 0 ? '' : start.slice(at);
    if (!this.#taken.has(mark)) return start;
    const rest = this.#taken.get(mark);
    if (rest === undefined) throw new SyntaxError('a mark is in the text twice');
    this.#taken.set(mark, undefined);
    return start.slice(0, at) + rest;
  }
}

const MARK = '\u0000';
const markOf = (number: number) => `${MARK}${number}`;

/** Gives the place behind the last line break. */
function lastLine(text: string): number {
  const line = text.lastIndexOf('\n') + 1;
  return text.indexOf('\r', line) < 0 ? line : text.lastIndexOf('\r') + 1;
}

/** Gives the place of the quote that ends a string; the length if there is none. */
function closingQuote(text: string, start: number): number {
  let quote = text.indexOf('"', start);
  while (quote >= 0 && isEscaped(text, quote, start)) quote = text.indexOf('"', quote + 1);
  return quote < 0 ? text.length : quote;
}

/** Whether an odd number of backslashes is before this place. What is before `start` does not count. */
function isEscaped(text: string, at: number, start = 0): boolean {
  let first = at;
  while (first > start && text.charCodeAt(first - 1) === 0x5c) first--;
  return (at - first) % 2 === 1;
}

/** Gives the first place of one of these, where it is before `end`. */
function firstOf(text: string, end: number, ...marks: string[]): number {
  let first = end;
  for (const mark of marks) {
    const at = text.indexOf(mark);
    if (at >= 0 && at < first) first = at;
  }
  return first;
}
