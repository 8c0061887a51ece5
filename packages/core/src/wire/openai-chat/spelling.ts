// How a client spelled its request, so that a request that is passed on unchanged is written as it came.
//
// An encoder writes its own spelling, in groups of members that mean something together. Where the client's spelling
// differs, a note keeps the client's members together with their meaning. The note is used only while the encoder's
// meaning is still the same, so it never undoes a change of the request.

import { isConstant } from '../../model/constants.js';
import type { Extra } from '../../model/index.js';
import { membersOf } from '../notes.js';
import { sameJson } from '../same-json.js';
import { type Fields, setMember, toOpaque } from '../values.js';

export interface Group {
  name: string;
  /** Every member that can express it, in any spelling. */
  keys: readonly string[];
  /** Our spelling. */
  members: Extra;
  /** The meaning, if it is not just the members. */
  meaning?: unknown;
}

export interface Note {
  /** The client's order of members, if it differs from ours. */
  order?: string[];
  spelled?: Record<string, { as: Extra; meaning: unknown }>;
}

/** Whether the meaning of every noted group is unchanged. */
export function holds(groups: Group[], note: Note | undefined): boolean {
  return groups.every((group) => {
    const spelled = note?.spelled?.[group.name];
    return spelled === undefined || sameJson(spelled.meaning, meaningOf(group));
  });
}

/** Writes one object of these groups and the rest, in the noted spelling wherever its meaning is unchanged. */
export function writeMembers(groups: Group[], rest: Extra, note: Note | undefined): Extra {
  const out: Extra = {};
  for (const group of groups) {
    const spelled = note?.spelled?.[group.name];
    const holds = spelled !== undefined && sameJson(spelled.meaning, meaningOf(group));
    copyMembers(out, holds ? spelled.as : group.members);
  }
  copyMembers(out, rest);
  return note?.order === undefined ? out : inOrder(out, note.order);
}

/** Gives the note with which writeMembers restores `source`. */
export function noteSpelling(source: Fields, groups: Group[], rest: Extra, path: string): Note {
  const spelled: Record<string, { as: Extra; meaning: unknown }> = {};
  for (const group of groups) {
    const as = pickKeys(source, group.keys, path);
    if (!sameJson(as, group.members)) spelled[group.name] = { as, meaning: toOpaque(meaningOf(group), path) };
  }
  const note: Note = Object.keys(spelled).length > 0 ? { spelled } : {};
  const order = [...source.keys()];
  const written = Object.keys(writeMembers(groups, rest, note));
  if (written.some((key, at) => key !== order[at])) note.order = order;
  return note;
}

/** Gives the members that belong to no group. */
export function restOf(extra: Extra | undefined, groups: Group[], ...others: string[]): Extra {
  const known = new Set([...groups.flatMap((group) => group.keys), ...others]);
  const rest: Extra = {};
  for (const [key, value] of Object.entries(membersOf(extra)))
    if (!known.has(key)) setMember<unknown>(rest, key, value);
  return rest;
}

function meaningOf({ meaning, members }: Group): unknown {
  return meaning === undefined ? members : meaning;
}

/** Copies these members. A constant needs no copy. */
function pickKeys(source: Fields, keys: readonly string[], path: string): Extra {
  const members: Extra = {};
  for (const [key, value] of source)
    if (keys.includes(key))
      setMember<unknown>(members, key, isConstant(value) ? value : toOpaque(value, path));
  return members;
}

export function copyMembers(to: Extra, from: Extra): void {
  for (const [key, value] of Object.entries(from))
    if (value !== undefined) setMember<unknown>(to, key, value);
}

function inOrder(members: Extra, order: string[]): Extra {
  const out: Extra = {};
  for (const key of order) if (Object.hasOwn(members, key)) setMember<unknown>(out, key, members[key]);
  for (const key of Object.keys(members))
    if (!Object.hasOwn(out, key)) setMember<unknown>(out, key, members[key]);
  return out;
}
