// What an issue or a repair says, in the language of the page. The English words are those of `dragoman explain`.

import type { Issue } from '@dragoman/core';
import { meaningOfIssue } from '@dragoman/core/internal';
import { words } from '../words/words.js';
import type { TextNote } from './text-reading.js';

/** What happened. */
export function noteMessage({ type, code, message }: Pick<TextNote, 'type' | 'code' | 'message'>): string {
  return (type === 'repair' && words().meanings.repair(code)) || message;
}

/** What an issue means and what to do. */
export function meaningWords({ code }: Pick<TextNote, 'code'>): string {
  return words().meanings.issue(code) ?? meaningOfIssue({ code } as Pick<Issue, 'code'>);
}
