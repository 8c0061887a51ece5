// Calls and results as a person reads them.

import { type JsonObject, type JsonValue, stringifyJson, type ToolResult } from '@dragoman/core';
import { colors } from '../terminal.js';
import { cutLines } from '../visible-text.js';
import { plainly } from './plainly.js';

/** Lines of a result that are shown before it is folded. */
const SHOWN = 6;

/** The whole call, an argument a line; texts of several lines as they are. */
export function showCall(name: string, input: JsonObject, width: number): string {
  const lines = Object.entries(input).flatMap(([key, value]) => showArgument(plainly(key), value, width));
  return [callHead(name), ...lines].join('\n');
}

export function callHead(name: string): string {
  return `${colors.cyan('→')} ${colors.bold(colors.cyan(plainly(name).replaceAll('\n', '⏎')))}`;
}

function showArgument(key: string, value: JsonValue, width: number): string[] {
  const label = `  ${key.replaceAll('\n', '⏎')}: `;
  const text = plainly(typeof value === 'string' ? value : stringifyJson(value, 'compact'));
  const lines = cutLines(text.replaceAll('\t', '    '), width - 4);
  const [only] = lines;
  if (lines.length === 1 && only !== undefined && label.length + only.length <= width) return [label + only];
  return [label, ...lines.map((line) => `  ${colors.dim('│')} ${line}`)];
}

/** Whether a call says all of itself in one line of JSON that is easily read. */
export function isPlainCall(input: JsonObject): boolean {
  const json = stringifyJson(input, 'compact');
  return json.length <= 200 && !json.includes('\\n');
}

export function outputText({ output }: ToolResult): string {
  return typeof output === 'string' ? output : stringifyJson(output, 'compact', 2);
}

export interface Folded {
  lines: string[];
  /** How many lines are not among them. */
  more: number;
}

/** The first lines, cut to the width. One line more is shown rather than announced. */
export function foldText(text: string, width: number): Folded {
  const lines = cutLines(plainly(text.trimEnd().replaceAll('\r\n', '\n').replaceAll('\t', '    ')), width);
  if (lines.length <= SHOWN + 1) return { lines, more: 0 };
  return { lines: lines.slice(0, SHOWN), more: lines.length - SHOWN };
}

export function inGutter(lines: readonly string[], isError: boolean): string {
  const gutter = isError ? colors.red('│') : colors.dim('│');
  return lines.map((line) => `  ${gutter} ${line}`).join('\n');
}
