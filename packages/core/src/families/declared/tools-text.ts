// Writes and reads tool definitions in a declared text.

import type { ToolsText } from '../../engine/declaration.js';
import type { Writer } from '../../engine/dialect.js';
import { type ExactValue, stringifyJson, type Tool } from '../../model/index.js';
import {
  isRecord,
  membersOf,
  readToolLines,
  readToolList,
  toolFunction,
  toolSource,
  type WriteTools,
  writeToolLines,
} from '../writing/tool-text.js';

export function writeToolsText(out: Writer, tools: readonly Tool[], declared: ToolsText): void {
  const [before = '', behind = ''] = (declared.text ?? '{tools}').split('{tools}');
  const show = declared.tools === 'openai' ? toolSource : toolFunction;
  out.ours(before);
  if (declared.layout === 'list') writeList(out, tools.map(show), declared.indent);
  else if (declared.each === undefined) writeToolLines(out, tools, show);
  else writeFramed(out, tools.map(show), frameOf(declared.each));
  out.ours(behind);
}

export function toolsIn(declared: ToolsText): WriteTools {
  return (out, tools) => writeToolsText(out, tools, declared);
}

/**
 * Reads the definitions from the part of the text that differs from tool to tool. The outermost frame is not part of
 * it.
 */
export function readToolsText(text: string, { layout, each }: ToolsText): ExactValue[] | undefined {
  if (layout === 'list') return readToolList(text);
  const [open, close] = frameOf(each ?? '{tool}');
  return readToolLines(text.replaceAll(`${close}\n${open}`, '\n'));
}

/** Lists the tags around the definitions, and around each of them: no description may write one. */
export function toolFrames({ text = '', each = '' }: ToolsText = {}): string[] {
  return [text.split('{tools}'), each.split('{tool}')]
    .flatMap(([before = '', behind = '']) => {
      const open = before.trimEnd();
      const close = behind.trimStart();
      return [open.slice(open.lastIndexOf('<')), close.slice(0, close.indexOf('>') + 1)];
    })
    .filter((tag) => /^<[^<>\s]+>$/.test(tag));
}

function frameOf(each: string): readonly [open: string, close: string] {
  const [open = '', close = ''] = each.split('{tool}');
  return [open, close];
}

function writeFramed(
  out: Writer,
  tools: readonly ExactValue[],
  [open, close]: readonly [string, string],
): void {
  for (const [at, tool] of tools.entries())
    out
      .ours(at > 0 ? `\n${open}` : open)
      .json(tool, `tools[${at}]`)
      .ours(close);
}

function writeList(out: Writer, tools: readonly ExactValue[], indent: number | undefined): void {
  if (indent === undefined) out.json([...tools], 'tools');
  else out.jsonText(indented([...tools], ' '.repeat(indent), '\n'), 'tools');
}

/** Writes JSON as Python's `json.dumps` with `indent`. */
function indented(value: ExactValue, step: string, line: string): string {
  const deeper = line + step;
  const inLines = (open: string, items: readonly string[], close: string) =>
    items.length === 0 ? open + close : `${open}${deeper}${items.join(`,${deeper}`)}${line}${close}`;
  if (Array.isArray(value))
    return inLines(
      '[',
      value.map((item) => indented(item, step, deeper)),
      ']',
    );
  if (!isRecord(value)) return stringifyJson(value, 'python');
  const members = membersOf(value).map(
    ([key, item]) => `${stringifyJson(key, 'python')}: ${indented(item, step, deeper)}`,
  );
  return inLines('{', members, '}');
}
