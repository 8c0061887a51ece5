// Blocks the model has no word for (a sealed thought, what a server's own tool did): a part without text, whose
// `extra` is the block. Every other part's type is taken off it, so that the type tells.

import type { Extra } from '../../model/index.js';
import { membersOf } from '../notes.js';

export function isBlock({ text }: { text: string }, members: Extra): boolean {
  return text === '' && typeof members.type === 'string';
}

/** The block, if this part of an answer is one. */
export function keptBlock(part: { text: string; extra?: Extra }): Extra | undefined {
  const members = membersOf(part.extra);
  return isBlock(part, members) ? members : undefined;
}
