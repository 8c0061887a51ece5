// Definitions of tools. The common shapes are read in place, without a copy; all others by the model's own door.

import {
  acceptToolsReport,
  type ExactValue,
  type Extra,
  type JsonSchema,
  keptJson,
  type Tool,
  toPlain,
} from '@dragoman/core/internal';
import { isPlainValue, parseJson } from '../quick/plain-json.js';
import { toolsOfList } from '../quick/shared-tools.js';
import type { Note, Row } from './form.js';
import { noteExtra, noteLoss } from './losses.js';
import { addExtra, isRow, keysOf, memberOf } from './members.js';
import { inRow, wrongRow } from './row-fault.js';

/** A definition that is no function (`web_search`, …), and its place in the list. */
export interface KeptTool {
  at: number;
  value: ExactValue;
}

export interface ToolsReading {
  tools: Tool[];
  kept: KeptTool[];
  /** There was a list, with nothing in it. */
  empty: boolean;
}

/** A list, or its JSON text, which is how tables hold it. */
export function readTools(value: ExactValue | undefined, path: string): ToolsReading {
  const list = typeof value === 'string' ? parseTools(value, path) : value;
  const reading: ToolsReading = { tools: [], kept: [], empty: Array.isArray(list) && list.length === 0 };
  if (list === undefined || list === null) return reading;
  if (!Array.isArray(list)) return { ...reading, tools: inRow(() => acceptToolsReport(list, path)).tools };
  const shared = toolsOfList(list);
  if (shared) return { ...reading, tools: [...shared] };
  for (const [at, given] of list.entries()) {
    const item = typeof given === 'string' ? parseTools(given, `${path}[${at}]`) : given;
    const tool = quickTool(item) ?? inRow(() => doorTool(list, item, path));
    if (tool === undefined) reading.kept.push({ at, value: given });
    else reading.tools.push(tool);
  }
  return reading;
}

function parseTools(text: string, path: string): ExactValue {
  if (text.trim() === '') return [];
  try {
    return parseJson(text);
  } catch {
    throw wrongRow(path, 'a list of tools, or its JSON', text);
  }
}

/** A fault is looked for again in the whole list, so that its path is right. */
function doorTool(list: ExactValue[], item: ExactValue, path: string): Tool | undefined {
  try {
    return acceptToolsReport([item], path).tools[0];
  } catch (error) {
    acceptToolsReport(list, path);
    throw error;
  }
}

/** `{type: 'function', function: {…}}` or `{name, description, input_schema}`, in which unknown members are kept. */
export function quickTool(value: ExactValue): Tool | undefined {
  if (!isRow(value)) return undefined;
  const inner = memberOf(value, 'function');
  if (memberOf(value, 'type') === 'function' && inner !== undefined) {
    if (!isRow(inner) || keysOf(value).length !== 2) return undefined;
    return definedTool(inner, 'parameters', value);
  }
  const type = memberOf(value, 'type') ?? 'custom';
  const flat = type === 'custom' && memberOf(value, 'input_schema') !== undefined;
  return flat ? definedTool(value, 'input_schema', undefined) : undefined;
}

function definedTool(inner: Row, schemaKey: string, source: Row | undefined): Tool | undefined {
  const name = memberOf(inner, 'name');
  const description = memberOf(inner, 'description');
  const schema = memberOf(inner, schemaKey);
  if (typeof name !== 'string' || name === '') return undefined;
  if (description !== undefined && typeof description !== 'string') return undefined;
  if (schema !== undefined && !isRow(schema)) return undefined;
  const tool: Tool = {
    name,
    ...(description !== undefined && { description }),
    ...(schema !== undefined && { parameters: plainSchema(schema) }),
    source: source ?? functionTool(name, description, schema),
  };
  addExtra(tool, inner, source === undefined ? anthropicKeys : openaiKeys);
  return tool;
}

const openaiKeys: ReadonlySet<string> = new Set(['name', 'description', 'parameters']);
const anthropicKeys: ReadonlySet<string> = new Set(['name', 'description', 'input_schema']);

export function plainSchema(schema: ExactValue): JsonSchema {
  return (isPlainValue(schema) ? schema : toPlain(schema)) as JsonSchema;
}

/** In OpenAI's shape. */
export function functionTool(
  name: string,
  description: string | undefined,
  schema: ExactValue | undefined,
): { [key: string]: ExactValue } {
  return {
    type: 'function',
    function: {
      name,
      ...(description !== undefined && { description }),
      ...(schema !== undefined && { parameters: schema }),
    },
  };
}

/** In OpenAI's shape with nothing else beside it: its own definition, where that is kept and says the same. */
export function sayTool(tool: Tool): ExactValue {
  const { source } = tool;
  if (keptJson(source) !== undefined && isBare(tool)) return source as ExactValue;
  return functionTool(tool.name, tool.description, exactSchema(tool));
}

/** Whether its definition is written as `functionTool` writes one. */
function isBare({ source, name, description, parameters }: Tool): boolean {
  if (!isRow(source) || keysOf(source).join() !== 'type,function') return false;
  const inner = memberOf(source, 'function');
  if (memberOf(source, 'type') !== 'function' || !isRow(inner)) return false;
  const schema = memberOf(inner, 'parameters');
  const keys = ['name', ...(description === undefined ? [] : ['description'])];
  if (isRow(schema)) keys.push('parameters');
  else if (parameters !== undefined) return false;
  const says = memberOf(inner, 'name') === name && memberOf(inner, 'description') === description;
  return says && keysOf(inner).join() === keys.join();
}

/** The schema with the digits its author wrote, where they are known. */
export function exactSchema({ source, parameters }: Tool): ExactValue | undefined {
  const inner = isRow(source) ? memberOf(source, 'function') : undefined;
  const exact = isRow(inner)
    ? (memberOf(inner, 'parameters') ?? memberOf(inner, 'inputSchema') ?? memberOf(inner, 'input_schema'))
    : undefined;
  return exact ?? parameters;
}

/** What the list holds, in the order it had: `kept` at the places where they stood. */
export function withKept(list: ExactValue[], kept: readonly KeptTool[]): ExactValue[] {
  for (const { at, value } of kept) list.splice(Math.min(at, list.length), 0, value);
  return list;
}

/** What another form cannot say of these definitions. */
export function noteTools(notes: Note[], tools: readonly Tool[], extra: Extra | undefined): void {
  for (const [at, tool] of tools.entries()) noteExtra(notes, tool.extra, `tools[${at}]`, 'type');
  for (const { at } of keptOf(extra)) noteLoss(notes, 'tools', `tools[${at}]`);
}

const KEPT = 'dragoman:tools';
const EMPTY = 'dragoman:no-tools';

/** What is noted of a list of tools, for the form that read it. */
export function toolNotes({ kept, empty }: ToolsReading): Extra | undefined {
  if (kept.length > 0) return { [KEPT]: kept };
  return empty ? { [EMPTY]: true } : undefined;
}

export function keptOf(extra: Extra | undefined): KeptTool[] {
  return (extra?.[KEPT] as KeptTool[] | undefined) ?? [];
}

export function wasEmpty(extra: Extra | undefined): boolean {
  return extra?.[EMPTY] === true;
}
