// The state that the readers of literals share: position, nesting depth, repairs.
//
//     {a: [1, 'x']}
//          ^ at, depth 2
//
// A reader gives the JSON text of what it read, or `undefined` once `fail` was called; the first failure is
// the one reported. Code is never run and nothing is thrown. A failure ends the reading without backtracking, so
// no text is read twice and time stays linear.

import type { IssueCode, RepairCode } from '../model/issues.js';

export interface LiteralOptions {
  /** The most levels of brackets. Default 128, at most 1,000, because each level costs stack. */
  maxDepth?: number;
}

export interface LiteralError {
  ok: false;
  code: LiteralErrorCode;
  message: string;
  /** Counts from 1, as editors do; columns are UTF-16 code units. */
  line: number;
  column: number;
  at: number;
}

type LiteralErrorCode = Extract<IssueCode, 'unsupported-code' | 'unreadable-call' | 'too-deep'>;

export interface LiteralRepair {
  code: RepairCode;
  at: number;
}

/** A repeated key of an object. The JSON text has both members; the last one wins when it is parsed. */
export interface DuplicateKey {
  key: string;
  at: number;
}

/** Skips white space and comments, and returns whether they contain a line break. */
type SkipTrivia = (scanner: LiteralScanner) => boolean;

export class LiteralScanner {
  at = 0;
  depth = 0;
  readonly repairs: LiteralRepair[] = [];
  readonly duplicates: DuplicateKey[] = [];
  readonly #skipTrivia: SkipTrivia;
  readonly #maxDepth: number;
  #failure: { code: LiteralErrorCode; message: string; at: number } | undefined;

  constructor(
    readonly source: string,
    skipTrivia: SkipTrivia,
    options: LiteralOptions = {},
  ) {
    this.#skipTrivia = skipTrivia;
    this.#maxDepth = Math.min(options.maxDepth ?? 128, 1000);
  }

  get ended(): boolean {
    return this.at >= this.source.length;
  }

  get failed(): boolean {
    return this.#failure !== undefined;
  }

  /** Gives the code unit at the position, '' at the end. */
  peek(): string {
    return this.source.charAt(this.at);
  }

  next(): string {
    return this.source.charAt(this.at++);
  }

  /** Whether the code unit at the position is one of these; false at the end. */
  isOneOf(chars: string): boolean {
    return !this.ended && chars.includes(this.peek());
  }

  take(text: string): boolean {
    if (!this.source.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  /** Reads up to the next of these code units, or to the end. */
  readUntil(stops: string): string {
    const start = this.at;
    while (this.at < this.source.length && !stops.includes(this.source.charAt(this.at))) this.at += 1;
    return this.source.slice(start, this.at);
  }

  skip(): boolean {
    return this.#skipTrivia(this);
  }

  nested<T>(read: () => T | undefined): T | undefined {
    if (!(this.depth < this.#maxDepth)) {
      return this.fail('too-deep', `brackets are nested deeper than ${this.#maxDepth} levels`);
    }
    this.depth += 1;
    const result = read();
    this.depth -= 1;
    return result;
  }

  repair(code: RepairCode, at = this.at): void {
    this.repairs.push({ code, at });
  }

  noteKey(seen: Set<string>, key: string, at: number): void {
    if (seen.has(key)) this.duplicates.push({ key, at });
    seen.add(key);
  }

  fail(code: LiteralErrorCode, message: string, at = this.at): undefined {
    this.#failure ??= { code, message, at };
    return undefined;
  }

  /** Describes the character at the position, for a message. */
  found(): string {
    const point = this.source.codePointAt(this.at);
    if (point === undefined) return 'the end';
    if (point === 0x0a || point === 0x0d) return 'a line break';
    const printable = point > 0x20 && point !== 0x7f && (point < 0xd800 || point > 0xdfff);
    return printable ? `\`${String.fromCodePoint(point)}\`` : `U+${point.toString(16).padStart(4, '0')}`;
  }

  error(): LiteralError {
    const { code, message, at } = this.#failure ?? {
      code: 'unreadable-call' as const,
      message: 'nothing was read',
      at: 0,
    };
    return { ok: false, code, message, ...placeOf(this.source, at), at };
  }
}

/** Gives the line and column of a position. It walks the text before it, and runs only for an error. */
function placeOf(source: string, at: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let index = 0; index < at; index += 1) {
    const char = source.charAt(index);
    if (char !== '\n' && (char !== '\r' || source.charAt(index + 1) === '\n')) continue;
    line += 1;
    lineStart = index + 1;
  }
  return { line, column: at - lineStart + 1 };
}

interface Sequence {
  closer: string;
  readItem: () => string | undefined;
  /** Whether the text after an item and a line break can only be the next item. */
  startsItem?: () => boolean;
  /** Fails with a message about the unexpected text after an item. */
  refuse: () => undefined;
}

interface Items {
  items: string[];
  trailingComma: boolean;
}

/** Reads items separated by commas, from just after the opening bracket to just after the closing one. */
export function readSequence(scanner: LiteralScanner, sequence: Sequence): Items | undefined {
  const items: string[] = [];
  let comma = false;
  scanner.skip();
  while (!scanner.take(sequence.closer)) {
    const item = sequence.readItem();
    if (item === undefined) return undefined;
    items.push(item);
    const lineBroke = scanner.skip();
    comma = scanner.take(',');
    if (comma) scanner.skip();
    else if (!mayEndWithoutComma(scanner, sequence, lineBroke)) return sequence.refuse();
  }
  return { items, trailingComma: comma };
}

function mayEndWithoutComma(scanner: LiteralScanner, sequence: Sequence, lineBroke: boolean): boolean {
  if (scanner.source.startsWith(sequence.closer, scanner.at)) return true;
  if (!lineBroke || !sequence.startsItem?.()) return false;
  scanner.repair('missing-comma');
  return true;
}

/** Cuts a word that is too long for a message. */
export function shorten(word: string): string {
  return word.length > 40 ? `${word.slice(0, 40)}…` : word;
}

/** Joins with `+=`: engines concatenate without copying, while `join` would copy a long string at each level. */
export function joinItems(items: readonly string[]): string {
  let text = '';
  for (const item of items) text += text === '' ? item : `,${item}`;
  return text;
}
