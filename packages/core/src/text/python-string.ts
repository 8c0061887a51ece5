// Reads Python strings: '…', "…", '''…''', """…""", with the prefixes r and u, and with every escape but \N{…}.

import type { LiteralScanner } from './literal-scanner.js';
import { readDelimited, readHex, readOctal, readRawLineBreak } from './string-literal.js';

export const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
]);
const hexEscapes = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

/** Whether a string begins here: a quote, or a prefix of at most two letters and a quote. */
export function startsString(scanner: LiteralScanner): boolean {
  return quoteAt(scanner) >= 0;
}

function quoteAt({ source, at }: LiteralScanner): number {
  for (let quote = at; quote < at + 3; quote += 1) {
    const char = source.charAt(quote);
    if (char === "'" || char === '"') return quote;
    if (!/[a-z]/i.test(char)) return -1;
  }
  return -1;
}

export function readString(scanner: LiteralScanner): string | undefined {
  const start = scanner.at;
  const prefix = scanner.source.slice(start, quoteAt(scanner)).toLowerCase();
  if (!['', 'r', 'u'].includes(prefix)) {
    return scanner.fail('unsupported-code', `a string with the prefix \`${prefix}\` has no JSON form`);
  }
  scanner.at += prefix.length;
  return readQuoted(scanner, prefix === 'r' ? readRawPair : readEscape);
}

function readQuoted(
  scanner: LiteralScanner,
  readBackslash: (scanner: LiteralScanner) => string | undefined,
): string | undefined {
  const quote = scanner.peek();
  const isTriple = scanner.source.startsWith(quote.repeat(3), scanner.at);
  const readOther = isTriple ? readInTriple : readRawLineBreak;
  return readDelimited(scanner, {
    quote: isTriple ? quote.repeat(3) : quote,
    stops: `${quote}\\\r${isTriple ? '' : '\n'}`,
    readSpecial: (_, start) => (scanner.peek() === '\\' ? readBackslash(scanner) : readOther(scanner, start)),
  });
}

/** Reads a quote that does not close the string, or a line break: Python reads `\r\n` and `\r` as `\n`. */
function readInTriple(scanner: LiteralScanner): string {
  const char = scanner.next();
  if (char !== '\r') return char;
  scanner.take('\n');
  return '\n';
}

/** Reads a backslash and the next character of a raw string. Both are kept; a quote there does not close the string. */
function readRawPair(scanner: LiteralScanner): string {
  scanner.at += 1;
  const char = scanner.next();
  if (char !== '\r') return `\\${char}`;
  scanner.take('\n');
  return '\\\n';
}

/** Reads an escape. One that Python does not know keeps its backslash. */
function readEscape(scanner: LiteralScanner): string | undefined {
  const start = scanner.at;
  scanner.at += 1;
  if (scanner.isOneOf('01234567')) return String.fromCharCode(readOctal(scanner, 3));
  const char = scanner.next();
  const hexDigits = hexEscapes.get(char);
  if (hexDigits) return readHex(scanner, hexDigits, start);
  if (char === 'N') {
    return scanner.fail('unsupported-code', '\\N{…} would have to be looked up; write the character', start);
  }
  if (char === '\r') scanner.take('\n');
  if (char === '\r' || char === '\n') return '';
  return simpleEscapes.get(char) ?? `\\${char}`;
}
