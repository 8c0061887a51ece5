// Divides the members of a row into those of the conversation and the rest.

import { type ExactValue, isForgetful, keysOf, memberOf, setMember } from '@dragoman/core/internal';
import { parseJson } from '../quick/plain-json.js';
import { type Note, type Row, type Transcript, wrongRow } from './form.js';

export {
  addExtra,
  isExactObject as isRow,
  keysOf,
  memberAt,
  memberOf,
  NOTE_PREFIX,
  putExtra,
} from '@dragoman/core/internal';

/** Gives the row's members that are not `known`, and the order of all keys. */
export function restOf(row: Row, known: ReadonlySet<string>): Required<Pick<Transcript, 'rest' | 'order'>> {
  const order = keysOf(row);
  const rest: [string, ExactValue][] = [];
  for (const key of order) {
    if (known.has(key)) continue;
    const value = row instanceof Map ? row.get(key) : row[key];
    if (value !== undefined) rest.push([key, value]);
  }
  return { rest, order };
}

/**
 * Joins the conversation's members and the rest into a row, in the order of the source. A member without a place there
 * follows the one it was written after, or comes where the conversation began. A rest member with the name of a
 * conversation's member is dropped, and noted.
 */
export function joinRow(
  conversation: readonly (readonly [key: string, value: ExactValue])[],
  { rest, order }: Transcript,
  notes: Note[],
): Row {
  const members = new Map(conversation);
  const others = new Map<string, ExactValue>();
  for (const [key, value] of rest) {
    if (members.has(key)) notes.push({ kind: 'loss', code: 'extra', path: key });
    else others.set(key, value);
  }
  return toRow(ordered(members, others, order));
}

function ordered(
  members: Map<string, ExactValue>,
  rest: Map<string, ExactValue>,
  order: readonly string[] | undefined,
): [string, ExactValue][] {
  if (order === undefined) return [...members, ...rest];
  const groups = groupsOf(members, new Set(order));
  const out: [string, ExactValue][] = [];
  let begun = false;
  for (const key of order) {
    const other = rest.get(key);
    if (other !== undefined) out.push([key, other]);
    else {
      if (!begun) out.push(...(groups.get('') ?? []));
      begun = true;
      out.push(...(groups.get(`${key}:`) ?? []));
    }
  }
  return begun ? out : [...members, ...out];
}

/** Groups the conversation's members: each that has a place, with those after it that have none. */
function groupsOf(
  members: Map<string, ExactValue>,
  placed: ReadonlySet<string>,
): Map<string, [string, ExactValue][]> {
  let group: [string, ExactValue][] = [];
  const groups = new Map([['', group]]);
  for (const member of members) {
    if (placed.has(member[0])) {
      group = [];
      groups.set(`${member[0]}:`, group);
    }
    group.push(member);
  }
  return groups;
}

function toRow(members: [string, ExactValue][]): Row {
  const forgetful = members.some(([key]) => isForgetful(key));
  if (forgetful) return new Map(members);
  const row: { [key: string]: ExactValue } = {};
  for (const [key, value] of members) setMember(row, key, value);
  return row;
}

/** Reads the list of messages, or its JSON text, which some tables hold. */
export function messageList(row: Row): ExactValue[] {
  const value = memberOf(row, 'messages');
  const list = typeof value === 'string' ? parsedList(value) : value;
  if (Array.isArray(list)) return list;
  throw wrongRow('messages', 'a list of messages', value);
}

function parsedList(text: string): ExactValue {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
