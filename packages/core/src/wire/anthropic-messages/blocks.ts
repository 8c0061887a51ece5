// Content blocks of this API, in requests and in rows.

import type { ExactValue, Extra } from '../../model/index.js';
import { membersOf } from '../notes.js';
import type { Members } from '../transcript-codec.js';

export function textBlock(text: string): Members {
  return { type: 'text', text };
}

export function thinkingBlock(thinking: string): Members {
  return { type: 'thinking', thinking };
}

export function callBlock(id: string, name: string, input: ExactValue): Members {
  return { type: 'tool_use', id, name, input };
}

export function resultBlock(callId: string): Members {
  return { type: 'tool_result', tool_use_id: callId };
}

/** Gives one string if the only block is plain text. */
export function toContent(blocks: ExactValue[]): ExactValue {
  const [only, second] = blocks as Members[];
  if (only === undefined) return '';
  if (second !== undefined || only.type !== 'text' || Object.keys(only).length !== 2) return blocks;
  return only.text as ExactValue;
}

/**
 * Whether the part holds a block that the model has no type for (redacted thinking, tools that run at the provider): it
 * has no text, and its `extra` is the block. The `extra` of every other part has no `type`.
 */
export function isBlock({ text }: { text: string }, members: Extra): boolean {
  return text === '' && typeof members.type === 'string';
}

export function keptBlock(part: { text: string; extra?: Extra }): Extra | undefined {
  const members = membersOf(part.extra);
  return isBlock(part, members) ? members : undefined;
}
