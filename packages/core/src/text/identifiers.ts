// Identifiers as in programming languages: Unicode letters, `$`, `_`, and digits after the first character.

import type { LiteralScanner } from './literal-scanner.js';

const start = /\p{ID_Start}/u;
const part = /[\p{ID_Continue}\u200c\u200d]/u;

/** Reads the identifier at the scanner's position, or '' without moving. Escapes (`\u0061`) are not part of a name. */
export function readIdentifier(scanner: LiteralScanner): string {
  if (!startsIdentifier(scanner)) return '';
  const from = scanner.at;
  while (continuesIdentifier(scanner)) scanner.at += widthAt(scanner);
  return scanner.source.slice(from, scanner.at);
}

export function startsIdentifier(scanner: LiteralScanner): boolean {
  const code = scanner.source.charCodeAt(scanner.at);
  return code < 128 ? isAsciiLetter(code) : start.test(pointAt(scanner));
}

export function continuesIdentifier(scanner: LiteralScanner): boolean {
  const code = scanner.source.charCodeAt(scanner.at);
  return code < 128 ? isAsciiLetter(code) || (code >= 48 && code <= 57) : part.test(pointAt(scanner));
}

function isAsciiLetter(code: number): boolean {
  const lower = code | 32;
  return (lower >= 97 && lower <= 122) || code === 36 || code === 95;
}

function pointAt(scanner: LiteralScanner): string {
  return scanner.source.slice(scanner.at, scanner.at + widthAt(scanner));
}

function widthAt(scanner: LiteralScanner): number {
  return (scanner.source.codePointAt(scanner.at) ?? 0) > 0xffff ? 2 : 1;
}
