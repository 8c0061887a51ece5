// Tools as the chat API has them, which is also how the model keeps a definition: `Tool.source`.

import { functionTool, schemaKeys } from '../../model/accept-tools.js';
import type { ExactValue, Extra, Tool, ToolChoice } from '../../model/index.js';
import { isObject, setMember, toPlain } from '../../model/index.js';
import { keptJson } from '../../model/stringify-json.js';
import { isExactObject, keysOf, memberOf } from '../exact-members.js';
import { exactSchema, readDefinition } from '../tool-source.js';

// --- in rows, exact -------------------------------------------------------------------------------------

/** `{type: 'function', function: {…}}`, in which unknown members are kept. Undefined for any other shape. */
export function readTool(value: ExactValue): Tool | undefined {
  if (!isExactObject(value) || memberOf(value, 'type') !== 'function') return undefined;
  const inner = memberOf(value, 'function');
  if (!isExactObject(inner) || keysOf(value).length !== 2) return undefined;
  return readDefinition(inner, 'parameters', value);
}

/** The definition with nothing else beside it: its own, where that is kept and says the same. */
export function sayTool(tool: Tool): ExactValue {
  const { source } = tool;
  if (keptJson(source) !== undefined && isBare(tool)) return source as ExactValue;
  return functionTool(tool.name, tool.description, exactSchema(tool));
}

/** Whether its definition is written as `functionTool` writes one. */
function isBare({ source, name, description, parameters }: Tool): boolean {
  if (!isExactObject(source) || keysOf(source).join() !== 'type,function') return false;
  const inner = memberOf(source, 'function');
  if (memberOf(source, 'type') !== 'function' || !isExactObject(inner)) return false;
  const schema = memberOf(inner, 'parameters');
  const keys = ['name', ...(description === undefined ? [] : ['description'])];
  if (isExactObject(schema)) keys.push('parameters');
  else if (parameters !== undefined) return false;
  const says = memberOf(inner, 'name') === name && memberOf(inner, 'description') === description;
  return says && keysOf(inner).join() === keys.join();
}

// --- in requests ----------------------------------------------------------------------------------------

/** A tool of another kind, which is not ours to read, and where it stood in the list. */
export interface KeptTool {
  at: number;
  value: unknown;
}

/** `own`: the tools came by this API, so what they arrived as says more than we know. */
export function encodeTools(tools: readonly Tool[], own: boolean, kept: readonly KeptTool[]): unknown[] {
  const list = tools.map((tool) => (own && arrivedTool(tool)) || plainTool(tool));
  for (const { at, value } of kept) list.splice(Math.min(at, list.length), 0, value);
  return list;
}

function plainTool({ name, description, parameters }: Tool): unknown {
  const schema = isObject(parameters) ? parameters : { type: 'object', properties: {} };
  return functionTool(name, description, schema);
}

/** The definition as it arrived, with what was changed since. */
function arrivedTool(tool: Tool): unknown {
  const source = tool.source === undefined ? undefined : toPlain(tool.source);
  const inner = isObject(source) ? source.function : undefined;
  if (!isObject(source) || !isObject(inner)) return undefined;
  const { name, description, parameters, extra = {} } = tool;
  const schemaKey = schemaKeys.find((key) => Object.hasOwn(inner, key));
  const now: Extra = { ...extra, name, description, [schemaKey ?? 'parameters']: parameters };
  const definition = renewed(inner, now);
  for (const [key, value] of Object.entries(now)) {
    const stands = Object.hasOwn(inner, key) || Object.hasOwn(source, key);
    if (!stands && value !== undefined) setMember<unknown>(definition, key, value);
  }
  return renewed(source, { ...extra, type: source.type, function: definition });
}

/** The members of `from` in their order, with the values they have now; those without one are gone. */
function renewed(from: Extra, now: Extra): Extra {
  const out: Extra = {};
  for (const [key, before] of Object.entries(from)) {
    const value = Object.hasOwn(now, key) ? now[key] : undefined;
    if (value !== undefined || before === null) setMember<unknown>(out, key, value ?? null);
  }
  return out;
}

export function encodeChoice(choice: ToolChoice): ExactValue {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } };
}
