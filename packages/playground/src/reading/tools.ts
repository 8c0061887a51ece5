// Reads tools as the user types them: JSON, in any shape the library takes. A problem is reported with its place.

import { acceptTools, parseExact, UsageError } from '@dragoman/core';
import { type JsonNode, jsonTree } from '../parts/json-tree.js';

interface ToolsProblem {
  message: string;
  /** Counted from 1. */
  line: number;
  column: number;
  /** The characters at fault. */
  start: number;
  end: number;
}

export type ReadTools = { tools: unknown; names: string[] } | { problem: ToolsProblem };

export function readTools(text: string): ReadTools {
  if (text.trim() === '') return { tools: [], names: [] };
  try {
    parseExact(text);
  } catch (error) {
    return { problem: notJson(text, (error as Error).message) };
  }
  const tools: unknown = JSON.parse(text);
  try {
    return { tools, names: acceptTools(tools).map(({ name }) => name) };
  } catch (error) {
    return { problem: notTools(text, error) };
  }
}

/** Takes the place out of a message such as `line 2, column 5: expected …`. */
function notJson(text: string, said: string): ToolsProblem {
  const [, line = '1', column = '1', message = said] = /^line (\d+), column (\d+): (.*)$/s.exec(said) ?? [];
  const start = offsetOf(text, Number(line), Number(column));
  return {
    message,
    line: Number(line),
    column: Number(column),
    start,
    end: Math.min(text.length, start + 1),
  };
}

function notTools(text: string, error: unknown): ToolsProblem {
  const path = error instanceof UsageError ? (error.path ?? '') : '';
  const said = error instanceof Error ? error.message : String(error);
  const node = nodeAt(jsonTree(text), path);
  const start = node?.valueStart ?? 0;
  const end = node?.end ?? 0;
  const before = text.slice(0, start).split('\n');
  return { message: said, line: before.length, column: (before.at(-1) ?? '').length + 1, start, end };
}

/** Follows a path such as `tools[0].function.name` as far as it leads. */
function nodeAt(root: JsonNode | undefined, path: string): JsonNode | undefined {
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '' && step !== 'tools');
  let node = root;
  for (const step of steps) {
    const next = node?.children.find(({ key }) => key === step);
    if (!next) break;
    node = next;
  }
  return node;
}

function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let n = 1; n < line; n++) start = text.indexOf('\n', start) + 1;
  return Math.min(text.length, start + column - 1);
}
