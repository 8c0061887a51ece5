// One call of JavaScript whose arguments are literals, read as data and never run:
//
//     await SysBuiltIn.bash({ command: "ls -al", timeoutMs: 2_000 });
//           ^ path          ^ arguments, each as JSON text
//
// Code that would have to be run (names, templates with ${}, getters, spread, operators) is an error with its
// position. Valid JavaScript gives the value it has in JavaScript, except that numbers keep their digits.

import type { Range } from '../model/events.js';
import { readIdentifier } from './identifiers.js';
import { readArguments } from './javascript-literal.js';
import { isLineBreak, readString, startsString } from './javascript-string.js';
import {
  type DuplicateKey,
  type LiteralError,
  type LiteralOptions,
  type LiteralRepair,
  LiteralScanner,
} from './literal-scanner.js';

export interface CallExpression {
  ok: true;
  /** The segments joined by dots. */
  path: string;
  /** `Tools["get-weather"]` has two: `Tools`, `get-weather`. */
  segments: string[];
  /** The JSON text of each argument. */
  args: string[];
  nameRange: Range;
  /** The text between the parentheses. */
  argsRange: Range;
  repairs: LiteralRepair[];
  duplicates: DuplicateKey[];
}

interface Path {
  segments: string[];
  range: Range;
}

/** Words that cannot be called: `if (…)` is a statement and `typeof (…)` an operator. */
const reservedWords = new Set(
  (
    'await break case catch class const continue debugger default delete do else enum export extends false ' +
    'finally for function if import in instanceof let new null return super switch this throw true try ' +
    'typeof var void while with'
  ).split(' '),
);

const onlyOneCall = 'only one call may stand here, such as Name.method({ key: "value" })';

export function readJavaScriptCall(
  source: string,
  options: LiteralOptions = {},
): CallExpression | LiteralError {
  const scanner = new LiteralScanner(source, skipTrivia, options);
  return readCall(scanner) ?? scanner.error();
}

function readCall(scanner: LiteralScanner): CallExpression | undefined {
  skipAwait(scanner);
  const path = readPath(scanner);
  if (!path) return undefined;
  const argsStart = scanner.at + 1;
  const args = readArguments(scanner);
  if (!args) return undefined;
  const argsRange = [argsStart, scanner.at - 1] as const;
  if (!readEnd(scanner)) return undefined;
  const { repairs, duplicates } = scanner;
  const { segments, range: nameRange } = path;
  return { ok: true, path: segments.join('.'), segments, args, nameRange, argsRange, repairs, duplicates };
}

function skipAwait(scanner: LiteralScanner): void {
  scanner.skip();
  const start = scanner.at;
  if (readIdentifier(scanner) === 'await') scanner.skip();
  else scanner.at = start;
}

/** Reads the path up to the opening parenthesis. */
function readPath(scanner: LiteralScanner): Path | undefined {
  const start = scanner.at;
  const first = readIdentifier(scanner);
  if (first === '' || reservedWords.has(first)) return refuseStart(scanner, first, start);
  const segments = [first];
  let end = scanner.at;
  scanner.skip();
  while (scanner.peek() !== '(') {
    const segment = readSegment(scanner);
    if (segment === undefined) return undefined;
    segments.push(segment);
    end = scanner.at;
    scanner.skip();
  }
  return { segments, range: [start, end] };
}

function refuseStart(scanner: LiteralScanner, word: string, start: number): undefined {
  const found = word === '' ? scanner.found() : `\`${word}\``;
  return scanner.fail('unsupported-code', `found ${found}; ${onlyOneCall}`, start);
}

/** Reads `.name` or `["name"]`. */
function readSegment(scanner: LiteralScanner): string | undefined {
  if (scanner.peek() === '[') return readBracketed(scanner);
  if (!scanner.take('.')) {
    return scanner.fail('unsupported-code', `found ${scanner.found()} where \`(\` is due; ${onlyOneCall}`);
  }
  scanner.skip();
  const name = readIdentifier(scanner);
  if (name !== '') return name;
  return scanner.fail('unreadable-call', `found ${scanner.found()} where a name is due behind the dot`);
}

function readBracketed(scanner: LiteralScanner): string | undefined {
  scanner.at += 1;
  scanner.skip();
  const name = startsString(scanner) ? readString(scanner) : undefined;
  scanner.skip();
  if (name !== undefined && scanner.take(']')) return name;
  return scanner.fail('unsupported-code', 'only a string may stand in the brackets of a name');
}

function readEnd(scanner: LiteralScanner): boolean {
  scanner.skip();
  while (scanner.take(';')) scanner.skip();
  if (!scanner.ended) {
    scanner.fail('unsupported-code', `found ${scanner.found()} behind the call; ${onlyOneCall}`);
  }
  return !scanner.failed;
}

function skipTrivia(scanner: LiteralScanner): boolean {
  let lineBroke = false;
  while (!scanner.ended) {
    const char = scanner.peek();
    if (isLineBreak(char)) lineBroke = true;
    if (isSpace(char)) scanner.at += 1;
    else if (scanner.source.startsWith('//', scanner.at)) scanner.readUntil('\n\r\u2028\u2029');
    else if (scanner.source.startsWith('/*', scanner.at)) lineBroke = skipBlockComment(scanner) || lineBroke;
    else break;
  }
  return lineBroke;
}

/** Whether JavaScript treats the character as white space or a line break: `trim` removes just those. */
function isSpace(char: string): boolean {
  return char.trim() === '';
}

function skipBlockComment(scanner: LiteralScanner): boolean {
  const start = scanner.at;
  const end = scanner.source.indexOf('*/', start + 2);
  if (end < 0) scanner.fail('unreadable-call', 'the comment that opens here is never closed', start);
  scanner.at = end < 0 ? scanner.source.length : end + 2;
  return /[\n\r\u2028\u2029]/.test(scanner.source.slice(start, scanner.at));
}
