// Tables merge the arguments of all calls into one type: a call then has every key that any call has, with null. The
// same happens to definitions of tools. Here such keys are found, and removed where that is asked for.

import type { Conversation, ExactValue, JsonValue, Message, Tool, ToolCall } from '@dragoman/core/internal';
import { exactEntries, exactObject, parseExact, stringifyJson, toPlain } from '@dragoman/core/internal';
import type { Note } from '../forms/form.js';
import { isRow } from '../forms/members.js';
import { SchemaKeys } from './schema-keys.js';

/** The most keys of one call that its note names: a merged schema can have hundreds. */
const MOST_NAMED = 8;

/**
 * Notes each call and each tool with such keys. With `drop`, gives the conversation without them, and also notes each
 * call that still has a null.
 */
export function nullArguments(conversation: Conversation, drop: boolean, notes: Note[]): Conversation {
  const damaged: Damage[] = [];
  const tools = conversation.tools.map((tool, at) => mendedTool(tool, `tools[${at}]`, damaged));
  const schemas = new Map(tools.map(({ name, parameters }) => [name, parameters as ExactValue | undefined]));
  const messages = conversation.messages.map((message, at) => mendedMessage(message, at, schemas, damaged));
  if (!drop) {
    for (const { path } of damaged) notes.push({ kind: 'issue', code: 'null-arguments', path });
    return conversation;
  }
  for (const { path, removed } of damaged) {
    const keys = removed();
    const named = keys.slice(0, MOST_NAMED).join(', ') + (keys.length > MOST_NAMED ? ', …' : '');
    notes.push({ kind: 'repair', code: 'dropped-nulls', path: `${path}: ${named}` });
  }
  const left = damaged.length === 0 ? conversation : { ...conversation, tools, messages };
  for (const path of callsWithNull(left)) notes.push({ kind: 'issue', code: 'kept-nulls', path });
  return left;
}

function callsWithNull({ messages }: Conversation): string[] {
  return messages.flatMap(({ role, parts }, at) =>
    role !== 'assistant'
      ? []
      : parts.flatMap((part, index) =>
          part.type === 'tool-call' && hasNull(part.input) ? [partPath(at, index)] : [],
        ),
  );
}

/** A call or a tool with such keys. */
interface Damage {
  path: string;
  removed(): string[];
}

/** Gives the paths of keys that one value has and the other not: `zip`, `at.x`. */
function removedKeys(before: ExactValue, after: ExactValue | undefined, path = ''): string[] {
  if (Array.isArray(before))
    return before.flatMap((item, at) => removedKeys(item, (after as ExactValue[])[at], `${path}[${at}]`));
  if (!isRow(before) || before === after) return [];
  const left = new Map(isRow(after) ? exactEntries(after) : []);
  return exactEntries(before).flatMap(([key, value]) => {
    const own = path === '' ? key : `${path}.${key}`;
    return left.has(key) ? removedKeys(value, left.get(key), own) : [own];
  });
}

const partPath = (message: number, part: number) => `messages[${message}].parts[${part}]`;

function mendedMessage(
  message: Message,
  at: number,
  schemas: ReadonlyMap<string, ExactValue | undefined>,
  damaged: Damage[],
): Message {
  if (message.role !== 'assistant' || !message.parts.some(({ type }) => type === 'tool-call')) return message;
  let changed = false;
  const parts = message.parts.map((part, index) => {
    if (part.type !== 'tool-call' || part.broken !== undefined || !schemas.has(part.name)) return part;
    const mended = mendedCall(part, schemas.get(part.name));
    if (mended === part) return part;
    changed = true;
    damaged.push({ path: partPath(at, index), removed: () => removedKeys(part.input, mended.input) });
    return mended;
  });
  return changed ? { ...message, parts } : message;
}

function mendedCall(call: ToolCall, schema: ExactValue | undefined): ToolCall {
  if (!hasNull(call.input)) return call;
  const given: ExactValue = call.raw === undefined ? call.input : parseExact(call.raw);
  const value = without(given, [schema], schema);
  if (value === given) return call;
  const { raw: _, ...rest } = call;
  const input = toPlain(value) as ToolCall['input'];
  return { ...rest, input, ...(call.raw !== undefined && { raw: stringifyJson(value, 'compact') }) };
}

function hasNull(value: ExactValue | JsonValue | undefined): boolean {
  if (value === null) return true;
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.some(hasNull);
  if (value instanceof Map) return [...value.values()].some(hasNull);
  for (const key in value) if (hasNull((value as Record<string, ExactValue>)[key])) return true;
  return false;
}

/**
 * Gives the value without keys that are null, or hold nothing but null, and that none of the schemas has. Where a schema
 * names no keys, or takes others as well, they stay.
 */
function without(
  value: ExactValue,
  schemas: readonly (ExactValue | undefined)[],
  root: ExactValue | undefined,
): ExactValue {
  if (!Array.isArray(value) && !isRow(value)) return value;
  const known = new SchemaKeys(schemas, root);
  if (known.takesAny) return value;
  if (Array.isArray(value)) {
    if (!known.namesItems) return value;
    return same(
      value,
      value.map((item, at) => without(item, known.itemSchemas(at), root)),
    );
  }
  const { properties, hasMore } = known;
  if (!properties) return value;
  let changed = false;
  const members = exactEntries(value).flatMap(([key, member]): [string, ExactValue][] => {
    const own = properties.get(key);
    if (own === undefined) {
      if (hasMore || !isNothing(member)) return [[key, member]];
      changed = true;
      return [];
    }
    const mended = without(member, own, root);
    changed ||= mended !== member;
    return [[key, mended]];
  });
  return changed ? (exactObject(members) as ExactValue) : value;
}

/** Null, or an object of nothing but null: a merged object within the arguments. */
function isNothing(value: ExactValue): boolean {
  if (value === null) return true;
  const members = isRow(value) ? exactEntries(value) : [];
  return members.length > 0 && members.every(([, member]) => isNothing(member));
}

// --- definitions ---------------------------------------------------------------------------------------

function mendedTool(tool: Tool, path: string, damaged: Damage[]): Tool {
  const parameters = tool.parameters as ExactValue | undefined;
  // Every row comes by here: a definition is only written anew where something is wrong.
  const mended = parameters === undefined || !hasNull(parameters) ? parameters : mendedSchema(parameters);
  const ownNulls = isRow(tool.source) ? nullMembers(tool.source) : [];
  if (mended === parameters && ownNulls.length === 0) return tool;
  const source = isRow(tool.source) ? mendedDefinition(tool.source) : undefined;
  const removed = () => [
    ...ownNulls,
    ...(mended === undefined ? [] : removedKeys(parameters ?? null, mended)),
  ];
  damaged.push({ path, removed });
  const schema = mended !== undefined && mended !== parameters && { parameters: toPlain(mended) };
  return { ...tool, ...(schema as Pick<Tool, 'parameters'>), ...(source && { source }) };
}

/** Members of a definition that APIs take as absent where they are null. */
const ABSENT_IF_NULL = new Set(['description', 'parameters', 'strict']);

/** Gives the names of such members, of the definition and of the function in it. */
function nullMembers(definition: ExactValue): string[] {
  if (!isRow(definition)) return [];
  return exactEntries(definition).flatMap(([key, value]) => {
    if (key === 'function') return nullMembers(value);
    return value === null && ABSENT_IF_NULL.has(key) ? [key] : [];
  });
}

/** Keywords whose value may be null, and those whose list may hold null. */
const VALUES = new Set(['default', 'const', 'example']);
const VALUE_LISTS = new Set(['enum', 'examples']);
const SCHEMA_MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

/** Gives a schema without members that are null, where null means nothing. */
function mendedSchema(schema: ExactValue): ExactValue {
  if (Array.isArray(schema)) return same(schema, schema.map(mendedSchema));
  if (!isRow(schema)) return schema;
  let changed = false;
  const members = exactEntries(schema).flatMap(([key, member]): [string, ExactValue][] => {
    if (VALUES.has(key) || (VALUE_LISTS.has(key) && member !== null)) return [[key, member]];
    const mended = SCHEMA_MAPS.has(key) && isRow(member) ? mendedMap(member) : mendedSchema(member);
    changed ||= mended !== member || member === null;
    return member === null ? [] : [[key, mended]];
  });
  return changed ? (exactObject(members) as ExactValue) : schema;
}

/** Gives the schemas of a map that are more than null. */
function mendedMap(map: ExactValue): ExactValue {
  const given = exactEntries(map as Parameters<typeof exactEntries>[0]);
  const kept = given.filter(([, schema]) => !isNothing(schema));
  const mended = kept.map(([key, schema]): [string, ExactValue] => [key, mendedSchema(schema)]);
  const isSame = kept.length === given.length && mended.every(([, schema], at) => schema === kept[at]?.[1]);
  return isSame ? map : (exactObject(mended) as ExactValue);
}

function same(before: ExactValue[], after: ExactValue[]): ExactValue[] {
  return after.some((item, at) => item !== before[at]) ? after : before;
}

/** Gives the definition with a mended schema, and without members that are null. */
function mendedDefinition(definition: ExactValue): ExactValue {
  if (!isRow(definition)) return definition;
  const kept = exactEntries(definition).filter(([key, value]) => value !== null || !ABSENT_IF_NULL.has(key));
  const members = kept.map(([key, value]): [string, ExactValue] => {
    if (key === 'function') return [key, mendedDefinition(value)];
    return [key, key === 'parameters' ? mendedSchema(value) : value];
  });
  return exactObject(members) as ExactValue;
}
