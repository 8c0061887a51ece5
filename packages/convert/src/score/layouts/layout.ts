// A layout of recorded outputs: where a row has the text, the tools, the expected calls.

import type { Dialect, ExactValue, Tool } from '@dragoman/core/internal';
import type { Row } from '../../forms/form.js';
import { inRow } from '../../forms/form.js';
import { isRow, memberOf } from '../../forms/members.js';
import { readTools } from '../../forms/tools.js';
import { areCalls, type FoundCall, readCalls } from '../calls.js';
import type { CheckedReading } from '../check-calls.js';
import { type Expected, readExpected } from '../expected.js';

export interface Layout {
  readonly name: string;
  /** One sentence. */
  readonly about: string;
  /** Whether its files are logs: archives, or documents that hold the rows in a member. */
  readonly isLog?: boolean;
  /** Throws a RowError. `given`: the dialect that all outputs are read in, which may be one of the user's own. */
  read(row: Row, paths: Paths, given?: Dialect): ReadRow;
}

/** Paths that are given in place of the layout's own, such as `doc.tools`. */
export interface Paths {
  text?: string | undefined;
  tools?: string | undefined;
  expect?: string | undefined;
  reader?: string | undefined;
}

export interface ReadRow {
  id?: string;
  /** The names that the row gives itself. */
  dialect?: string;
  model?: string;
  thinking?: boolean;
  tools: readonly Tool[];
  expected: Expected | undefined;
  /** The texts of the turns, for each of several answers to the same prompt. Empty: there is no raw output. */
  outputs: readonly (readonly string[])[];
  reader?: CheckedReading | undefined;
  /** Why it cannot be scored, in a word. */
  unscored?: string;
}

/** Finds `doc.tools` or `resps.0.0`. Undefined: absent or null. */
export function memberAtPath(row: Row, path: string): ExactValue | undefined {
  let value: ExactValue | undefined = row;
  for (const key of path.split('.')) {
    if (Array.isArray(value)) value = /^[0-9]{1,9}$/.test(key) ? value[Number(key)] : undefined;
    else value = isRow(value) ? memberOf(value, key) : undefined;
  }
  return value ?? undefined;
}

/** The first of these paths that the row has. */
export function firstMember(
  row: Row,
  paths: readonly string[],
): { path: string; value: ExactValue } | undefined {
  for (const path of paths) {
    const value = memberAtPath(row, path);
    if (value !== undefined) return { path, value };
  }
  return undefined;
}

export function toolsAt(row: Row, paths: readonly string[]): readonly Tool[] {
  const found = firstMember(row, paths);
  return found ? inRow(() => readTools(found.value, found.path)).tools : [];
}

export function expectedAt(row: Row, path: string): Expected | undefined {
  const value = memberAtPath(row, path);
  return value === undefined ? undefined : readExpected(value, path);
}

/** Reads a target if it is a list of calls: other tasks have other targets. */
export function expectedIfCalls(row: Row, path: string): Expected | undefined {
  const value = memberAtPath(row, path);
  return value !== undefined && areCalls(value) ? readExpected(value, path) : undefined;
}

/** Reads an engine's reading: a list of calls, or an answer with its text, as `{"text", "calls"}` or as a chat message. */
export function readerAt(row: Row, path: string | undefined): CheckedReading | undefined {
  const value = path === undefined ? undefined : memberAtPath(row, path);
  if (path === undefined || value === undefined) return undefined;
  if (!isRow(value)) return { calls: found(readCalls(value, path)), texts: undefined };
  const given = memberOf(value, 'calls') ?? memberOf(value, 'tool_calls');
  const text = memberOf(value, 'text') ?? memberOf(value, 'content');
  const isAnswer = given !== undefined || typeof text === 'string';
  return {
    calls: found(isAnswer ? readCalls(given ?? [], path) : readCalls(value, path)),
    texts: typeof text === 'string' ? [text] : undefined,
  };
}

function found(calls: ReturnType<typeof readCalls>): FoundCall[] {
  return calls.map(({ name, input = {} }) => ({ name, input }));
}

export function idOf(value: ExactValue | undefined): Pick<ReadRow, 'id'> {
  return typeof value === 'string' || typeof value === 'number' ? { id: String(value) } : {};
}
