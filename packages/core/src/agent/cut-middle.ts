// A text that is too long loses its middle, and says so: the beginning tells what it is, the end how it went.

import type { JsonValue } from '../model/index.js';
import { stringifyJson } from '../model/index.js';

/** At most `limit` characters, or as many as the note needs. */
export function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const kept = Math.max(0, limit - noteOf(text.length).length);
  const head = edge(text, Math.ceil(kept / 2), -1);
  const tail = edge(text, text.length - Math.floor(kept / 2), 1);
  return text.slice(0, head) + noteOf(tail - head) + text.slice(tail);
}

/** A value whose JSON is too long becomes text, cut. */
export function cutOutput(output: JsonValue, limit: number): JsonValue {
  const text = typeof output === 'string' ? output : stringifyJson(output, 'compact');
  return text.length <= limit ? output : cutMiddle(text, limit);
}

function noteOf(count: number): string {
  return `\n[${count} characters left out here: the result was too long]\n`;
}

/** Never between the halves of a surrogate pair, which then goes with the middle. */
function edge(text: string, at: number, outwards: 1 | -1): number {
  const code = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  const inPair = code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
  return inPair ? at + outwards : at;
}
