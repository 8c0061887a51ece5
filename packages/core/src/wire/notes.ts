// What is kept in `extra`: the members of one API that the model has no word for and, under one key, notes on how
// that API spelled what the model does have a word for. Only the API that wrote a note reads it. Notes are JSON:
// they survive wherever the model itself survives, and cleaning `extra` removes them as well.

import type { Extra } from '../model/index.js';
import { isObject } from '../model/index.js';
import { setMember } from './values.js';

const KEY = 'dragoman:notes';

/** `{extra}` of these members and notes, to be spread; nothing where neither says anything. */
export function withNotes(members: Extra | undefined, notes: object = {}): { extra?: Extra } {
  const clash = members !== undefined && Object.hasOwn(members, KEY);
  if (!clash && Object.keys(notes).length === 0) return members === undefined ? {} : { extra: members };
  // A member of a client that has our key's name gives way and is kept inside.
  return { extra: { ...members, [KEY]: clash ? { ...notes, clash: members[KEY] } : notes } };
}

/** What was noted: nothing, where there is no note. */
export function notesOf<N extends object>(extra: Extra | undefined): Partial<N> {
  const notes = extra !== undefined && Object.hasOwn(extra, KEY) ? extra[KEY] : undefined;
  return isObject(notes) ? (notes as Partial<N>) : {};
}

/** The members of the client or the upstream, without our notes. */
export function membersOf(extra: Extra | undefined): Extra {
  const { [KEY]: _, ...members } = extra ?? {};
  const notes = notesOf<{ clash: unknown }>(extra);
  if (Object.hasOwn(notes, 'clash')) setMember(members, KEY, notes.clash);
  return members;
}

/** The part with these notes beside those it has. */
export function addNotes<P extends { extra?: Extra }>(part: P, notes: object): P {
  return { ...part, extra: { ...part.extra, [KEY]: { ...notesOf(part.extra), ...notes } } };
}
