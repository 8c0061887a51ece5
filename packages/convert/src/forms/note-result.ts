// Notes what another form has in a result beside its text: content blocks, and other members.

import { type Extra, textTypes } from '@dragoman/core/internal';
import type { Note } from './form.js';
import { noteExtra, noteLoss } from './losses.js';
import { isRow, memberOf } from './members.js';

/** Images among the blocks are a loss of `media`; the split into several texts is one of `extra`. */
export function noteResult(notes: Note[], extra: Extra | undefined, path: string): void {
  const blocks = extra?.content;
  if (Array.isArray(blocks) && blocks.some(isMedia)) noteLoss(notes, 'media', path);
  noteExtra(notes, extra, path);
}

function isMedia(block: unknown): boolean {
  return isRow(block) && !textTypes.includes(memberOf(block, 'type'));
}
