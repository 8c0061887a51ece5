// The tools that almost every client sends, of a list that never changes: the definition that came is their source, and is
// written again as it is. The result is what the long way gives (usual-tools.test.ts).
//
//   {type: 'function', function: {name, description?, parameters?, strict?}}

import { exactConstants } from '../../model/exact-constants.js';
import { isObject, type JsonSchema, type Tool } from '../../model/index.js';
import { isPlainSchema } from '../../model/tool-schema.js';

/** Undefined if one of them is another tool, or has the name of another. */
export function usualTools(list: readonly unknown[]): Tool[] | undefined {
  const isExact = exactConstants.has(list);
  const tools: Tool[] = [];
  const known = new Set<string>();
  for (const value of list) {
    const tool = isObject(value) ? usualTool(value, isExact) : undefined;
    if (!tool || known.has(tool.name)) return undefined;
    known.add(tool.name);
    tools.push(tool);
  }
  return tools;
}

/** `isExact`: the list was found to be exact. */
function usualTool(value: Record<string, unknown>, isExact: boolean): Tool | undefined {
  const { type, function: inner } = value;
  if (type !== 'function' || !isObject(inner) || !hasOnly(value, outerKeys) || !hasOnly(inner, innerKeys))
    return undefined;
  const { name, description, parameters, strict } = inner;
  if (typeof name !== 'string' || !names.test(name)) return undefined;
  if (description !== undefined && typeof description !== 'string') return undefined;
  if (strict !== undefined && typeof strict !== 'boolean') return undefined;
  if (parameters !== undefined && !isPlainSchema(parameters, isExact)) return undefined;
  return {
    name,
    ...(description !== undefined && { description }),
    ...(parameters !== undefined && { parameters: parameters as JsonSchema }),
    source: value as Tool['source'] & object,
    ...(strict !== undefined && { extra: { strict } }),
  };
}

/** A name that `acceptTools` takes as it is. */
const names = /^[A-Za-z0-9_.:-]{1,128}$/;
const outerKeys = ['type', 'function'];
const innerKeys = ['name', 'description', 'parameters', 'strict'];

function hasOnly(value: object, keys: readonly string[]): boolean {
  for (const key in value) if (!keys.includes(key)) return false;
  return true;
}
