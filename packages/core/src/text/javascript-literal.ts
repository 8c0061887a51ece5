// Reads JavaScript literals as JSON text: objects, arrays, strings, numbers, true, false, null.
//
// A missing comma is repaired at a line break, if the next line cannot continue the value before it. So
// `[1\n-2]` stays an error: in JavaScript it is a subtraction.

import { readIdentifier, startsIdentifier } from './identifiers.js';
import { readString, startsString } from './javascript-string.js';
import { joinItems, type LiteralScanner, readSequence, shorten } from './literal-scanner.js';
import { type NumberRules, readNumber, startsNumber } from './number-literal.js';

const numberRules: NumberRules = { looseZeros: false, emptyFraction: '', bigints: true };
const words = new Map([
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
]);
const pythonWords = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
]);
const wordsWithoutJson = new Set(['undefined', 'NaN', 'Infinity']);

const mustRun = 'would have to be run; write the finished value';

/** Reads a call's arguments from the opening parenthesis to just after the closing one. */
export function readArguments(scanner: LiteralScanner): string[] | undefined {
  scanner.at += 1;
  const closer = ')';
  const readItem = () => readValue(scanner);
  return readSequence(scanner, { closer, readItem, refuse: () => refuseBehindValue(scanner, closer) })?.items;
}

function readValue(scanner: LiteralScanner): string | undefined {
  if (startsString(scanner)) {
    const text = readString(scanner);
    return text === undefined ? undefined : JSON.stringify(text);
  }
  if (startsNumber(scanner)) return readNumber(scanner, numberRules)?.json;
  if (startsIdentifier(scanner)) return readWord(scanner);
  const char = scanner.peek();
  if (char === '{') return scanner.nested(() => readObject(scanner));
  if (char === '[') return scanner.nested(() => readArray(scanner));
  if (char === '(') return scanner.nested(() => readParenthesised(scanner));
  if (char === '+' || char === '-') return readSigned(scanner);
  return refuseValue(scanner);
}

function refuseValue(scanner: LiteralScanner): undefined {
  if (scanner.peek() === '/') return scanner.fail('unsupported-code', 'a regex has no JSON form');
  if (scanner.source.startsWith('...', scanner.at)) return refuseSpread(scanner);
  if (scanner.isOneOf('!~<@#')) return scanner.fail('unsupported-code', `${scanner.found()} ${mustRun}`);
  return scanner.fail('unreadable-call', `found ${scanner.found()} where a value is due`);
}

function refuseSpread(scanner: LiteralScanner): undefined {
  return scanner.fail('unsupported-code', `spread (\`...\`) ${mustRun}`);
}

function readWord(scanner: LiteralScanner): string | undefined {
  const start = scanner.at;
  const word = readIdentifier(scanner);
  const python = pythonWords.get(word);
  if (python) scanner.repair('python-word', start);
  const json = words.get(word) ?? python;
  if (json) return json;
  const why = wordsWithoutJson.has(word)
    ? 'has no JSON form; write null, or leave it out'
    : `is no literal: it ${mustRun}`;
  return scanner.fail('unsupported-code', `\`${shorten(word)}\` ${why}`, start);
}

function readSigned(scanner: LiteralScanner): string | undefined {
  const start = scanner.at;
  const sign = scanner.next();
  scanner.skip();
  if (!startsNumber(scanner)) {
    return scanner.fail('unsupported-code', `\`${sign}\` before anything but a number ${mustRun}`, start);
  }
  const number = readNumber(scanner, numberRules);
  if (!number) return undefined;
  // JavaScript has no -0n and throws a TypeError at +1n.
  if (number.kind === 'bigint' && sign === '+') scanner.repair('number-format', start);
  if (number.kind === 'bigint' && number.json === '0') return '0';
  return sign === '-' ? `-${number.json}` : number.json;
}

function readParenthesised(scanner: LiteralScanner): string | undefined {
  scanner.at += 1;
  scanner.skip();
  const value = readValue(scanner);
  if (value === undefined) return undefined;
  scanner.skip();
  return scanner.take(')') ? value : refuseBehindValue(scanner, ')');
}

function readArray(scanner: LiteralScanner): string | undefined {
  scanner.at += 1;
  const read = readSequence(scanner, {
    closer: ']',
    readItem: () => readElement(scanner),
    startsItem: () => scanner.isOneOf('\'"{0123456789') || startsIdentifier(scanner),
    refuse: () => refuseBehindValue(scanner, ']'),
  });
  return read && `[${joinItems(read.items)}]`;
}

function readElement(scanner: LiteralScanner): string | undefined {
  if (scanner.peek() !== ',') return readValue(scanner);
  return scanner.fail('unsupported-code', 'a hole in an array has no JSON form; write null');
}

function readObject(scanner: LiteralScanner): string | undefined {
  scanner.at += 1;
  const seen = new Set<string>();
  const read = readSequence(scanner, {
    closer: '}',
    readItem: () => readProperty(scanner, seen),
    startsItem: () => scanner.isOneOf('\'"0123456789') || startsIdentifier(scanner),
    refuse: () => refuseBehindValue(scanner, '}'),
  });
  return read && `{${joinItems(read.items)}}`;
}

function readProperty(scanner: LiteralScanner, seen: Set<string>): string | undefined {
  const start = scanner.at;
  const key = readKey(scanner);
  if (key === undefined) return undefined;
  scanner.skip();
  if (!scanner.take(':')) return refuseProperty(scanner, key, start);
  scanner.skip();
  const value = readValue(scanner);
  if (value === undefined) return undefined;
  scanner.noteKey(seen, key, start);
  return `${JSON.stringify(key)}:${value}`;
}

function readKey(scanner: LiteralScanner): string | undefined {
  if (scanner.isOneOf('\'"')) return readString(scanner);
  if (startsIdentifier(scanner)) return readIdentifier(scanner);
  if (startsNumber(scanner)) return readNumberKey(scanner);
  if (scanner.peek() === '[') return readComputedKey(scanner);
  if (scanner.source.startsWith('...', scanner.at)) return refuseSpread(scanner);
  if (scanner.peek() === '*') return scanner.fail('unsupported-code', `a method ${mustRun}`);
  return scanner.fail('unreadable-call', `found ${scanner.found()} where a key is due`);
}

/** Reads a number as a key. `1.0` is the key "1", as in JavaScript, but long integers keep their digits. */
function readNumberKey(scanner: LiteralScanner): string | undefined {
  const number = readNumber(scanner, numberRules);
  return number?.kind === 'float' ? String(Number(number.json)) : number?.json;
}

/** Reads `["key"]`, a computed key that is a constant string. */
function readComputedKey(scanner: LiteralScanner): string | undefined {
  const start = scanner.at;
  scanner.at += 1;
  scanner.skip();
  const key = startsString(scanner) ? readString(scanner) : undefined;
  scanner.skip();
  if (key !== undefined && scanner.take(']')) return key;
  return scanner.fail('unsupported-code', `a computed key ${mustRun}`, start);
}

/** Reports a key without a colon: shorthand, a method, a getter, or a typing mistake. */
function refuseProperty(scanner: LiteralScanner, key: string, start: number): undefined {
  if (scanner.peek() === '(') return scanner.fail('unsupported-code', `a method ${mustRun}`, start);
  if (['get', 'set', 'async'].includes(key) && (startsIdentifier(scanner) || scanner.isOneOf('\'"[*'))) {
    return scanner.fail('unsupported-code', `a getter, setter or method ${mustRun}`, start);
  }
  const isName = !'\'"['.includes(scanner.source.charAt(start));
  if (isName && scanner.isOneOf(',}')) {
    const message = `shorthand would have to be run; write \`${shorten(key)}: value\``;
    return scanner.fail('unsupported-code', message, start);
  }
  return scanner.fail('unreadable-call', `found ${scanner.found()} where \`:\` is due behind a key`);
}

function refuseBehindValue(scanner: LiteralScanner, closer: string): undefined {
  if (scanner.isOneOf('.[(`?+-*/%&|^<>=')) {
    return scanner.fail('unsupported-code', `${scanner.found()} behind a value ${mustRun}`);
  }
  return scanner.fail('unreadable-call', `found ${scanner.found()} where \`,\` or \`${closer}\` is due`);
}
