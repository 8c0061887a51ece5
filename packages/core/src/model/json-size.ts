// The size of a JSON text as JavaScript values: its elements and its levels, counted piece by piece before anything is
// built. A few bytes of text become objects of many: `{},` is three bytes, and more than fifty in memory.

/** The most characters of an answer that are held in memory: of a whole one, of one event, of what waits for the end. */
export const LONGEST_ANSWER = 32 * 1024 * 1024;

/** The most characters of a whole answer or of one event without what its long strings hold: they are parsed at once. */
export const LONGEST_FRAME = 2 * 1024 * 1024;

/** What a byte means outside of strings. Those of characters beyond ASCII mean nothing. */
const OTHER = 0;
const QUOTE = 1;
const COMMA = 2;
const OPENER = 3;
const CLOSER = 4;

const meanings = Uint8Array.from({ length: 256 }, (_, byte) => meaningOf(String.fromCharCode(byte)));

function meaningOf(character: string): number {
  if (character === '"') return QUOTE;
  if (character === ',') return COMMA;
  if (character === '[' || character === '{') return OPENER;
  return character === ']' || character === '}' ? CLOSER : OTHER;
}

/** Of text that is no JSON it counts brackets and commas, too. */
export class JsonSize {
  /** Items of lists and members of objects, at most one too many for each empty list and object. */
  elements = 0;
  /** The most levels of lists and objects. */
  levels = 0;
  /** The levels that are open now. */
  protected depth = 0;
  /** Whether the next byte is a part of a string, or ends it. */
  protected inString = false;
  /** The last piece ended in a string, behind a backslash that escapes what follows. */
  #escapes = false;

  /** Takes the next bytes of the text, in UTF-8. */
  add(bytes: Uint8Array): void {
    let at = this.inString ? this.#endOfString(bytes) : 0;
    for (; at < bytes.length; at++) {
      const meaning = meanings[bytes[at] as number];
      if (meaning === OTHER) continue;
      if (meaning === QUOTE) at = this.#string(bytes, at + 1);
      else this.#count(meaning);
    }
  }

  /** Called with a whole string, as it is written, for a class that looks into strings. */
  protected wholeString?(bytes: Uint8Array, start: number, end: number): void;
  /** Called at a string that comes in several pieces. */
  protected stringBegins?(): void;
  /** Called with the bytes of such a string, from `start` up to `end`; `ends`: there are no more. */
  protected stringBytes?(bytes: Uint8Array, start: number, end: number, ends: boolean): void;

  #count(meaning: number | undefined): void {
    if (meaning === CLOSER) this.depth--;
    else this.elements++;
    if (meaning === OPENER && ++this.depth > this.levels) this.levels = this.depth;
  }

  /** Gives the place of the quote that ends the string; the end of the bytes if the string goes on. */
  #string(bytes: Uint8Array, start: number): number {
    const at = closingQuote(bytes, start);
    if (at < bytes.length) {
      this.wholeString?.(bytes, start, at);
      return at;
    }
    this.stringBegins?.();
    return this.#stringPiece(bytes, start, at);
  }

  /** Gives the place after the quote that ends a string that began before; the end of the bytes if it goes on. */
  #endOfString(bytes: Uint8Array): number {
    return this.#stringPiece(bytes, 0, closingQuote(bytes, this.#escapes ? 1 : 0));
  }

  #stringPiece(bytes: Uint8Array, start: number, at: number): number {
    const { length } = bytes;
    this.inString = at >= length;
    this.#escapes = at > length;
    this.stringBytes?.(bytes, start, Math.min(at, length), !this.inString);
    return Math.min(at + 1, length);
  }
}

const BACKSLASH = 0x5c;
const QUOTE_BYTE = 0x22;

/** Bytes that are looked at one by one before the rest is searched: most strings are shorter, and a search has its price. */
const NEAR = 16;

/**
 * Gives the place of the quote that ends a string; the length if there is none, and one more if the last byte is a
 * backslash that escapes what follows. Long strings are searched: that costs a fraction of looking at each byte.
 */
function closingQuote(bytes: Uint8Array, start: number): number {
  const { length } = bytes;
  let at = start;
  while (at < length) {
    for (const near = Math.min(at + NEAR, length); at < near; at++) {
      const byte = bytes[at];
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE_BYTE) return at;
    }
    if (at >= length) break;
    const found = bytes.indexOf(QUOTE_BYTE, at);
    const quote = found < 0 ? length : found;
    if (!isEscaped(bytes, quote, at)) return quote;
    at = quote + 1;
  }
  return at;
}

/** Whether an odd number of backslashes is before this place. What is before `start` does not count. */
function isEscaped(bytes: Uint8Array, at: number, start: number): boolean {
  let first = at;
  while (first > start && bytes[first - 1] === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}

/** How much a JSON text may hold. */
export interface JsonLimits {
  elements: number;
  levels: number;
}

export const MOST_JSON: JsonLimits = { elements: 100_000, levels: 600 };

const utf8 = new TextEncoder();

/** Characters that are counted at once. */
const PIECE = 64 * 1024;

/** Gives the limit that a text exceeds. `size` counts it: a JsonSize, or one that looks into strings. */
export function exceeded(
  text: string,
  limits: JsonLimits,
  size: JsonSize = new JsonSize(),
): keyof JsonLimits | undefined {
  // An element has at least one character, a level two.
  if (text.length <= Math.min(limits.elements, 2 * limits.levels)) return undefined;
  for (let at = 0; at < text.length && size.elements <= limits.elements; at += PIECE)
    size.add(utf8.encode(text.slice(at, at + PIECE)));
  return exceededBy(size, limits);
}

export function exceededBy(
  { elements, levels }: Readonly<JsonLimits>,
  limits: JsonLimits,
): keyof JsonLimits | undefined {
  if (levels > limits.levels) return 'levels';
  return elements > limits.elements ? 'elements' : undefined;
}
