// What `extra` holds: the members of one API that the model has no field for and, under one key, notes on how that API
// spelled what the model does have a field for. Only the API that wrote a note reads it. Notes are JSON, so they
// survive wherever the model is stored, and removing `extra` removes them as well.

import type { Extra } from '../model/index.js';
import { isObject } from '../model/index.js';
import { setMember } from './values.js';

const KEY = 'dragoman:notes';

/** Gives `{extra}` with these members and notes, to be spread; `{}` where there are neither. */
export function withNotes(members: Extra | undefined, notes: object = {}): { extra?: Extra } {
  const clash = members !== undefined && Object.hasOwn(members, KEY);
  if (!clash && Object.keys(notes).length === 0) return members === undefined ? {} : { extra: members };
  // A client's member with the name of our key is moved into the notes, as `clash`.
  return { extra: { ...members, [KEY]: clash ? { ...notes, clash: members[KEY] } : notes } };
}

/** Reads the notes; `{}` if there are none. */
export function notesOf<N extends object>(extra: Extra | undefined): Partial<N> {
  const notes = extra !== undefined && Object.hasOwn(extra, KEY) ? extra[KEY] : undefined;
  return isObject(notes) ? (notes as Partial<N>) : {};
}

/** Gives the members of the client or the upstream, without our notes. */
export function membersOf(extra: Extra | undefined): Extra {
  const { [KEY]: _, ...members } = extra ?? {};
  const notes = notesOf<{ clash: unknown }>(extra);
  if (Object.hasOwn(notes, 'clash')) setMember(members, KEY, notes.clash);
  return members;
}

/** Gives the part with these notes added to its own. */
export function addNotes<P extends { extra?: Extra }>(part: P, notes: object): P {
  return { ...part, extra: { ...part.extra, [KEY]: { ...notesOf(part.extra), ...notes } } };
}

/** A note that several kinds of messages have: items without a type of ours, which came before the message. */
interface Before {
  before?: unknown[];
}

/** Gives `{extra}` of a message that takes another role: what only its old role had is gone. */
export function keptBefore(extra: Extra | undefined): { extra?: Extra } {
  const { before } = notesOf<Before>(extra);
  return before === undefined ? {} : withNotes(undefined, { before });
}

/** Gives `{extra}` of messages that become one. The first that has a member or a note counts; `before` is joined. */
export function joinExtra(extras: readonly (Extra | undefined)[]): { extra?: Extra } {
  const notes: Before = {};
  const members: Extra = {};
  for (const extra of extras.toReversed()) {
    Object.assign(notes, notesOf(extra));
    for (const [key, value] of Object.entries(membersOf(extra))) setMember(members, key, value);
  }
  const before = extras.flatMap((extra) => notesOf<Before>(extra).before ?? []);
  if (before.length > 0) notes.before = before;
  return withNotes(Object.keys(members).length > 0 ? members : undefined, notes);
}
