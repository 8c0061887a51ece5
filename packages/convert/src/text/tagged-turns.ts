// Reads turns of hermes-function-calling files: calls and results as JSON between tags, in the text.

import type { AssistantMessage, ExactValue, ToolResult } from '@dragoman/core/internal';
import { readCalls } from '../forms/call-json.js';
import type { Note } from '../forms/form.js';
import { type Frames, readText } from '../forms/frame-text.js';
import { readStrictly } from '../forms/generous-json.js';
import { isRow, keysOf, memberAt, memberOf } from '../forms/members.js';
import { makeResult } from '../forms/plain-turns.js';

const OPEN = '<tool_call>';
const CLOSE = '</tool_call>';
const RESULT_OPEN = '<tool_response>';
const RESULT_CLOSE = '</tool_response>';

export const callTags: Frames = {
  firsts: '<',
  acts: (text, _, tail) => text.startsWith('tool_call>', tail),
};

/** Finds the tag only at the start of the text: anywhere else it belongs to the tool's output. */
export function resultTags(text: string): Frames {
  const first = text.length - text.trimStart().length;
  return {
    firsts: '<',
    acts: (_, at, tail) => at === first && text.startsWith('tool_response>', tail),
  };
}

type Parts = AssistantMessage['parts'];

/** Reads text and calls in their order. White space next to a tag belongs to the tag. */
export function readTaggedCalls(value: string, path: string, notes: Note[]): Parts {
  const parts: Parts = [];
  let from = 0;
  let open = value.indexOf(OPEN);
  while (open >= 0) {
    const close = value.indexOf(CLOSE, open);
    if (close < 0) {
      notes.push({ kind: 'issue', code: 'incomplete-call', path });
      break;
    }
    const read = readCalls(value.slice(open + OPEN.length, close).trim());
    if (read) {
      for (const code of read.repairs) notes.push({ kind: 'repair', code, path });
      addText(parts, value.slice(from, open), true, path, notes);
      parts.push(...read.calls);
      from = close + CLOSE.length;
    } else notes.push({ kind: 'issue', code: 'unreadable-call', path });
    open = value.indexOf(OPEN, close);
  }
  addText(parts, value.slice(from), parts.length > 0, path, notes);
  return parts;
}

function addText(parts: Parts, text: string, touches: boolean, path: string, notes: Note[]): void {
  const trimmed = touches ? trimBetween(text, parts.length > 0) : text;
  const inner = readText(trimmed, callTags, path, notes);
  if (inner !== '') parts.push({ type: 'text', text: inner });
}

function trimBetween(text: string, afterCall: boolean): string {
  return afterCall ? text.trim() : text.trimEnd();
}

/** Reads one result for each pair of tags; without tags, the whole text is one. */
export function readTaggedResults(value: string, path: string, notes: Note[]): ToolResult[] {
  const text = value.trim();
  if (!text.startsWith(RESULT_OPEN)) return [makeResult(readText(value, resultTags(value), path, notes))];
  const results: ToolResult[] = [];
  let at = 0;
  while (text.startsWith(RESULT_OPEN, at)) {
    const found = text.indexOf(RESULT_CLOSE, at);
    if (found < 0) notes.push({ kind: 'repair', code: 'missing-closer', path });
    const close = found < 0 ? text.length : found;
    results.push(taggedResult(text.slice(at + RESULT_OPEN.length, close).trim()));
    at = close + RESULT_CLOSE.length;
    while (at < text.length && text.charAt(at).trim() === '') at += 1;
  }
  if (at >= text.length) return results;
  // Text after the tags belongs to no result: then the whole text is kept as one.
  notes.push({ kind: 'issue', code: 'wrong-type', path });
  return [makeResult(value)];
}

/** Reads `{"name": …, "content": …}`, or any other output of the tool. */
function taggedResult(body: string): ToolResult {
  const value: ExactValue | undefined = body.startsWith('{') ? readStrictly(body)?.value : undefined;
  if (!isRow(value)) return makeResult(body);
  const name = memberOf(value, 'name');
  const content = memberAt(value, 'content');
  const isNamed = typeof name === 'string' && content !== undefined && keysOf(value).length === 2;
  return isNamed ? makeResult(content, name) : makeResult(body);
}
