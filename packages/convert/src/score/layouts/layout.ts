// A layout of recorded outputs: where a row has the text, the tools, the expected calls.

import type { Dialect, ExactObject, ExactValue, Tool } from '@dragoman/core/internal';
import type { Row } from '../../forms/form.js';
import { inRow, RowError, wrongRow } from '../../forms/form.js';
import { isRow, memberOf } from '../../forms/members.js';
import { readTools } from '../../forms/tools.js';
import { areCalls, type FoundCall, listOf, readCalls } from '../calls.js';
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
  /** The engine's own reading of each output. */
  readers?: readonly CheckedReading[] | undefined;
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

/** The readings of an engine that a row holds. */
interface Readings {
  list: CheckedReading[];
  /** Whether it is only a list of calls, which may be those of all texts together. */
  isCalls: boolean;
}

/**
 * Reads what an engine read: a list of calls, or an answer with its text, as `{"text", "calls"}` or as a chat message; or
 * a list of such readings. Undefined: the row has none.
 */
function readingsAt(row: Row, path: string): Readings | undefined {
  const value = memberAtPath(row, path);
  if (value === undefined) return undefined;
  const list = listOf(value) ?? [];
  const inner = list.some(Array.isArray) ? list.flat() : [];
  // Readings may be grouped as the answers are: a list for each request.
  const readings = inner.length > 0 && inner.every(isReading) ? inner : list;
  if (readings.length > 0 && readings.every(isReading))
    return { list: readings.map((one) => readingOf(one, path)), isCalls: false };
  if (readings.some(isReading) && !areCalls(value)) {
    const at = readings.findIndex((one) => !isReading(one));
    throw wrongRow(`${path}[${at}]`, 'the reading of an output', readings[at]);
  }
  return { list: [readingOf(value, path)], isCalls: true };
}

/** A single call is none: it would not tell whether it stands in a list of calls or of readings. */
function isReading(value: ExactValue): boolean {
  if (Array.isArray(value)) return true;
  if (typeof value === 'string') return value.trimStart().startsWith('[') && listOf(value) !== undefined;
  return isAnswer(value);
}

function isAnswer(value: ExactValue): value is ExactObject {
  if (!isRow(value)) return false;
  const { calls, text } = answerIn(value);
  return calls !== undefined || typeof text === 'string';
}

function answerIn(value: ExactObject) {
  return {
    calls: memberOf(value, 'calls') ?? memberOf(value, 'tool_calls'),
    text: memberOf(value, 'text') ?? memberOf(value, 'content'),
  };
}

function readingOf(value: ExactValue, path: string): CheckedReading {
  if (!isAnswer(value)) return { calls: found(readCalls(value, path)), texts: undefined };
  const { calls = [], text } = answerIn(value);
  return { calls: found(readCalls(calls, path)), texts: typeof text === 'string' ? [text] : undefined };
}

/** Gives the engine's reading of each of several outputs. Throws a RowError if there are more or fewer. */
export function readersAt(
  row: Row,
  path: string | undefined,
  outputs: number,
): readonly CheckedReading[] | undefined {
  const given = path === undefined ? undefined : readingsAt(row, path);
  if (path === undefined || given === undefined) return undefined;
  const { list, isCalls } = given;
  if (list.length === outputs) return list;
  const isEmpty = isCalls && list[0]?.calls.length === 0;
  throw otherNumber(path, outputs, isEmpty ? 0 : list.length);
}

/**
 * Gives the engine's reading of an output of several messages: the calls of all of them, or a reading for each. Throws a
 * RowError if there are more or fewer readings than messages.
 */
export function readerOfMessages(
  row: Row,
  path: string,
  messages: number,
): readonly CheckedReading[] | undefined {
  const given = readingsAt(row, path);
  if (given === undefined) return undefined;
  const { list, isCalls } = given;
  if (!isCalls && list.length !== messages) throw otherNumber(path, messages, list.length);
  const texts = list.map((one) => one.texts ?? []);
  const hasTexts = list.every((one) => one.texts !== undefined);
  return [{ calls: list.flatMap(({ calls }) => calls), texts: hasTexts ? texts.flat() : undefined }];
}

function otherNumber(path: string, expected: number, number: number): RowError {
  const readings =
    expected === 1 ? '1 reading of the engine' : `${expected} readings of the engine, one for each output`;
  return new RowError(path, `expected ${readings}, found ${number}`);
}

function found(calls: ReturnType<typeof readCalls>): FoundCall[] {
  return calls.map(({ name, input = {} }) => ({ name, input }));
}

export function idOf(value: ExactValue | undefined): Pick<ReadRow, 'id'> {
  return typeof value === 'string' || typeof value === 'number' ? { id: String(value) } : {};
}
