// Reads tools as the user types them: JSON, in any shape the library takes. A problem is reported with its place.

import { acceptTools, parseExact, UsageError } from '@dragoman/core';
import { isObject } from '@dragoman/core/internal';
import type { TextRange } from '../parts/editor-text.js';
import { lineOf, offsetOf, placeOf } from '../parts/json-place.js';

export interface ToolsProblem {
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
  const value: unknown = JSON.parse(text);
  const tools = isLone(value) ? [value] : value;
  try {
    return { tools, names: acceptTools(tools).map(({ name }) => name) };
  } catch (error) {
    const path = (error instanceof UsageError && error.path) || '';
    return { problem: toolsProblem(text, path, error instanceof Error ? error.message : String(error)) };
  }
}

/** One tool without a list around it. A record of the AI SDK has tools as members, not a name. */
function isLone(value: unknown): boolean {
  return isObject(value) && (typeof value.name === 'string' || isObject(value.function));
}

/** Takes the place out of a message such as `line 2, column 5: expected …`. */
function notJson(text: string, error: string): ToolsProblem {
  const [, message = error] = /^line \d+, column \d+: (.*)$/s.exec(error) ?? [];
  const start = offsetOf(text, error);
  return problemAt(text, message, { from: start, to: Math.min(text.length, start + 1) });
}

/** Finds the place of a problem by its path, such as `tools[1].name`. */
export function toolsProblem(text: string, path: string, message: string): ToolsProblem {
  const isList = text.trimStart().startsWith('[');
  return problemAt(text, message, placeOf(text, path.replace(isList ? /^tools/ : /^tools(\[0\])?/, '')));
}

function problemAt(text: string, message: string, { from: start, to: end }: TextRange): ToolsProblem {
  const column = start - text.slice(0, start).lastIndexOf('\n');
  return { message, line: lineOf(text, start), column, start, end };
}
