// The content of a tool result, where an API lets it be a list of blocks. The model's validation reads them, so that
// they mean the same in every API: texts and text documents are the output, and all blocks are kept beside it, as
// `content` of the `extra`.

import { textTypes } from '../model/accept-parts.js';
import { toResult } from '../model/accept-results.js';
import type { JsonValue, ToolResult } from '../model/index.js';
import { textDocument } from '../model/text-documents.js';
import { stringOf } from './values.js';

interface ResultContent {
  output: JsonValue;
  /** The blocks as they came, where they are more than one plain text. */
  content?: unknown;
}

/** Reads the content of the item or block at `path`. */
export function readContent(content: unknown, path: string): ResultContent {
  const fields = new Map([['content', content]]);
  const { output, extra } = toResult({ value: undefined, fields, type: 'tool_result', path, own: false });
  return extra?.content === undefined ? { output } : { output, content: extra.content };
}

/** Whether kept content still has the output that the result has. */
export function isCurrent(content: unknown, { output }: ToolResult): boolean {
  return JSON.stringify(readContent(content, '').output) === JSON.stringify(output);
}

/** Gives the blocks that the output has no text of. An output that is no string holds all of them already. */
export function resultMedia({ output, extra }: ToolResult): unknown[] {
  const blocks = typeof output === 'string' && Array.isArray(extra?.content) ? extra.content : [];
  return blocks.filter((block) => !isTextBlock(block));
}

export function isTextBlock(block: unknown): boolean {
  return textTypes.includes(stringOf(block, 'type') ?? 'text') || textDocument(block) !== undefined;
}

export function resultText({ output }: ToolResult): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}
