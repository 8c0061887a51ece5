// Writes JSON that holds constants. A file of its own, so that a page that only reads calls does not load it.

import { ConstantMap, isConstant, onceConstant } from './constants.js';
import { isLongJson, jsonPieces, roomAfter } from './json-pieces.js';

/** A part of a JSON text, as text or in UTF-8; one of megabytes is written in pieces, as often as it is read. */
export type JsonPart = string | Uint8Array | Iterable<string>;

/** Gives the bytes of a text in UTF-8, in memory of their own. */
type EncodeText = (text: string) => Uint8Array;

/** Lists of more items are written in one part: a part costs more than a small item. */
const MOST_ITEMS = 4096;
/** Characters. There are few so large, and to write one again takes a tenth of a request. */
const LARGE = 32 * 1024;

/**
 * Writes what JSON.stringify writes, in parts: to join them would copy all of the text once more. The parts of constants
 * are made once, in UTF-8 where `encode` writes it: of lists among the members, and of items that come again or are
 * large, where their list is no constant.
 */
export function jsonParts(body: Record<string, unknown>, encode?: EncodeText): JsonPart[] {
  const parts: JsonPart[] = [];
  const keep = encode ? (constant: unknown) => bytesOf(constant, encode) : textOf;
  let before = '{';
  for (const key of Object.keys(body)) {
    const value = body[key];
    const head = `${before}${JSON.stringify(key)}:`;
    if (Array.isArray(value)) addList(parts, head, value, keep);
    else if (isLongJson(value)) parts.push(head, new LongJson(value));
    else {
      const text = JSON.stringify(value);
      // JSON has no undefined.
      if (text === undefined) continue;
      parts.push(head + text);
    }
    before = ',';
  }
  parts.push(before === '{' ? '{}' : '}');
  return parts;
}

export function stringifyConstants(body: Record<string, unknown>): string {
  return jsonParts(body)
    .map((part) => (part instanceof LongJson ? [...part].join('') : part))
    .join('');
}

/** JSON that is not written before it is needed: its text would be as long as the value, and its bytes once more. */
class LongJson implements Iterable<string> {
  constructor(readonly value: unknown) {}

  [Symbol.iterator](): Iterator<string> {
    return jsonPieces(this.value);
  }
}

function addList(
  parts: JsonPart[],
  head: string,
  list: readonly unknown[],
  keep: (constant: unknown) => JsonPart,
): void {
  if (isWritten(list)) {
    parts.push(head, keep(list));
    return;
  }
  const [first] = list;
  if (typeof first !== 'object' || first === null || list.length > MOST_ITEMS) {
    parts.push(head, isLongJson(list) ? new LongJson(list) : JSON.stringify(list));
    return;
  }
  const keepsItems = !isConstant(list);
  let before = `${head}[`;
  /** Items that are written together, up to about LARGE: a call for each costs a quarter more. */
  let run: unknown[] = [];
  let room = LARGE;
  const add = (part: JsonPart) => {
    parts.push(before, part);
    before = ',';
  };
  const addRun = () => {
    if (run.length > 0) add(JSON.stringify(run).slice(1, -1));
    run = [];
    room = LARGE;
  };
  for (const item of list) {
    if (keepsItems && isWritten(item)) {
      addRun();
      add(keep(item));
      continue;
    }
    const left = roomAfter(item, LARGE);
    if (left < 0 || room < 0) addRun();
    if (left < 0) add(keepsItems ? largePart(item, keep) : longPart(item));
    else {
      run.push(item);
      room -= LARGE - left;
    }
  }
  addRun();
  parts.push(']');
}

/** A large constant, such as the message that teaches sixty tools, is kept when it is first written. */
function largePart(value: unknown, keep: (constant: unknown) => JsonPart): JsonPart {
  return isConstant(value) && !isLongJson(value) ? keep(value) : longPart(value);
}

function longPart(value: unknown): JsonPart {
  return isLongJson(value) ? new LongJson(value) : JSON.stringify(value);
}

const written = new ConstantMap<object, true>();

/** Whether the constant was written before. Most sessions are short: only what comes again is worth its text. */
function isWritten(value: unknown): boolean {
  if (!isConstant(value)) return false;
  const known = written.get(value as object) ?? false;
  written.set(value as object, true);
  return known;
}

const textOf = onceConstant((value: unknown): JsonPart => JSON.stringify(value));

const encoded = new ConstantMap<object, Uint8Array>();

function bytesOf(constant: unknown, encode: EncodeText): Uint8Array {
  const known = encoded.get(constant as object);
  if (known) return known;
  const bytes = encode(JSON.stringify(constant));
  encoded.set(constant as object, bytes);
  return bytes;
}
