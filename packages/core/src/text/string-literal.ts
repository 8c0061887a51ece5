// What strings of JavaScript and Python have in common: a loop up to the closer, and escapes with hex digits.

import type { LiteralScanner } from './literal-scanner.js';

interface StringRules {
  /** Stands on both sides. */
  quote: string;
  /** The code units that do not simply stand for themselves; among them the first of the quote. */
  stops: string;
  /** Reads what stands at a stop and is not the closer: at least one code unit. The string began at `start`. */
  readSpecial: (scanner: LiteralScanner, start: number) => string | undefined;
}

/** The text of a string, from its opening quote to just behind the closing one. */
export function readDelimited(scanner: LiteralScanner, rules: StringRules): string | undefined {
  const start = scanner.at;
  let text = '';
  scanner.at += rules.quote.length;
  while (!scanner.take(rules.quote)) {
    if (scanner.ended) {
      return scanner.fail('unreadable-call', 'the string that opens here is never closed', start);
    }
    const piece = scanner.isOneOf(rules.stops)
      ? rules.readSpecial(scanner, start)
      : scanner.readUntil(rules.stops);
    if (piece === undefined) return undefined;
    text += piece;
  }
  return text;
}

/** Neither language lets a line break inside simple quotes. They are read as they stand, and listed once. */
export function readRawLineBreak(scanner: LiteralScanner, start: number): string {
  const last = scanner.repairs.at(-1);
  const isListed = last?.code === 'control-character' && last.at > start;
  if (!isListed) scanner.repair('control-character');
  return scanner.next();
}

/** A code point of exactly so many hex digits. `start` is where its escape began. */
export function readHex(scanner: LiteralScanner, count: number, start: number): string | undefined {
  const digits = scanner.source.slice(scanner.at, scanner.at + count);
  if (digits.length < count || !isHex(digits)) {
    return scanner.fail('unreadable-call', `this escape needs ${count} hex digits`, start);
  }
  scanner.at += count;
  return toCharacter(scanner, digits, start);
}

/** `{1F600}`, from the brace. */
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

/** Up to so many octal digits as a number, the first of which stands here. */
export function readOctal(scanner: LiteralScanner, maxDigits: number): number {
  let value = 0;
  for (let count = 0; count < maxDigits && scanner.isOneOf('01234567'); count += 1) {
    value = value * 8 + Number(scanner.next());
  }
  return value;
}
