// Tools that a prompt gives as JSON: with OpenAI's wrapper, without it, and alkaid's flat map of parameters.

import type { JsonObject, JsonValue, Tool } from '@dragoman/core';
import { isObject, setMember } from '@dragoman/core/internal';
import { jsonObjects } from './json-values.js';

export function toolsFromJson(text: string): Tool[] {
  return jsonObjects(text).flatMap((definition) => {
    const inner = isObject(definition.function) ? (definition.function as JsonObject) : definition;
    const { name, description, parameters } = inner;
    if (typeof name !== 'string') return [];
    return [
      {
        name,
        ...(typeof description === 'string' && { description }),
        ...(isObject(parameters) && { parameters: schemaOf(inner, parameters as JsonObject) }),
      },
    ];
  });
}

/** JSON Schema says `type` or `properties` at its root; in a flat map every member is a parameter. */
function schemaOf(definition: JsonObject, parameters: JsonObject): JsonObject {
  return isFlat(parameters) ? fromFlat(definition, parameters) : parameters;
}

function isFlat(parameters: JsonObject): boolean {
  const members = Object.values(parameters);
  return members.every((member) => isObject(member) && typeof member.required === 'boolean');
}

// --- the flat map --------------------------------------------------------------------------------------

/** What the root says beyond its parameters stands in `schema`, definitions beside it. */
function fromFlat(definition: JsonObject, parameters: JsonObject): JsonObject {
  const { name: _name, description: _description, parameters: _parameters, schema, ...rest } = definition;
  return { ...(isObject(schema) && (schema as JsonObject)), ...flatMembers(parameters), ...rest };
}

function flatMembers(entries: JsonObject): JsonObject {
  const properties: JsonObject = {};
  const required: string[] = [];
  for (const [key, entry] of Object.entries(entries)) {
    if (!isObject(entry)) continue;
    setMember(properties, key, flatSchema(entry as JsonObject));
    if (entry.required === true) required.push(key);
  }
  return { type: 'object', properties, required };
}

function flatSchema(entry: JsonObject): JsonObject {
  const { required: _required, schema, any, integer, type, properties, items, ...rest } = entry;
  if (isObject(schema)) return { ...rest, ...(schema as JsonObject) };
  const said: JsonObject = { ...rest };
  if (any !== true && type !== undefined) said.type = integer === true ? 'integer' : type;
  if (isObject(properties)) Object.assign(said, flatMembers(properties as JsonObject));
  if (isObject(items)) said.items = flatSchema(items as JsonObject);
  if (isObject(said.additionalProperties)) {
    said.additionalProperties = flatSchema(said.additionalProperties as JsonObject) as JsonValue;
  }
  return said;
}
