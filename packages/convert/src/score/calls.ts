// Reads lists of calls in the shapes that datasets, engines and logs have:
//
//   {"name", "arguments"}   {"function": {"name", "arguments"}}   {"function": "name", "arguments"}   {"name": {…}}
//
// The list may be a single call, or text: JSON, or a Python literal, which programs in Python write for a list.

import type { ExactObject, ExactValue } from '@dragoman/core/internal';
import { wrongRow } from '../forms/form.js';
import { readGenerously } from '../forms/generous-json.js';
import { isRow, keysOf, memberAt, memberOf } from '../forms/members.js';

export interface FoundCall {
  name: string;
  input: ExactObject;
}

/** A call whose arguments are open where it has none. */
export interface NamedCall extends Pick<FoundCall, 'name'> {
  input: ExactObject | undefined;
}

const ARGUMENT_KEYS = ['arguments', 'input', 'parameters', 'args'];

/** Throws a RowError that names the path. */
export function readCalls(value: ExactValue, path: string): NamedCall[] {
  const list = listOf(value);
  if (list === undefined) throw wrongRow(path, 'a list of calls', value);
  return list.map((one, at) => {
    const call = readCall(one);
    if (call === undefined) throw wrongRow(`${path}[${at}]`, 'a call with a name and arguments', one);
    return call;
  });
}

/** Whether it can be read as calls: text of a target may be anything. */
export function areCalls(value: ExactValue): boolean {
  return listOf(value)?.every((one) => readCall(one) !== undefined) ?? false;
}

/** Gives the list of text that holds one, or of a single object; undefined for anything else. */
export function listOf(value: ExactValue): ExactValue[] | undefined {
  const read = typeof value === 'string' ? textValue(value) : value;
  if (Array.isArray(read)) return read;
  return isRow(read) ? [read] : undefined;
}

function textValue(text: string): ExactValue | undefined {
  const start = text.trimStart()[0];
  return start === '[' || start === '{' ? readGenerously(text)?.value : undefined;
}

function readCall(value: ExactValue): NamedCall | undefined {
  const given = typeof value === 'string' ? textValue(value) : value;
  if (!isRow(given)) return undefined;
  const inner = memberOf(given, 'function');
  if (isRow(inner)) return readCall(inner);
  const name = memberOf(given, 'name') ?? inner;
  if (typeof name === 'string') {
    const key = ARGUMENT_KEYS.find((one) => memberOf(given, one) !== undefined);
    return { name, input: key === undefined ? undefined : objectOf(memberOf(given, key)) };
  }
  const [only, ...others] = keysOf(given);
  if (only === undefined || others.length > 0) return undefined;
  const input = objectOf(memberAt(given, only));
  return input && { name: only, input };
}

/** Gives the object, or that of its text; undefined for anything else. */
function objectOf(value: ExactValue | undefined): ExactObject | undefined {
  const read = typeof value === 'string' ? (value.trim() === '' ? {} : textValue(value)) : value;
  return isRow(read) ? read : undefined;
}
