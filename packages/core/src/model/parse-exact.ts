// Parses strict JSON without losing digits, key order or keys. For JSON that programs write; text/ has the lenient
// reader for what models write.

import { ExactNumber, type ExactValue, exactEntries, isForgetful, isObject, MAX_JSON_DEPTH } from './json.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
const HEX = /^[0-9a-fA-F]{4}$/;

// Every prefix matches in one way only, so the expression cannot backtrack.
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

/**
 * Reads strict JSON and keeps digits, key order and every key. Of a duplicate key the last value counts, at
 * the place of the first. Throws a SyntaxError that gives line and column.
 */
export function parseExact(text: string): ExactValue {
  return new Reader(text).document();
}

/** Gives undefined where the text is no JSON. */
export function tryParseExact(text: string): ExactValue | undefined {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

/** Gives the members of an object that is JSON text (the arguments of a call): in order, exact. */
export function readMembers(raw: string): { key: string; value: ExactValue }[] {
  const value = parseExact(raw);
  if (!isObject(value) || value instanceof ExactNumber) {
    throw new SyntaxError('line 1, column 1: expected a JSON object');
  }
  return exactEntries(value).map(([key, member]) => ({ key, value: member }));
}

class Reader {
  #at = 0;
  #depth = 0;

  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  document(): ExactValue {
    const value = this.#value();
    if (this.#at < this.#text.length) this.#fail('expected the end of the text');
    return value;
  }

  /** Reads a value and the white space on both sides of it. */
  #value(): ExactValue {
    this.#space();
    const value = this.#bareValue();
    this.#space();
    return value;
  }

  #bareValue(): ExactValue {
    switch (this.#text[this.#at]) {
      case '{':
        return this.#nested(() => this.#object());
      case '[':
        return this.#nested(() => this.#array());
      case '"':
        return this.#string();
      case 't':
        return this.#word('true', true);
      case 'f':
        return this.#word('false', false);
      case 'n':
        return this.#word('null', null);
      default:
        return this.#number();
    }
  }

  #nested(read: () => ExactValue): ExactValue {
    if (++this.#depth > MAX_JSON_DEPTH) this.#fail(`nested deeper than ${MAX_JSON_DEPTH} levels`);
    this.#at++;
    const value = read();
    this.#depth--;
    return value;
  }

  #object(): ExactValue {
    const plain: { [key: string]: ExactValue } = {};
    // Most objects need no Map: it is made at the first key that a plain object would reorder or lose.
    let map: Map<string, ExactValue> | undefined;
    this.#space();
    if (this.#take('}')) return plain;
    do {
      this.#space();
      const key = this.#key();
      if (map === undefined && isForgetful(key)) map = new Map(Object.entries(plain));
      const value = this.#value();
      if (map === undefined) plain[key] = value;
      else map.set(key, value);
    } while (this.#take(','));
    if (!this.#take('}')) this.#fail("expected ',' or '}'");
    return map ?? plain;
  }

  #key(): string {
    if (this.#text[this.#at] !== '"') this.#fail('expected a key in double quotes');
    const key = this.#string();
    this.#space();
    if (!this.#take(':')) this.#fail("expected ':'");
    return key;
  }

  #array(): ExactValue {
    const list: ExactValue[] = [];
    this.#space();
    if (this.#take(']')) return list;
    do list.push(this.#value());
    while (this.#take(','));
    if (!this.#take(']')) this.#fail("expected ',' or ']'");
    return list;
  }

  #string(): string {
    const start = this.#at;
    let escapes = false;
    for (let at = start + 1; at < this.#text.length; at++) {
      const code = this.#text.charCodeAt(at);
      if (code === QUOTE) {
        this.#at = at + 1;
        return escapes ? JSON.parse(this.#text.slice(start, at + 1)) : this.#text.slice(start + 1, at);
      }
      if (code < 0x20) this.#fail('expected control characters to be escaped', at);
      if (code === BACKSLASH) {
        escapes = true;
        at = this.#escape(at);
      }
    }
    return this.#fail('this string is not closed', start);
  }

  /** Checks the escape at a backslash and gives the place of its last character. */
  #escape(at: number): number {
    if (this.#text.charCodeAt(at + 1) !== LOWER_U) {
      if (!'"\\/bfnrt'.includes(this.#text[at + 1] ?? '?'))
        this.#fail('expected an escape that JSON knows', at);
      return at + 1;
    }
    if (!HEX.test(this.#text.slice(at + 2, at + 6)))
      this.#fail("expected four hexadecimal digits after '\\u'", at);
    return at + 5;
  }

  #number(): number | ExactNumber {
    number.lastIndex = this.#at;
    const text = number.exec(this.#text)?.[0];
    if (text === undefined) return this.#fail('expected a value');
    this.#at += text.length;
    const value = Number(text);
    return String(value) === text ? value : new ExactNumber(text);
  }

  #word<T extends boolean | null>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) this.#fail('expected a value');
    this.#at += word.length;
    return value;
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #space(): void {
    for (; this.#at < this.#text.length; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    }
  }

  #fail(message: string, at = this.#at): never {
    const before = this.#text.slice(0, at);
    const line = before.split('\n').length;
    const column = at - before.lastIndexOf('\n');
    const found = at < this.#text.length ? JSON.stringify(this.#text[at]) : 'the end of the text';
    throw new SyntaxError(`line ${line}, column ${column}: ${message}, found ${found}`);
  }
}
