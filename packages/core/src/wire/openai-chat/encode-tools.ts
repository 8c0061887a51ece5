// Tools as the chat API has them.

import type { Extra, Tool, ToolChoice } from '../../model/index.js';
import { isObject, toPlain } from '../../model/index.js';
import { setMember } from '../values.js';

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
  return {
    type: 'function',
    function: { name, ...(description !== undefined && { description }), parameters: schema },
  };
}

/** The definition as it arrived, with what was changed since. */
function arrivedTool(tool: Tool): unknown {
  const source = tool.source === undefined ? undefined : toPlain(tool.source);
  const inner = isObject(source) ? source.function : undefined;
  if (!isObject(source) || !isObject(inner)) return undefined;
  const { name, description, parameters, extra = {} } = tool;
  const schemaKey = ['parameters', 'inputSchema', 'input_schema'].find((key) => Object.hasOwn(inner, key));
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

export function encodeChoice(choice: ToolChoice): unknown {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } };
}
