// What a tool answered, where an API lets it be a list of blocks. The model's own validation reads them, so that every API
// means the same by them: texts are the output, and what is no text is kept beside it, as `content` of the `extra`.

import { textTypes } from '../model/accept-parts.js';
import { toResult } from '../model/accept-results.js';
import type { JsonValue, ToolResult } from '../model/index.js';
import { stringOf } from './values.js';

interface ResultContent {
  output: JsonValue;
  /** The blocks as they came, where they are more than one bare text. */
  content?: unknown;
}

/** `path` is that of the item or block the content stands in. */
export function readContent(content: unknown, path: string): ResultContent {
  const fields = new Map([['content', content]]);
  const { output, extra } = toResult({ value: undefined, fields, type: 'tool_result', path, own: false });
  return extra?.content === undefined ? { output } : { output, content: extra.content };
}

/** Whether content that was kept still says what the result says. */
export function isCurrent(content: unknown, { output }: ToolResult): boolean {
  return JSON.stringify(readContent(content, '').output) === JSON.stringify(output);
}

/** The blocks beside the text. A value that is no text holds all of them already. */
export function resultMedia({ output, extra }: ToolResult): unknown[] {
  const blocks = typeof output === 'string' && Array.isArray(extra?.content) ? extra.content : [];
  return blocks.filter((block) => !textTypes.includes(stringOf(block, 'type') ?? 'text'));
}

export function resultText({ output }: ToolResult): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}
