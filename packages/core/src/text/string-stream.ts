// Streams one string of a call expression as JSON text.
//
//     'it\'s'                 python: quotes, escapes, three quotes for several lines
//     <|"|>it's<|"|>          own quotes: nothing is escaped; a marker inside was broken with a backslash
//
// Emitted text is final: half an escape, half a surrogate pair or a possible closing quote waits for more text.

import type { RepairCode } from '../model/issues.js';
import { isHighSurrogate, matchLiteral, NO, NOT_YET, nextOf } from './characters.js';
import { escapeText, isHex } from './json-tokens.js';
import { readPythonLiteral } from './python-literal.js';
import { simpleEscapes } from './python-string.js';
import { CODE, YES } from './quote-ahead.js';

export interface StringRules {
  quote: string;
  kind: 'escaped' | 'raw' | 'plain';
  /** First characters of markers, in a plain string. */
  firsts?: string;
  /** What `specialOf` gives, for a plain string. */
  special?: Uint8Array | undefined;
  /** Matches the rest of a marker at `tail`, after the backslash that broke it. */
  brokenTail?: (first: string, text: string, tail: number, ended: boolean) => number;
  /** Matches the dialect's closing marker. A string that contains it was never closed, and ends before its brackets. */
  closer?: (text: string, at: number, ended: boolean) => number;
  /** Matches the next argument, in a plain string that holds one because its own closing quote is missing. */
  nextArgument?: ((text: string, at: number, ended: boolean) => number) | undefined;
  /** Whether a quote before `at` ends the string: YES, NO, CODE or NOT_YET. */
  ends: (text: string, at: number, ended: boolean, doubtful: boolean) => number;
}

export interface StringSink {
  emit(json: string): void;
  repair(code: RepairCode, at: number): void;
}

export type StringState = 'open' | 'closed' | 'unclosed' | 'code';

const BACKSLASH = 0x5c;
const BRACKETS = '}] \t\r\n';
const BRACKETS_LIMIT = 64;

/** The character after a backslash, and the JSON of such an escape. */
const SIMPLE = new Map([...simpleEscapes].map(([char, text]) => [char, JSON.stringify(text).slice(1, -1)]));

export class StringStream {
  state: StringState = 'open';
  readonly #rules: StringRules;
  readonly #sink: StringSink;
  readonly #stops: string;
  /** Characters at the end of a plain string that wait. */
  readonly #waiting: string;
  #doubtful = false;
  #broke = false;
  /** The first character of what may be a marker broken with a backslash, while its backslashes are read. */
  #first = '';

  constructor(rules: StringRules, sink: StringSink) {
    this.#rules = rules;
    this.#sink = sink;
    const plain = rules.kind === 'plain';
    const others = plain ? (rules.firsts ?? '') + (rules.nextArgument ? ',' : '') : '\\';
    this.#stops = [...new Set(rules.quote.charAt(0) + others)].join('');
    this.#waiting = plain && rules.closer ? BRACKETS + rules.quote : '';
  }

  /** Reads on from `at`, after the opening quote, and returns the position it reached, or NOT_YET. */
  step(text: string, at: number, ended: boolean): number {
    if (this.#first !== '') return this.#inBreak(text, at, ended);
    const { kind, quote, special } = this.#rules;
    let same = at;
    if (kind === 'escaped') same = sameInJson(text, at, quote);
    else if (special) same = this.#samePlain(text, at, special);
    if (same > at) {
      this.#sink.emit(text.slice(at, same));
      return same;
    }
    const stop = this.#nextStop(text, at, ended);
    if (stop > at) return this.#plain(text, at, stop, ended);
    if (at >= text.length) return NOT_YET;
    if (text.charAt(at) === '\\' && kind !== 'plain') return this.#escape(text, at, ended);
    return this.#quote(text, at, ended);
  }

  /** Gives the end of the plain text that JSON writes in the same way, before a stop and what waits. */
  #samePlain(text: string, from: number, special: Uint8Array): number {
    let same = from;
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (isSurrogate(code)) break;
      if (special[code & PLACES] !== 0) {
        const char = text.charAt(at);
        if (code < 0x20 || code === 0x22 || code === BACKSLASH || this.#stops.includes(char)) break;
        if (this.#waiting.includes(char)) continue;
      }
      same = at + 1;
    }
    return same;
  }

  /** Gives the end of the text that stands for itself. */
  #nextStop(text: string, from: number, ended: boolean): number {
    let at = nextOf(text, this.#stops, from);
    if (this.#rules.kind === 'plain')
      while (at < text.length && this.#isNoMarker(text, at, ended)) at = nextOf(text, this.#stops, at + 1);
    return at;
  }

  /** Whether the first character of a marker is an ordinary character here. */
  #isNoMarker(text: string, at: number, ended: boolean): boolean {
    if (text.charAt(at) === ',') return this.#endsAt(text, at, ended) === NO;
    if (at + 1 >= text.length || text.charCodeAt(at + 1) === BACKSLASH) return false;
    const { quote, closer } = this.#rules;
    return matchLiteral(text, at, quote, ended) === NO && (closer?.(text, at, ended) ?? NO) === NO;
  }

  /** Whether something at `at` shows that a plain string was never closed: the closing marker, or the next argument. */
  #endsAt(text: string, at: number, ended: boolean): number {
    const { closer, nextArgument } = this.#rules;
    return (text.charAt(at) === ',' ? nextArgument : closer)?.(text, at, ended) ?? NO;
  }

  #plain(text: string, at: number, stop: number, ended: boolean): number {
    let end = this.#beforeBrackets(text, at, stop);
    if (end === at) {
      const closed = stop < text.length ? this.#endsAt(text, stop, ended) : ended ? NO : NOT_YET;
      if (closed === NOT_YET) return NOT_YET;
      if (closed > 0) this.state = 'unclosed';
      if (closed > 0) return at;
      end = stop;
    }
    const last = text.charCodeAt(end - 1);
    // A high surrogate or a `\r` may be completed by the next chunk.
    if (end === text.length && !ended && (isHighSurrogate(last) || last === 0x0d)) end--;
    if (end === at) return NOT_YET;
    this.#say(text.slice(at, end), at);
    return end;
  }

  /**
   * Closing brackets at the end of a plain string wait: before the closing marker they are those of the call. So does
   * what may be a misspelt quote before them.
   */
  #beforeBrackets(text: string, at: number, stop: number): number {
    const least = Math.max(at, stop - BRACKETS_LIMIT);
    let end = stop;
    while (end > least && this.#waiting.includes(text.charAt(end - 1))) end--;
    return end;
  }

  #say(piece: string, at: number): void {
    const { kind, quote } = this.#rules;
    let said = piece;
    if (kind !== 'plain') {
      if (quote.length === 3) said = piece.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
      else if (!this.#broke && /[\n\r]/.test(piece)) {
        this.#broke = true;
        this.#sink.repair('control-character', at + piece.search(/[\n\r]/));
      }
    }
    this.#sink.emit(escapeText(said));
  }

  // ---------------------------------------------------------------- quotes

  #quote(text: string, at: number, ended: boolean): number {
    const { quote, kind } = this.#rules;
    if (text.charAt(at) === ',') return this.#endBefore(text, at, ended);
    const found = matchLiteral(text, at, quote, ended);
    if (found === NOT_YET) return NOT_YET;
    if (found > 0) return this.#end(text, at, ended);
    if (kind !== 'plain') {
      this.#say(text.charAt(at), at);
      return at + 1;
    }
    return this.#marker(text, at, ended);
  }

  /** <|"|>a | ,b:<|"|>  — the next argument begins, so the closing quote is missing. */
  #endBefore(text: string, at: number, ended: boolean): number {
    if (this.#endsAt(text, at, ended) === NOT_YET) return NOT_YET;
    this.state = 'unclosed';
    return at;
  }

  #end(text: string, at: number, ended: boolean): number {
    const { quote, ends } = this.#rules;
    const end = at + quote.length;
    const verdict = quote.length === 3 ? YES : ends(text, end, ended, this.#doubtful);
    if (verdict === NOT_YET) return NOT_YET;
    if (verdict === YES || verdict === CODE) {
      this.state = verdict === YES ? 'closed' : 'code';
      return end;
    }
    this.#doubtful = true;
    this.#sink.repair('unescaped-quote', at);
    this.#say(quote, at);
    return end;
  }

  // ---------------------------------------------------------------- markers in a plain string

  #marker(text: string, at: number, ended: boolean): number {
    const closer = this.#rules.closer?.(text, at, ended) ?? 0;
    if (closer === NOT_YET || (at + 1 >= text.length && !ended)) return NOT_YET;
    if (closer > 0) {
      this.state = 'unclosed';
      return at;
    }
    this.#say(text.charAt(at), at);
    if (text.charAt(at + 1) === '\\') this.#first = text.charAt(at);
    return at + 1;
  }

  /** Reads the backslashes after a marker's first character. The last one is dropped if the marker's rest follows. */
  #inBreak(text: string, at: number, ended: boolean): number {
    const next = text.charAt(at + 1);
    if (text.charAt(at) !== '\\') {
      this.#first = '';
      return at;
    }
    if (next === '' && !ended) return NOT_YET;
    const tail = next === '\\' ? 0 : (this.#rules.brokenTail?.(this.#first, text, at + 1, ended) ?? 0);
    if (tail === NOT_YET) return NOT_YET;
    if (next !== '\\') this.#first = '';
    if (tail === 0) this.#say('\\', at);
    return at + 1;
  }

  // ---------------------------------------------------------------- escapes

  #escape(text: string, at: number, ended: boolean): number {
    const simple = this.#rules.kind === 'escaped' ? SIMPLE.get(text.charAt(at + 1)) : undefined;
    if (simple !== undefined) {
      this.#sink.emit(simple);
      return at + 2;
    }
    const length = escapeLength(text, at, ended);
    if (length === NOT_YET) return NOT_YET;
    const source = text.slice(at, at + length);
    if (this.#rules.kind === 'raw') {
      this.#say(source, at);
      return at + length;
    }
    const literal = length < 2 ? undefined : readPythonLiteral(`"${source}"`);
    if (literal?.ok) this.#sink.emit(literal.json.slice(1, -1));
    else {
      // An invalid escape is meant literally: `C:\users`.
      this.#sink.repair('bad-escape', at);
      this.#say(source, at);
    }
    return at + length;
  }
}

/** The bits of a code that count in the table of `specialOf`. */
const PLACES = 0x7f;

/**
 * Makes a table of the characters that may mean something in a plain string, or that JSON escapes. Several characters
 * share a place, so only a 0 is certain.
 */
export function specialOf(quote: string, firsts: string): Uint8Array {
  const special = new Uint8Array(PLACES + 1).fill(1, 0, 0x20);
  for (const char of `${BRACKETS}${quote}${firsts},"\\`.split('')) special[char.charCodeAt(0) & PLACES] = 1;
  return special;
}

/** The characters whose escapes mean the same in JSON. */
const JSON_ESCAPES = '"\\nrtbf';

/** Gives the end of the text that JSON writes in the same way: plain characters, and escapes that both have. */
function sameInJson(text: string, from: number, quote: string): number {
  const end = quote.charCodeAt(0);
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) {
      if (at + 1 >= text.length || !JSON_ESCAPES.includes(text.charAt(at + 1))) break;
      at += 2;
    } else if (code < 0x20 || code === 0x22 || code === end || isSurrogate(code)) break;
    else at++;
  }
  return at;
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

const HEX_DIGITS = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

/** Gives the length of the escape at `at`. A malformed hex escape counts as its backslash and letter only. */
function escapeLength(text: string, at: number, ended: boolean): number {
  const char = text.charAt(at + 1);
  if (char === '') return ended ? 1 : NOT_YET;
  const digits = HEX_DIGITS.get(char);
  if (digits !== undefined) {
    const found = countDigits(text, at + 2, digits, (code) => isHex(code));
    if (found === digits) return 2 + digits;
    return at + 2 + found >= text.length && !ended ? NOT_YET : 2;
  }
  if (char >= '0' && char <= '7') {
    const found = countDigits(text, at + 1, 3, (code) => code >= 48 && code <= 55);
    return found < 3 && at + 1 + found >= text.length && !ended ? NOT_YET : 1 + found;
  }
  if (char !== '\r') return 2;
  if (at + 2 >= text.length) return ended ? 2 : NOT_YET;
  return text.charAt(at + 2) === '\n' ? 3 : 2;
}

function countDigits(text: string, from: number, most: number, isDigit: (code: number) => boolean): number {
  let count = 0;
  while (count < most && from + count < text.length && isDigit(text.charCodeAt(from + count))) count++;
  return count;
}
