// Content blocks of this API, in requests and in rows.

import type { ExactValue } from '../../model/index.js';
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
