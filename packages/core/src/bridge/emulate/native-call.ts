// A call that an upstream tells apart itself, read as if a parser had read it: complete, or not to be read.

import type { CallEnd, CallError, Issue, IssueCode, JsonObject, Range, Tool } from '../../model/index.js';
import { isObject } from '../../model/index.js';
import { validateInput } from './validate-input.js';

const NOWHERE: Range = [0, 0];

export function nativeCall(
  id: string,
  name: string,
  raw: string,
  tool: Tool | undefined,
): CallEnd | CallError {
  const input = inputOf(raw);
  if (!input) {
    const issues = [issue('unreadable-call', 'The arguments of a call are no JSON object.')];
    return { type: 'call-error', range: NOWHERE, id, name, issues };
  }
  return { type: 'call-end', range: NOWHERE, id, name, input, raw, issues: issuesOf(name, input, tool) };
}

function issuesOf(name: string, input: JsonObject, tool: Tool | undefined): Issue[] {
  if (!tool) return [issue('unknown-tool', `No tool named ${JSON.stringify(name)} was declared.`)];
  return validateInput(tool.parameters ?? true, input).map((message) => issue('schema-mismatch', message));
}

function issue(code: IssueCode, message: string): Issue {
  return { code, range: NOWHERE, message };
}

function inputOf(raw: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(raw);
    return isObject(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
