// Reads Python literals as JSON text, as `json.dumps(ast.literal_eval(text))` would give it, but numbers keep
// their digits:
//
//     {'a': (1, 2.0), None: True}  →  {"a":[1,2.0],"null":true}
//
// Models write these where JSON is expected. `true`, `false` and `null` are read too, as a repair: models often
// mix both spellings. Sets, bytes, f-strings, complex numbers, inf and nan have no JSON form.

import { readIdentifier, startsIdentifier } from './identifiers.js';
import {
  type DuplicateKey,
  joinItems,
  type LiteralError,
  type LiteralOptions,
  type LiteralRepair,
  LiteralScanner,
  readSequence,
  shorten,
} from './literal-scanner.js';
import {
  floatText,
  type NumberLiteral,
  type NumberRules,
  readNumber,
  startsNumber,
} from './number-literal.js';
import { readString, startsString } from './python-string.js';

export interface PythonLiteral {
  ok: true;
  json: string;
  repairs: LiteralRepair[];
  duplicates: DuplicateKey[];
}

interface SignedNumber {
  sign: '' | '-';
  number: NumberLiteral;
}

const numberRules: NumberRules = { looseZeros: true, emptyFraction: '.0', bigints: false };
const words = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
]);
const jsonWords = new Set(['true', 'false', 'null']);

export function readPythonLiteral(text: string, options: LiteralOptions = {}): PythonLiteral | LiteralError {
  const scanner = new LiteralScanner(text, skipTrivia, options);
  scanner.skip();
  const json = readValue(scanner);
  scanner.skip();
  if (json !== undefined && !scanner.ended) {
    scanner.fail('unsupported-code', `found ${scanner.found()} behind the value`);
  }
  if (json === undefined || scanner.failed) return scanner.error();
  return { ok: true, json, repairs: scanner.repairs, duplicates: scanner.duplicates };
}

function readValue(scanner: LiteralScanner): string | undefined {
  if (startsString(scanner)) {
    const text = readStrings(scanner);
    return text === undefined ? undefined : JSON.stringify(text);
  }
  if (startsIdentifier(scanner)) return readWord(scanner);
  if (startsNumber(scanner) || scanner.isOneOf('+-')) {
    const signed = readSigned(scanner);
    return signed && signed.sign + signed.number.json;
  }
  const char = scanner.peek();
  if (char === '{') return scanner.nested(() => readDict(scanner));
  if (char === '[') return scanner.nested(() => readList(scanner));
  if (char === '(') return scanner.nested(() => readTuple(scanner));
  return scanner.fail('unreadable-call', `found ${scanner.found()} where a value is due`);
}

/** Reads adjacent strings as one string. Outside of brackets a line break ends the value. */
function readStrings(scanner: LiteralScanner): string | undefined {
  const pieces: string[] = [];
  let end: number;
  let lineBroke: boolean;
  do {
    const piece = readString(scanner);
    if (piece === undefined) return undefined;
    pieces.push(piece);
    end = scanner.at;
    lineBroke = scanner.skip();
  } while (startsString(scanner) && !(lineBroke && scanner.depth === 0));
  scanner.at = end;
  return pieces.join('');
}

function readWord(scanner: LiteralScanner): string | undefined {
  const start = scanner.at;
  const word = readIdentifier(scanner);
  if (jsonWords.has(word)) {
    scanner.repair('python-word', start);
    return word;
  }
  const json = words.get(word);
  if (json) return json;
  return scanner.fail(
    'unsupported-code',
    `\`${shorten(word)}\` is no literal; write the finished value`,
    start,
  );
}

function readSigned(scanner: LiteralScanner): SignedNumber | undefined {
  const start = scanner.at;
  const sign = scanner.take('-') ? '-' : '';
  if (sign === '') scanner.take('+');
  if (scanner.at > start) scanner.skip();
  if (!startsNumber(scanner)) {
    return scanner.fail('unsupported-code', 'a sign may stand only before a number', start);
  }
  const number = readNumber(scanner, numberRules);
  return number && { sign, number };
}

function readList(scanner: LiteralScanner): string | undefined {
  scanner.at += 1;
  const readItem = () => readValue(scanner);
  const read = readSequence(scanner, { closer: ']', readItem, refuse: () => refuseBehind(scanner, ']') });
  return read && `[${joinItems(read.items)}]`;
}

/** Reads a tuple or a value in parentheses: `(1)` is a number, `(1,)` a tuple. */
function readTuple(scanner: LiteralScanner): string | undefined {
  scanner.at += 1;
  const readItem = () => readValue(scanner);
  const read = readSequence(scanner, { closer: ')', readItem, refuse: () => refuseBehind(scanner, ')') });
  if (!read) return undefined;
  const [first] = read.items;
  if (first !== undefined && read.items.length === 1 && !read.trailingComma) return first;
  return `[${joinItems(read.items)}]`;
}

function readDict(scanner: LiteralScanner): string | undefined {
  scanner.at += 1;
  const seen = new Set<string>();
  const readItem = () => readEntry(scanner, seen);
  const read = readSequence(scanner, { closer: '}', readItem, refuse: () => refuseBehind(scanner, '}') });
  return read && `{${joinItems(read.items)}}`;
}

function readEntry(scanner: LiteralScanner, seen: Set<string>): string | undefined {
  const start = scanner.at;
  const key = readKey(scanner);
  if (key === undefined) return undefined;
  scanner.skip();
  if (!scanner.take(':')) return refuseKey(scanner, start);
  scanner.skip();
  const value = readValue(scanner);
  if (value === undefined) return undefined;
  scanner.noteKey(seen, key, start);
  return `${JSON.stringify(key)}:${value}`;
}

function readKey(scanner: LiteralScanner): string | undefined {
  if (startsString(scanner)) return readStrings(scanner);
  if (startsIdentifier(scanner)) return readWord(scanner);
  if (startsNumber(scanner) || scanner.isOneOf('+-')) return readNumberKey(scanner);
  return scanner.fail('unreadable-call', `found ${scanner.found()} where a key is due`);
}

function readNumberKey(scanner: LiteralScanner): string | undefined {
  const signed = readSigned(scanner);
  if (!signed) return undefined;
  const { sign, number } = signed;
  if (number.kind === 'float') {
    const value = Number(number.json);
    return sign + (Number.isFinite(value) ? floatText(value) : number.json);
  }
  return number.json === '0' ? '0' : sign + number.json;
}

function refuseKey(scanner: LiteralScanner, start: number): undefined {
  if (scanner.isOneOf(',}')) {
    return scanner.fail('unsupported-code', 'a set has no JSON form; write a list', start);
  }
  return scanner.fail('unreadable-call', `found ${scanner.found()} where \`:\` is due behind a key`);
}

function refuseBehind(scanner: LiteralScanner, closer: string): undefined {
  return scanner.fail('unreadable-call', `found ${scanner.found()} where \`,\` or \`${closer}\` is due`);
}

function skipTrivia(scanner: LiteralScanner): boolean {
  let lineBroke = false;
  while (!scanner.ended) {
    if (scanner.isOneOf('\n\r')) lineBroke = true;
    if (scanner.peek() === '#') scanner.readUntil('\n\r');
    else if (!scanner.take('\\\r\n') && !scanner.take('\\\n')) {
      if (!scanner.isOneOf(' \t\f\n\r')) break;
      scanner.at += 1;
    }
  }
  return lineBroke;
}
