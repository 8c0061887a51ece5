// The size of a body that holds calls. APIs write the arguments of a call as a string whose text is JSON, and that text
// becomes values, too: `"arguments": "{\"a\": [[], [], []]}"`.

import { JsonSize } from './json-size.js';

const utf8 = new TextEncoder();

/** The members of all APIs, and of our own calls, whose strings are read as JSON, as bytes. */
const names = ['arguments', 'input', 'raw'].map((name) => utf8.encode(name));

const firstBytes = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === 0x5c || names.some(([first]) => first === byte) ? 1 : 0,
);

/** The most bytes of a name: each character may be written as an escape of six. */
const LONGEST = 6 * 9;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const LINE_FEED = 0x0a;
const OPEN_BRACE = 0x7b;
const COLON = 0x3a;
const ZERO = 0x30;

/** Counts the elements in the arguments of calls, too, as if they were written as objects. */
export class CallSize extends JsonSize {
  /** How many of the elements are in strings. */
  inStrings = 0;
  /**
   * Bytes of arguments that are no JSON object. To repair these takes many times as long as to read JSON, and a quote in
   * the wrong place hides their elements from the count.
   */
  brokenBytes = 0;
  /** Bytes of the arguments so far, as long as they may be JSON. */
  #uncounted = 0;
  /** `elements` at the end of the last string, if that was one of the names. A comma or bracket after it changes it. */
  protected nameAt = -1;
  #isCounted = false;
  /** The bytes of the string, as long as it may be a name. */
  readonly #start = new Uint8Array(LONGEST);
  #length = 0;
  readonly #inner = new EscapedSize();

  /** What is at the first level is no call: there, `input` is a prompt. */
  get #isArguments(): boolean {
    return this.nameAt === this.elements && this.depth > 1;
  }

  protected override wholeString(bytes: Uint8Array, start: number, end: number): void {
    const isArguments = this.#isArguments;
    this.nameAt = -1;
    if (isArguments) {
      this.#beginInner();
      this.#addInner(bytes, start, end);
      // Most strings are none of the names by their first byte: there are tens of thousands in a body.
    } else if (firstBytes[bytes[start] as number] === 1 && isName(bytes, start, end))
      this.nameAt = this.elements;
  }

  protected override stringBegins(): void {
    this.#isCounted = this.#isArguments;
    this.nameAt = -1;
    this.#length = 0;
    if (this.#isCounted) this.#beginInner();
  }

  protected override stringBytes(bytes: Uint8Array, start: number, end: number, ends: boolean): void {
    if (this.#isCounted) {
      this.#addInner(bytes, start, end);
      return;
    }
    const length = this.#length + end - start;
    if (length <= LONGEST)
      for (let at = start; at < end; at++) this.#start[this.#length + at - start] = bytes[at] as number;
    this.#length = length;
    if (ends && length <= LONGEST && isName(this.#start, 0, length)) this.nameAt = this.elements;
  }

  #beginInner(): void {
    this.#inner.begin();
    this.#uncounted = 0;
  }

  #addInner(bytes: Uint8Array, start: number, end: number): void {
    const more = this.#inner.add(bytes, start, end);
    this.#uncounted += end - start;
    if (this.#inner.isBroken) {
      this.brokenBytes += this.#uncounted;
      this.#uncounted = 0;
    }
    this.inStrings += more;
    this.elements += more;
  }
}

/** Nothing is made for it: a body may hold a hundred thousand short strings that begin with an escape. */
function isName(bytes: Uint8Array, start: number, end: number): boolean {
  for (const name of names) if (spells(name, bytes, start, end)) return true;
  return false;
}

function spells(name: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  for (let place = 0; place < name.length; place++) {
    const isEscape = bytes[at] === BACKSLASH;
    if ((isEscape ? escapedLetter(bytes, at) : bytes[at]) !== name[place]) return false;
    at += isEscape ? 6 : 1;
  }
  return at === end;
}

/** Only an escape with four digits stands for a letter, of which the first two are zeros. Gives -1 for any other. */
function escapedLetter(bytes: Uint8Array, at: number): number {
  if (bytes[at + 1] !== 0x75 || bytes[at + 2] !== ZERO || bytes[at + 3] !== ZERO) return -1;
  return 16 * digit(bytes[at + 4]) + digit(bytes[at + 5]);
}

/** The value of a hexadecimal digit. Nothing but a digit makes a letter. */
function digit(byte = 0): number {
  if (byte >= ZERO && byte <= 0x39) return byte - ZERO;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN;
}

/** Bytes that are looked at one by one before the rest is searched: a search has its price. */
const NEAR = 16;

/** What JSON has outside of strings: white space, and characters of numbers, words and structure. */
const outside = Uint8Array.from({ length: 128 }, (_, code) =>
  ' \t\n\r{}[],:+-.0123456789Eaeflnrstu'.includes(String.fromCharCode(code)) ? 1 : 0,
);

/** Counts the elements of a JSON text that is written inside of a string, so with its quotes escaped. */
class EscapedSize {
  /** Whether the text is no JSON object: it has what JSON has not, two strings side by side, or a colon behind no string. */
  isBroken = false;
  /** The last character outside of strings that is no white space; a quote after a string. */
  #last = 0;
  /** 0 outside of an escape, 1 behind its backslash, 2 to 5 in the digits of a character's number. */
  #escape = 0;
  #number = 0;
  #inString = false;
  #isEscaped = false;
  /** The backslash that was found last, and in which bytes: a search may go beyond the end of its string. */
  #found = -1;
  #searched: Uint8Array | undefined;

  begin(): void {
    this.#escape = 0;
    this.#inString = false;
    this.#isEscaped = false;
    this.#last = 0;
    this.isBroken = false;
  }

  add(bytes: Uint8Array, start: number, end: number): number {
    let elements = 0;
    for (let at = start; at < end; at++) {
      const byte = bytes[at] as number;
      if (this.#escape === 0) {
        if (byte === BACKSLASH) this.#escape = 1;
        // In a string, only an escape can be a quote or a backslash.
        else if (this.#inString && !this.#isEscaped) at = this.#backslash(bytes, at, end) - 1;
        else elements += this.#take(byte);
        continue;
      }
      const character = this.#unescape(byte);
      if (character !== undefined) elements += this.#take(character);
    }
    return elements;
  }

  /** Gives the place of the next backslash before `end`, or `end`. */
  #backslash(bytes: Uint8Array, start: number, end: number): number {
    const near = Math.min(start + NEAR, end);
    for (let at = start; at < near; at++) if (bytes[at] === BACKSLASH) return at;
    if (near === end) return end;
    if (this.#searched !== bytes || this.#found < near) {
      const found = bytes.indexOf(BACKSLASH, near);
      this.#found = found < 0 ? bytes.length : found;
      this.#searched = bytes;
    }
    return Math.min(this.#found, end);
  }

  /** Takes the next byte of an escape. Gives the character at its end. */
  #unescape(byte: number): number | undefined {
    if (this.#escape > 1) {
      this.#number = this.#number * 16 + (Number.parseInt(String.fromCharCode(byte), 16) || 0);
      this.#escape = this.#escape === 5 ? 0 : this.#escape + 1;
      return this.#escape === 0 ? this.#number : undefined;
    }
    if (byte === 0x75) {
      this.#escape = 2;
      this.#number = 0;
      return undefined;
    }
    this.#escape = 0;
    if (byte === QUOTE || byte === BACKSLASH) return byte;
    // Of `\n`, `\t` and their kin one stands for all; `\/` is a slash, which JSON has in strings only.
    return byte === 0x2f ? byte : LINE_FEED;
  }

  /** Gives how many elements begin with the character. */
  #take(character: number): number {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (character === QUOTE) {
      if (!this.#inString) this.#note(QUOTE, this.#last !== 0 && this.#last !== QUOTE);
      this.#inString = !this.#inString;
    } else if (this.#inString) {
      this.#isEscaped = character === BACKSLASH;
      if (character < SPACE) this.isBroken = true;
    } else return this.#structure(character);
    return 0;
  }

  #structure(character: number): number {
    if (character <= SPACE) return 0;
    const fits = character === COLON ? this.#last === QUOTE : this.#last !== 0 || character === OPEN_BRACE;
    this.#note(character, fits && outside[character] === 1);
    // A comma, or what opens a list or an object.
    return character === 0x2c || character === 0x5b || character === OPEN_BRACE ? 1 : 0;
  }

  #note(character: number, isJson: boolean): void {
    if (!isJson) this.isBroken = true;
    this.#last = character;
  }
}
