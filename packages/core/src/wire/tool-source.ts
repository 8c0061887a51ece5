// Reads the definitions of tools in rows. `Tool.source` keeps each in OpenAI's shape, with numbers as they were
// written.

import { functionTool, schemaKeys } from '../model/accept-tools.js';
import { type ExactValue, isPlainValue, type JsonSchema, type Tool, toPlain } from '../model/index.js';
import { addExtra, type ExactObject, isExactObject, memberOf } from './exact-members.js';

const knownKeys = {
  parameters: new Set(['name', 'description', 'parameters']),
  input_schema: new Set(['name', 'description', 'input_schema']),
} as const;

/** Reads one definition. `source` is the definition in OpenAI's shape; it is made if absent. */
export function readDefinition(
  inner: ExactObject,
  schemaKey: keyof typeof knownKeys,
  source?: ExactObject,
): Tool | undefined {
  const name = memberOf(inner, 'name');
  const description = memberOf(inner, 'description');
  const schema = memberOf(inner, schemaKey);
  if (typeof name !== 'string' || name === '') return undefined;
  if (description !== undefined && typeof description !== 'string') return undefined;
  if (schema !== undefined && !isExactObject(schema)) return undefined;
  const tool: Tool = {
    name,
    ...(description !== undefined && { description }),
    ...(schema !== undefined && {
      parameters: (isPlainValue(schema) ? schema : toPlain(schema)) as JsonSchema,
    }),
    source: source ?? functionTool(name, description, schema),
  };
  addExtra(tool, inner, knownKeys[schemaKey]);
  return tool;
}

/** Gives the schema with numbers as they were written, where the source is known. */
export function exactSchema({ source, parameters }: Tool): ExactValue | undefined {
  const inner = isExactObject(source) ? memberOf(source, 'function') : undefined;
  const key = isExactObject(inner) && schemaKeys.find((key) => memberOf(inner, key) !== undefined);
  return key ? memberOf(inner as ExactObject, key) : parameters;
}
