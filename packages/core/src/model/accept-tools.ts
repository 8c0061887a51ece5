// Reads tools in the shapes that APIs and libraries use, into ours:
//
//   OpenAI chat        {type: 'function', function: {name, description, parameters, strict}}
//   OpenAI Responses   {type: 'function', name, description, parameters}
//   Anthropic          {name, description, input_schema}
//   MCP                {name, description, inputSchema}
//   AI SDK             {[name]: {description, inputSchema}}, a record instead of a list
//   ours               Tool
//
// Schemas may be JSON Schema or anything tool-schema.ts knows. Of two tools of one name the later one counts,
// at the place of the first. Functions (an `execute`, a validator) stay with the caller.

import type { Extra, Freeform, JsonSchema, Tool } from './conversation.js';
import { UsageError } from './errors.js';
import { type Fields, fieldsOf, memberPath, pick, toExact, toOpaque, unexpected } from './fields.js';
import { type ExactValue, exactObject, type JsonObject, setMember, toPlain } from './json.js';
import { toJsonSchema } from './tool-schema.js';

/** A tool that runs at its provider (`web_search`, …): the model does not write its calls as text. */
export interface SkippedTool {
  path: string;
  type: string;
}

export interface ToolsReport {
  tools: readonly Tool[];
  skipped: SkippedTool[];
}

/** One tool definition, with its path and, in a record, its key. */
interface Definition {
  fields: Fields;
  path: string;
  /** The key in an AI SDK record. */
  key?: string;
  /** The accepted copy of a kept tool, which cannot have changed. */
  accepted?: Tool;
}

/** The members that hold the schema of the input, in the words of the APIs. */
export const schemaKeys = ['parameters', 'inputSchema', 'input_schema'];
const knownKeys = ['type', 'function', 'name', 'description', 'source', 'extra', ...schemaKeys];

/** Reads tools of any known shape. Throws a UsageError that names the path and what was expected there. */
export function acceptTools(value: unknown, path = 'tools'): readonly Tool[] {
  return acceptToolsReport(value, path).tools;
}

/** Given where schemas are frozen; a value and not a flag, so that a page that only reads calls does not load it. */
export type KeepsSchema = (schema: unknown) => schema is JsonObject;

/**
 * Reads tools as `acceptTools` does, and lists the provider's own tools that were left out. `keeps`: tells the schemas
 * that cannot change and are exact as they are; they are taken without a copy.
 */
export function acceptToolsReport(value: unknown, path = 'tools', keeps?: KeepsSchema): ToolsReport {
  const known = typeof value === 'object' && value !== null ? preparedLists.get(value) : undefined;
  if (known) return { tools: value as readonly Tool[], skipped: [] };
  const tools = new Map<string, Tool>();
  const skipped: SkippedTool[] = [];
  for (const definition of definitions(value, path)) {
    if (definition.accepted) {
      tools.set(definition.accepted.name, definition.accepted);
      continue;
    }
    const type = foreignType(definition);
    if (type !== undefined) {
      skipped.push({ path: definition.path, type });
      continue;
    }
    const tool = toTool(definition, keeps);
    tools.set(tool.name, tool);
  }
  return { tools: [...tools.values()], skipped };
}

function definitions(value: unknown, path: string): Definition[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.map((item, at) => definition(item, `${path}[${at}]`));
  const record = fieldsOf(value);
  if (record === undefined) throw unexpected('bad-tools', path, 'a list of tools', value);
  if (typeof record.get('name') === 'string' || record.get('type') === 'function') {
    throw new UsageError('bad-tools', 'expected a list of tools, found one tool: put it into a list', path);
  }
  return [...record].map(([key, item]) => definition(item, memberPath(path, key), key));
}

function definition(value: unknown, path: string, key?: string): Definition {
  const accepted = key === undefined ? acceptedTools.get(value as object) : undefined;
  if (accepted) return { fields: new Map(), path, accepted };
  const fields = fieldsOf(value);
  if (fields === undefined)
    throw unexpected('bad-tools', path, 'a tool: {name, description, parameters}', value);
  return { fields, path, ...(key !== undefined && { key }) };
}

/** Gives the type of a tool that runs at its provider; undefined for a function in any spelling. */
function foreignType({ fields, path }: Definition): string | undefined {
  const type = pick(fields, 'type');
  if (type === undefined || type === 'function' || type === 'dynamic') return undefined;
  if (typeof type !== 'string') throw unexpected('bad-tools', `${path}.type`, "'function'", type);
  // Anthropic's word for a function. OpenAI's tools of this name take free text and have no schema.
  return type === 'custom' && fields.has('input_schema') ? undefined : type;
}

function toTool({ fields, path, key }: Definition, keeps?: KeepsSchema): Tool {
  const wrapped = pick(fields, 'function');
  const inner = wrapped === undefined ? fields : fieldsOf(wrapped);
  if (inner === undefined) throw unexpected('bad-tools', `${path}.function`, '{name, parameters}', wrapped);
  const innerPath = inner === fields ? path : `${path}.function`;

  const name = toolName(key ?? inner.get('name'), key === undefined ? `${innerPath}.name` : path);
  const description = toDescription(inner, innerPath);
  const schema = toSchema(inner, innerPath, keeps);
  const freeform = ownFreeform(fields, path);
  const extra = toExtra(fields, inner, freeform ? ['freeform'] : []);
  return {
    name,
    ...(description !== undefined && { description }),
    ...(schema && { parameters: schema.plain ?? (toPlain(schema.value) as JsonSchema) }),
    source:
      ownSource(fields, name, path) ??
      (inner !== fields && key === undefined
        ? arrivedSource(fields, inner, schema, path)
        : functionTool(name, description, schema?.value)),
    ...(freeform && { freeform }),
    ...(extra && { extra }),
  };
}

function toolName(name: unknown, path: string): string {
  if (typeof name !== 'string') throw unexpected('bad-tools', path, "the tool's name", name);
  if (/^[A-Za-z0-9_.:-]{1,128}$/.test(name)) return name;
  const allowed = "1 to 128 of the characters A-Z a-z 0-9 '_' '.' ':' '-'";
  throw unexpected('bad-tool-name', path, `a name of ${allowed}`, name);
}

function toDescription(inner: Fields, path: string): string | undefined {
  const description = pick(inner, 'description');
  if (description === undefined || typeof description === 'string') return description;
  throw unexpected('bad-tools', `${path}.description`, 'a string', description);
}

interface Schema {
  key: string;
  value: ExactValue;
  /** The same value where it is kept as it is. */
  plain?: JsonSchema;
}

function toSchema(inner: Fields, path: string, keeps?: KeepsSchema): Schema | undefined {
  const key = schemaKeys.find((candidate) => pick(inner, candidate) !== undefined);
  if (key === undefined) return undefined;
  const given = inner.get(key);
  if (keeps?.(given)) return { key, value: given, plain: given as JsonSchema };
  return { key, value: toJsonSchema(given, `${path}.${key}`) };
}

/** Gives the source of one of our own tools, unless the tool was renamed since. */
function ownSource(fields: Fields, name: string, path: string): ExactValue | undefined {
  const source = fieldsOf(fields.get('source'));
  const inner = fieldsOf(source?.get('function'));
  if (source === undefined || inner?.get('name') !== name) return undefined;
  return arrivedSource(source, inner, toSchema(inner, `${path}.source.function`), `${path}.source`);
}

/** Reads `freeform` of one of our own tools. */
function ownFreeform(fields: Fields, path: string): Freeform | undefined {
  if (!fields.has('freeform') || pick(fields, 'type', 'function') !== undefined) return undefined;
  const given = fieldsOf(fields.get('freeform'));
  return given && (toOpaque(given, `${path}.freeform`) as Freeform);
}

/** Gives OpenAI's shape as it arrived, key by key; only a schema that is no JSON yet is replaced by its JSON. */
function arrivedSource(fields: Fields, inner: Fields, schema: Schema | undefined, path: string): ExactValue {
  const exact = (from: Fields, at: string, key: string, value: ExactValue | undefined): ExactValue =>
    exactObject(
      [...from].map(([name, member]) => [
        name,
        name === key && value !== undefined ? value : toExact(member, 'bad-tools', memberPath(at, name)),
      ]),
    );
  const definition = exact(inner, `${path}.function`, schema?.key ?? '', schema?.value);
  if (fields.has('type')) return exact(fields, path, 'function', definition);
  return exact(new Map([['type', 'function'], ...fields]), path, 'function', definition);
}

/** Makes a definition in OpenAI's shape. */
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

/** Collects what one API has in its tools and the others do not (`strict`, `cache_control`, `annotations`, …). */
function toExtra(fields: Fields, inner: Fields, own: readonly string[]): Extra | undefined {
  const extra: Extra = {};
  const carried = fieldsOf(fields.get('extra')) ?? new Map<string, unknown>();
  const unknown = [...fields, ...inner].filter(([key]) => !knownKeys.includes(key) && !own.includes(key));
  for (const [key, value] of [...unknown, ...carried]) {
    const json = jsonOrNothing(value);
    if (json !== undefined) setMember<unknown>(extra, key, toPlain(json));
  }
  return Object.keys(extra).length > 0 ? extra : undefined;
}

function jsonOrNothing(value: unknown): ExactValue | undefined {
  try {
    return toExact(value, 'bad-tools', '');
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

/** The accepted copy of each kept tool (prepared-tools.ts). */
export const acceptedTools = new WeakMap<object, Tool>();

/** Prepared lists of tools, by name (prepared-tools.ts). */
export const preparedLists = new WeakMap<object, ReadonlyMap<string, Tool>>();
