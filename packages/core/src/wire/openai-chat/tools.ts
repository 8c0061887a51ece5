// Reads and writes tools of the chat API. The model keeps definitions in this shape, too: `Tool.source`.

import { functionTool, schemaKeys } from '../../model/accept-tools.js';
import { isConstant, onceConstant } from '../../model/constants.js';
import { freeformTool, isFreeform } from '../../model/freeform.js';
import type { Conversation, ExactValue, Extra, Freeform, Tool, ToolChoice } from '../../model/index.js';
import { acceptConversation, isObject, setMember, toPlain } from '../../model/index.js';
import { isPlainValue } from '../../model/json.js';
import { keptJson } from '../../model/stringify-json.js';
import { asListed, keptFor, listOf } from '../decoded-tools.js';
import { isExactObject, keysOf, memberOf } from '../exact-members.js';
import { Members } from '../members.js';
import { exactSchema, readDefinition } from '../tool-source.js';
import { memberOf as memberOfAny, stringOf } from '../values.js';

// --- in rows, exact -------------------------------------------------------------------------------------

/** Reads `{type: 'function', function: {…}}` and keeps unknown members. Undefined for any other shape. */
export function readTool(value: ExactValue): Tool | undefined {
  if (!isExactObject(value) || memberOf(value, 'type') !== 'function') return undefined;
  const inner = memberOf(value, 'function');
  if (!isExactObject(inner) || keysOf(value).length !== 2) return undefined;
  return readDefinition(inner, 'parameters', value);
}

/** Writes the definition without other members: the source itself, if it is kept and has no others. */
export function bareTool(tool: Tool): ExactValue {
  const { source } = tool;
  if (keptJson(source) !== undefined && isBare(tool)) return source as ExactValue;
  return functionTool(tool.name, tool.description, exactSchema(tool));
}

/** Whether the source is just what `functionTool` would write. */
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

/** A tool that runs at the provider, as it came, and its index in the list. */
export interface KeptTool {
  at: number;
  value: unknown;
}

/** `own`: the tools came by this API, so their sources may hold more members than we know. */
export function encodeTools(tools: readonly Tool[], own: boolean, kept: readonly KeptTool[]): unknown[] {
  const written = own ? ownTools(tools) : foreignTools(tools);
  if (kept.length === 0) return written;
  const list = [...written];
  for (const { at, value } of kept) list.splice(Math.min(at, list.length), 0, value);
  return list;
}

const ownTools = onceConstant(
  (tools: readonly Tool[]) =>
    listOf(tools) ??
    asListed(
      tools,
      tools.map((tool) => customTool(tool) ?? arrivedTool(tool) ?? plainTool(tool)),
    ),
);
const foreignTools = onceConstant((tools: readonly Tool[]) =>
  keptFor(
    tools,
    tools.map((tool) => customTool(tool) ?? plainTool(tool)),
  ),
);

/** Reads `{type: 'custom', custom: {name, description, format}}` as one of the model's tools; undefined for any other. */
export function decodeCustom(value: unknown, path: string): Tool | undefined {
  const custom = stringOf(value, 'type') === 'custom' ? memberOfAny(value, 'custom') : undefined;
  if (custom === undefined) return undefined;
  const members = Members.of(custom, `${path}.custom`, 'a custom tool: {name, description, format}');
  const name = members.requiredString('name', "the tool's name");
  const description = members.string('description');
  return freeformTool(name, description, decodeFormat(members));
}

/** Reads {type: 'text'} or {type: 'grammar', grammar: {syntax, definition}}. */
function decodeFormat(members: Members): Freeform {
  const given = members.take('format');
  if (given === undefined) return {};
  const format = Members.of(given, members.at('format'), 'a format: {type, …}');
  if (format.requiredString('type', 'the type of a format') !== 'grammar') return {};
  const path = format.at('grammar');
  const grammar = Members.of(format.take('grammar'), path, 'a grammar: {syntax, definition}');
  const syntax = grammar.requiredString('syntax', "'lark' or 'regex'");
  return { grammar: { syntax, definition: grammar.requiredString('definition', 'the grammar') } };
}

function customTool({ name, description, freeform }: Tool): unknown {
  if (freeform === undefined) return undefined;
  const format = freeform.grammar && { format: { type: 'grammar', grammar: freeform.grammar } };
  return { type: 'custom', custom: { name, ...(description !== undefined && { description }), ...format } };
}

function plainTool({ name, description, parameters }: Tool): unknown {
  const schema = isObject(parameters) ? parameters : { type: 'object', properties: {} };
  return functionTool(name, description, schema);
}

/** Gives the definition as it came, with all changes made since. */
function arrivedTool(tool: Tool): unknown {
  const source = isConstant(tool) && isPlainValue(tool.source) ? tool.source : toPlain(tool.source ?? null);
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

/** Gives the members of `from` in their order, with the values of `now`; those that `now` lacks are dropped. */
function renewed(from: Extra, now: Extra): Extra {
  const out: Extra = {};
  for (const [key, before] of Object.entries(from)) {
    const value = Object.hasOwn(now, key) ? now[key] : undefined;
    if (value !== undefined || before === null) setMember<unknown>(out, key, value ?? null);
  }
  return out;
}

export function encodeChoice(choice: ToolChoice, tools: readonly Tool[] = []): ExactValue {
  if (typeof choice === 'string') return choice;
  const type = isFreeform(choice, tools) ? 'custom' : 'function';
  return { type, [type]: { name: choice.name } };
}

/** `extra` holds the choice as it came, where it has more members. Throws a UsageError with the path of the member. */
export function decodeChoice(members: {
  tool_choice?: unknown;
  function_call?: unknown;
}): Pick<Conversation, 'toolChoice' | 'extra'> {
  const { toolChoice, extra } = acceptConversation({ messages: [], ...members });
  return { toolChoice, ...(extra && { extra }) };
}

/** Gives the choice; undefined if it is invalid. */
export function choiceOf(members: { tool_choice?: unknown }): Conversation['toolChoice'] | undefined {
  try {
    return decodeChoice(members).toolChoice;
  } catch {
    return undefined;
  }
}
