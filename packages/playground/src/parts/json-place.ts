// Places in a JSON text: of a value by its path, of an error by its message.

import type { TextRange } from './editor-text.js';
import { type JsonNode, jsonTree, unquoted } from './json-tree.js';

/** Gives the range of `messages[1].tool_calls[0]["odd key"]`; of the nearest value around it if it does not exist. */
export function placeOf(json: string, path: string): TextRange {
  const node = nodeAt(json, path);
  return { from: node?.valueStart ?? 0, to: node?.end ?? json.length };
}

function nodeAt(json: string, path: string): JsonNode | undefined {
  let node = jsonTree(json);
  for (const [step] of path.matchAll(/"(?:[^"\\]|\\.)*"|[^.[\]"]+/g)) {
    const key = step.startsWith('"') ? unquoted(step, true) : step;
    const next = node?.children.find((child) => child.key === key);
    if (!next) break;
    node = next;
  }
  return node;
}

/** The line, from 1. */
export function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

/** Gives the offset of a message such as `line 2, column 6: …`. */
export function offsetOf(text: string, message: string): number {
  const [, line, column] = /line (\d{1,9}), column (\d{1,9})/.exec(message) ?? [];
  if (line === undefined || column === undefined) return 0;
  let start = 0;
  for (let n = 1; n < Number(line); n++) start = text.indexOf('\n', start) + 1;
  return Math.min(start + Number(column) - 1, text.length);
}
