// Grammar rules for calls as JSON in markers: what json-writing.ts writes, with any arguments.

import type { JsonCalls } from '../../engine/declaration.js';
import type { MarkerSet } from '../../engine/markers.js';
import {
  all,
  any,
  argumentsValue,
  type HowMany,
  many,
  type Rule,
  type Spelling,
  text,
  type ValueStyle,
} from '../../grammar/spelling.js';
import type { JsonObject, JsonSchema, JsonValue, Tool } from '../../model/index.js';
import { firstOf } from '../declared/family.js';
import { jsonLayout, orderedKeys, toPython } from './json-writing.js';

export function jsonSpelling(calls: JsonCalls, markers: MarkerSet): Spelling {
  const opener = firstOf(calls.open);
  return {
    triggers: opener === '' ? [] : [opener],
    calls: (tools, howMany) => callsRule(calls, markers, tools, howMany),
    ...(opener === '' && {
      json: (tools: readonly Tool[], howMany: HowMany) => callsSchema(calls, tools, howMany),
    }),
  };
}

function callsRule(calls: JsonCalls, markers: MarkerSet, tools: readonly Tool[], howMany: HowMany): Rule {
  const { before, between, behind } = jsonLayout(calls);
  const style: ValueStyle = { type: calls.python ? 'python' : 'json', without: markers.literals };
  const call = any(...tools.map((tool) => callRule(tool, calls, style)));
  return all(
    text(before),
    many(call, { ...howMany, from: Math.max(1, howMany.from) }, text(between)),
    text(behind),
  );
}

/**
 * Gives the schema of an answer without markers, which is JSON as a whole. Several objects in a row are no JSON
 * document.
 */
function callsSchema(
  { keys, shape, wrapper }: JsonCalls,
  tools: readonly Tool[],
  howMany: HowMany,
): JsonSchema {
  const call = { anyOf: tools.map((tool) => callSchema(tool, keys)) };
  const { from, to } = howMany;
  const list = { type: 'array', items: call, minItems: from, ...(to !== undefined && { maxItems: to }) };
  const written = shape === 'list' ? list : call;
  return wrapper === undefined ? written : closedObject({ [wrapper]: written });
}

function callSchema(tool: Tool, keys: JsonCalls['keys']): JsonObject {
  const input = (tool.parameters ?? { type: 'object' }) as JsonValue;
  if (keys === 'name-is-key') return closedObject({ [tool.name]: input });
  const values = { name: { const: tool.name }, id: { type: 'string' }, arguments: input };
  return closedObject(
    Object.fromEntries(orderedKeys(keys).map(([role, own]) => [firstOf(own), values[role]])),
  );
}

function closedObject(properties: JsonObject): JsonObject {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function callRule(tool: Tool, { keys, python }: JsonCalls, style: ValueStyle): Rule {
  const quoted = (value: string) => (python ? toPython(JSON.stringify(value)) : JSON.stringify(value));
  const value = argumentsValue(tool, style);
  if (keys === 'name-is-key') return all(text(`{${quoted(tool.name)}: `), value, text('}'));
  const quote = text(python ? "'" : '"');
  const values = { name: text(quoted(tool.name)), id: all(quote, idRule, quote), arguments: value };
  const members = orderedKeys(keys).map(([role, own], at) =>
    all(text(`${at === 0 ? '{' : ', '}${quoted(firstOf(own))}: `), values[role]),
  );
  return all(...members, text('}'));
}

/** Ids as vendors make them. Replayed calls of other models may have longer ones. */
export const idRule: Rule = {
  type: 'limit',
  of: {
    type: 'value',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,40}$' },
    style: { type: 'text', without: [] },
  },
  message: 'two calls may get the same id',
};
