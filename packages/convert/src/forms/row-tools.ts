// Rows of a file mostly end with one of a few lists of tools. A list that comes again, to the letter, is not read
// again: the row is read without it, and the list that was made before is put in its place.
//
//   {"id":"row-7","messages":[…]   ,"tools":[…]}
//   ^ read, with a brace behind it  ^ known
//
// If what stands before is an object with that brace, the whole is that object with one member more. Bounded, and
// begun anew when it is full.

import type { ExactValue, Tool } from '@dragoman/core/internal';
import { isExactly, parseJson } from '../quick/plain-json.js';
import { keepList, shareTools } from '../quick/shared-tools.js';
import { isRow, memberOf } from './members.js';
import { quickTool } from './tools.js';

const OPEN = ',"tools":[';
const CLOSE = '}}]}';
const MOST_LISTS = 1024;
const MOST_CHARACTERS = 4_000_000;
const LONGEST = 100_000;
const MOST_SEEN = 10_000;

const lists = new Map<string, readonly ExactValue[]>();
let characters = 0;
/** What was seen once, roughly: most lists of some files never come again, and are not worth keeping. */
const seen = new Set<number>();

/** As parseJson, with tools that nobody may change. */
export function parseJsonRow(text: string): ExactValue {
  const at = text.endsWith(CLOSE) ? text.lastIndexOf(OPEN) : -1;
  if (at < 0 || text.length - at > LONGEST) return parseJson(text);
  const tail = text.slice(at);
  const list = lists.get(tail) ?? remembered(tail);
  return (list && withList(`${text.slice(0, at)}}`, list)) ?? parseJson(text);
}

/** Undefined where the text is no object, or one that holds more than JavaScript's own reader sees. */
function withList(head: string, list: readonly ExactValue[]): ExactValue | undefined {
  let row: unknown;
  try {
    row = JSON.parse(head);
  } catch {
    return undefined;
  }
  const isWhole = isRow(row) && !(row instanceof Map) && Object.keys(row).length > 0;
  if (!isWhole || Object.hasOwn(row as object, 'tools') || !isExactly(head, row)) return undefined;
  return Object.assign(row as { [key: string]: ExactValue }, { tools: list as ExactValue[] });
}

function remembered(tail: string): readonly ExactValue[] | undefined {
  const mark = markOf(tail);
  if (!seen.has(mark)) {
    if (seen.size >= MOST_SEEN) seen.clear();
    seen.add(mark);
    return undefined;
  }
  const list = sharedList(`{${tail.slice(1)}`);
  if (!list) return undefined;
  if (lists.size >= MOST_LISTS || characters > MOST_CHARACTERS) {
    lists.clear();
    characters = 0;
  }
  characters += tail.length;
  // A copy: a piece of a text keeps the whole text.
  lists.set(JSON.parse(JSON.stringify(tail)) as string, list);
  return list;
}

/** The length and a few characters. */
function markOf(tail: string): number {
  let mark = tail.length;
  const step = Math.max(1, tail.length >> 6);
  for (let at = 0; at < tail.length; at += step) mark = (Math.imul(mark, 31) + tail.charCodeAt(at)) | 0;
  return mark;
}

/** The list of a text that is nothing else, where each of its tools is shared by who writes it the same. */
function sharedList(text: string): readonly ExactValue[] | undefined {
  let row: unknown;
  try {
    row = JSON.parse(text);
  } catch {
    return undefined;
  }
  const list = isRow(row) ? memberOf(row, 'tools') : undefined;
  if (!Array.isArray(list) || !isExactly(text, row) || JSON.stringify(row) !== text) return undefined;
  const tools = list.map(quickTool);
  // As they stand there: what is written in another shape has a definition of ours.
  const isOwn = tools.every((tool, at) => tool !== undefined && tool.source === list[at]);
  return isOwn ? keepList(shareTools(tools as Tool[])) : undefined;
}
