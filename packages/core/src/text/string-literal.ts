// Shared by the readers of JavaScript and Python strings: the loop up to the closing quote, and numeric escapes.

import type { LiteralScanner } from './literal-scanner.js';

/** The message for a string that has no closing quote. */
export const NEVER_CLOSED = 'the string that opens here is never closed';

interface StringRules {
  /** The delimiter on both sides. */
  quote: string;
  /** The code units with a special meaning, among them the first of the quote. */
  stops: string;
  /** Reads at least one code unit at a stop that is not the closing quote. The string began at `start`. */
  readSpecial: (scanner: LiteralScanner, start: number) => string | undefined;
}

/** Reads a string from its opening quote to just after the closing one. */
export function readDelimited(scanner: LiteralScanner, rules: StringRules): string | undefined {
  const start = scanner.at;
  let text = '';
  scanner.at += rules.quote.length;
  while (!scanner.take(rules.quote)) {
    if (scanner.ended) {
      return scanner.fail('unreadable-call', NEVER_CLOSED, start);
    }
    const piece = scanner.isOneOf(rules.stops)
      ? rules.readSpecial(scanner, start)
      : scanner.readUntil(rules.stops);
    if (piece === undefined) return undefined;
    text += piece;
  }
  return text;
}

/** Reads a line break inside single-line quotes, which both languages forbid. It is kept, and listed once a string. */
export function readRawLineBreak(scanner: LiteralScanner, start: number): string {
  const last = scanner.repairs.at(-1);
  const isListed = last?.code === 'control-character' && last.at > start;
  if (!isListed) scanner.repair('control-character');
  return scanner.next();
}

/** Reads a code point of exactly `count` hex digits. `start` is where its escape began. */
export function readHex(scanner: LiteralScanner, count: number, start: number): string | undefined {
  const digits = scanner.source.slice(scanner.at, scanner.at + count);
  if (digits.length < count || !isHex(digits)) {
    return scanner.fail('unreadable-call', `this escape needs ${count} hex digits`, start);
  }
  scanner.at += count;
  return toCharacter(scanner, digits, start);
}

/** Reads a code point such as `{1F600}`, from the opening brace. */
export function readBracedHex(scanner: LiteralScanner, start: number): string | undefined {
  const end = scanner.source.indexOf('}', scanner.at);
  const digits = scanner.source.slice(scanner.at + 1, end);
  if (end < 0 || !isHex(digits)) {
    return scanner.fail('unreadable-call', 'this escape needs hex digits between { and }', start);
  }
  scanner.at = end + 1;
  return toCharacter(scanner, digits, start);
}

function isHex(digits: string): boolean {
  return /^[0-9a-fA-F]+$/.test(digits);
}

function toCharacter(scanner: LiteralScanner, hex: string, start: number): string | undefined {
  const point = Number.parseInt(hex, 16);
  if (point <= 0x10ffff) return String.fromCodePoint(point);
  return scanner.fail('unreadable-call', 'this escape names no character: 10FFFF is the last', start);
}

/** Reads up to `maxDigits` octal digits as a number. */
export function readOctal(scanner: LiteralScanner, maxDigits: number): number {
  let value = 0;
  for (let count = 0; count < maxDigits && scanner.isOneOf('01234567'); count += 1) {
    value = value * 8 + Number(scanner.next());
  }
  return value;
}
