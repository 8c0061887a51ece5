// Notes on how a request was spelled where the model does not tell. They stand in `extra` under one key, beside
// the members the model has no word for, and only this API reads them.

import type { Extra } from '../../model/index.js';
import { fieldsOf } from '../values.js';

const KEY = 'spelling';

export interface Spelling {
  /** Of a message: whether its content was one string. A message without this note was not sent by a client. */
  content?: 'string' | 'blocks';
  /** Of a user's message that shared its content with the results before it: where its own parts stood. */
  places?: number[];
  /** Of a system message: it stood among the messages. */
  inline?: true;
  /** Of a part: a block the model has no word for, whole. */
  block?: unknown;
  /** Of a thought: it had no signature, and the client meant it so. */
  unsigned?: true;
  /** Of a request: how many tools it had, and those that run at a provider, with their places. */
  tools?: number;
  skipped?: { at: number; tool: unknown }[];
  /** A member that is really called like our key. */
  own?: unknown;
}

/** `{extra}` for these members and notes, or `{}` if there are none. */
export function noted(members: Extra | undefined, spelling: Spelling = {}): { extra?: Extra } {
  const notes =
    members !== undefined && Object.hasOwn(members, KEY) ? { ...spelling, own: members[KEY] } : spelling;
  if (Object.keys(notes).length === 0) return members === undefined ? {} : { extra: members };
  return { extra: { ...members, [KEY]: notes } };
}

export function spellingOf(extra: Extra | undefined): Spelling {
  const notes = extra !== undefined && Object.hasOwn(extra, KEY) ? extra[KEY] : undefined;
  return fieldsOf(notes) === undefined ? {} : (notes as Spelling);
}

/** What the client or the upstream said, without our notes. */
export function membersOf(extra: Extra | undefined): Extra {
  const { [KEY]: _, ...members } = extra ?? {};
  const spelling = spellingOf(extra);
  return Object.hasOwn(spelling, 'own') ? { ...members, [KEY]: spelling.own } : members;
}
