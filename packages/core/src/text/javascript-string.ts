// Reads JavaScript strings: '…', "…" and `…` without `${}`, with every escape of the language.

import type { LiteralScanner } from './literal-scanner.js';
import { readBracedHex, readDelimited, readHex, readOctal, readRawLineBreak } from './string-literal.js';

const simpleEscapes = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
]);

export function startsString(scanner: LiteralScanner): boolean {
  return scanner.isOneOf('\'"`');
}

export function readString(scanner: LiteralScanner): string | undefined {
  const quote = scanner.peek();
  if (quote === '`') return readDelimited(scanner, { quote, stops: '`\\$\r', readSpecial: readInTemplate });
  return readDelimited(scanner, { quote, stops: `${quote}\\\n\r`, readSpecial: readInQuotes });
}

function readInQuotes(scanner: LiteralScanner, start: number): string | undefined {
  return scanner.peek() === '\\' ? readEscape(scanner) : readRawLineBreak(scanner, start);
}

/** Reads a special character of a template literal. Every line break (`\r\n`, `\r`) becomes `\n`. */
function readInTemplate(scanner: LiteralScanner): string | undefined {
  if (scanner.peek() === '\\') return readEscape(scanner);
  if (scanner.source.startsWith('${', scanner.at)) {
    return scanner.fail(
      'unsupported-code',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what the model wrote
      'a template with ${} would have to be run; write the finished string',
    );
  }
  if (scanner.next() === '$') return '$';
  scanner.take('\n');
  return '\n';
}

function readEscape(scanner: LiteralScanner): string | undefined {
  const start = scanner.at;
  scanner.at += 1;
  if (scanner.isOneOf('0123456789')) return readDigitEscape(scanner, start);
  const char = scanner.next();
  if (char === 'x') return readHex(scanner, 2, start);
  if (char === 'u') {
    return scanner.peek() === '{' ? readBracedHex(scanner, start) : readHex(scanner, 4, start);
  }
  if (char === '\r') scanner.take('\n');
  return isLineBreak(char) ? '' : (simpleEscapes.get(char) ?? char);
}

/** Reads `\0`, and octal escapes such as `\033`: strict mode forbids them, but terminal colour codes use them. */
function readDigitEscape(scanner: LiteralScanner, start: number): string {
  const isNul = scanner.take('0') && !scanner.isOneOf('0123456789');
  if (isNul) return '\0';
  scanner.repair('bad-escape', start);
  scanner.at = start + 1;
  if (scanner.isOneOf('89')) return scanner.next();
  return String.fromCharCode(readOctal(scanner, scanner.isOneOf('0123') ? 3 : 2));
}

export function isLineBreak(char: string): boolean {
  return char === '\n' || char === '\r' || char === '\u2028' || char === '\u2029';
}
