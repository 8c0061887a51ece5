// Writes calls as JSON in markers, as a declaration spells them.

import type { JsonCalls, Spellings } from '../../engine/declaration.js';
import type { Writer } from '../../engine/dialect.js';
import { callField } from '../../engine/message-text.js';
import { stringifyJson, type ToolCall } from '../../model/index.js';
import { firstOf } from '../declared/family.js';
import { argumentsText } from '../writing/call-arguments.js';
import { toPythonWords } from '../writing/python-text.js';

/** The text before the first call, between two, and after the last. */
export interface JsonLayout {
  before: string;
  between: string;
  behind: string;
}

export function jsonLayout(calls: JsonCalls): JsonLayout {
  const { shape, between = '\n', inside = ['', ''], wrapper } = calls;
  const marker = firstOf(calls.open);
  const list = shape === 'list' ? '[' : '';
  // The marker may include the bracket of the list: `functools[`.
  const begun = list !== '' && marker.endsWith('[') ? marker.slice(0, -1) : marker;
  const open = begun + inside[0] + (wrapper === undefined ? '' : `{${JSON.stringify(wrapper)}: `) + list;
  const close =
    (list && ']') +
    (wrapper === undefined ? '' : '}') +
    inside[1] +
    (marker === '' ? '' : firstOf(calls.close));
  const joint = list ? ', ' : shape === 'objects' ? between : close + between + open;
  return { before: open, between: joint, behind: close };
}

export function writeJsonCalls(
  out: Writer,
  given: readonly ToolCall[],
  afterText: boolean,
  calls: JsonCalls,
): void {
  if (given.length === 0) return;
  const { before, between, behind } = jsonLayout(calls);
  if (afterText) out.ours(calls.before ?? '\n');
  for (const [at, call] of given.entries()) writeCall(out.ours(at === 0 ? before : between), call, calls);
  out.ours(behind);
}

function writeCall(out: Writer, call: ToolCall, calls: JsonCalls): void {
  const field = callField(call);
  const value = (role: KeyRole) => {
    const json = role === 'arguments' ? argumentsText(call) : stringifyJson(call[role], 'python');
    return calls.python ? toPython(json) : json;
  };
  if (calls.keys === 'name-is-key') {
    out.ours('{').jsonText(value('name'), field).ours(': ').jsonText(value('arguments'), field).ours('}');
    return;
  }
  for (const { role, head } of membersOf(calls)) out.ours(head).jsonText(value(role), field);
  out.ours('}');
}

/** A member of a call, with what is written before its value. */
interface CallMember {
  role: KeyRole;
  head: string;
}

/** Made once for each declaration: a history has hundreds of calls. */
const members = new WeakMap<JsonCalls, readonly CallMember[]>();

function membersOf(calls: JsonCalls): readonly CallMember[] {
  const known = members.get(calls);
  if (known) return known;
  const { keys, python } = calls;
  const made = (typeof keys === 'string' ? [] : orderedKeys(keys)).map(([role, own], at) => {
    const key = JSON.stringify(firstOf(own));
    return { role, head: `${at === 0 ? '{' : ', '}${python ? toPython(key) : key}: ` };
  });
  members.set(calls, made);
  return made;
}

type KeyRole = 'name' | 'id' | 'arguments';

/** Gives the keys of a call in the order in which they are declared, which is the vendor's. */
export function orderedKeys(keys: Exclude<JsonCalls['keys'], string>): [role: KeyRole, own: Spellings][] {
  return (Object.keys(keys) as KeyRole[]).flatMap((role) => {
    const own = keys[role];
    return own === undefined ? [] : [[role, own]];
  });
}

/** Turns JSON into Python's spelling: strings in single quotes, True, False and None. */
export function toPython(json: string): string {
  return toPythonWords(
    json,
    (string) => `'${string.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`,
  );
}
