// Blocks that the model has no type for (redacted thinking, tools that run at the provider) are parts without text,
// whose `extra` is the block. The `extra` of every other part has no `type`, so the `type` marks such a block.

import type { Extra } from '../../model/index.js';
import { membersOf } from '../notes.js';

export function isBlock({ text }: { text: string }, members: Extra): boolean {
  return text === '' && typeof members.type === 'string';
}

/** Gives the block, if this part of an answer holds one. */
export function keptBlock(part: { text: string; extra?: Extra }): Extra | undefined {
  const members = membersOf(part.extra);
  return isBlock(part, members) ? members : undefined;
}
