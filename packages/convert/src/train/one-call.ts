// A row that allows only one call at a time. The gateway says so in the last message of a request; samples do not.

import { oneCallPath } from '@dragoman/core/internal';
import type { Note, Transcript } from '../forms/form.js';

/** Gives the note on such a row whose samples are written. Without tools, the gateway says nothing either. */
export function oneCallNotes({ conversation, rest }: Transcript): Note[] {
  const { tools, toolChoice, extra } = conversation;
  if (tools.length === 0 || toolChoice === 'none') return [];
  const path = oneCallPath(rest, extra);
  return path === undefined ? [] : [{ kind: 'loss', code: 'tool-choice', path }];
}
