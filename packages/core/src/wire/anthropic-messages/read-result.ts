// Reads a `tool_result` block: a string, or blocks of text and images, which are kept beside their text.

import type { ExactValue, Extra, ToolResult } from '../../model/index.js';
import { addExtra, type ExactObject, isExactObject, keysOf, memberAt, memberOf } from '../exact-members.js';

/** Notes how the content or `is_error` of a result was spelled, where several spellings mean the same. */
export const RESULT = 'dragoman:result';

export interface ResultSpelling {
  /** The content was a list of one plain text, or absent. */
  content?: 'list' | 'absent';
  /** `is_error: false` was given explicitly. */
  fine?: true;
}

const resultKeys: ReadonlySet<string> = new Set(['type', 'tool_use_id', 'content', 'is_error']);

/** Reads a result; undefined if only `acceptMessages` can read it. */
export function readResult(block: ExactObject): ToolResult | undefined {
  const callId = memberOf(block, 'tool_use_id') ?? '';
  const failed = memberOf(block, 'is_error') ?? false;
  const content = memberAt(block, 'content');
  if (typeof callId !== 'string' || typeof failed !== 'boolean') return undefined;
  const output = outputOf(content);
  if (output === undefined) return undefined;
  const result: ToolResult = { type: 'tool-result', callId, output };
  if (failed) result.isError = true;
  addExtra(result, block, resultKeys);
  const kept = keptExtra(content, memberOf(block, 'is_error') === false);
  if (kept !== undefined) result.extra = { ...kept, ...result.extra };
  return result;
}

function outputOf(content: ExactValue | undefined): string | undefined {
  if (typeof content === 'string') return content;
  if (content === undefined || content === null) return '';
  if (!Array.isArray(content)) return undefined;
  let output = '';
  for (const block of content) {
    if (!isExactObject(block)) return undefined;
    const type = memberOf(block, 'type');
    const text = memberOf(block, 'text');
    if (type === 'text' && typeof text === 'string') output += text;
    else if (type !== 'image') return undefined;
  }
  return output;
}

function keptExtra(content: ExactValue | undefined, fine: boolean): Extra | undefined {
  const spelling: ResultSpelling = fine ? { fine } : {};
  if (content === undefined || content === null) spelling.content = 'absent';
  const blocks = Array.isArray(content) ? content : undefined;
  const [only] = blocks ?? [];
  const bare =
    blocks?.length === 1 &&
    isExactObject(only) &&
    memberOf(only, 'type') === 'text' &&
    keysOf(only).length === 2;
  if (bare) spelling.content = 'list';
  const noted = Object.keys(spelling).length > 0 ? { [RESULT]: spelling } : undefined;
  return blocks !== undefined && !bare ? { ...noted, content: blocks } : noted;
}
