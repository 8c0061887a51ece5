// Reads an object's members from its schema: a tool's arguments, their order, and which are required. It follows
// `$ref` and `allOf`, up to a depth limit, because schemas come from outside.

import type { JsonSchema } from '../model/conversation.js';
import { isObject, type JsonObject } from '../model/json.js';
import { type OptionalSchema, resolveRef } from '../schema/schema.js';

export interface ObjectShape {
  members: { key: string; schema: OptionalSchema; required: boolean }[];
  /**
   * The schema of other keys: `false` for none. A schema with `properties` and without `additionalProperties` allows
   * none here, unlike in JSON Schema: a model has no reason to write keys that the tool does not name.
   */
  additional: boolean | JsonSchema;
}

const MAX_DEPTH = 32;

export function shapeOf(schema: OptionalSchema, root: OptionalSchema = schema): ObjectShape {
  const found: Found = { properties: new Map(), required: new Set(), additional: undefined, named: false };
  gather(schema, root, found, 0);
  const members = [...found.properties].map(([key, parts]) => ({
    key,
    schema: parts.length > 1 ? { allOf: parts } : parts[0],
    required: found.required.has(key),
  }));
  for (const key of found.required)
    if (!found.properties.has(key)) members.push({ key, schema: undefined, required: true });
  return { members, additional: found.additional ?? !found.named };
}

interface Found {
  properties: Map<string, JsonSchema[]>;
  required: Set<string>;
  additional: boolean | OptionalSchema;
  /** A schema has `properties`, even if they are empty. */
  named: boolean;
}

function gather(schema: OptionalSchema, root: OptionalSchema, found: Found, depth: number): void {
  if (!isObject(schema) || depth > MAX_DEPTH) return;
  const at = schema as JsonObject;
  if (isObject(at.properties)) {
    found.named = true;
    for (const [key, property] of Object.entries(at.properties))
      found.properties.set(key, [...(found.properties.get(key) ?? []), property as JsonSchema]);
  }
  if (Array.isArray(at.required))
    for (const key of at.required) if (typeof key === 'string') found.required.add(key);
  if (Object.hasOwn(at, 'additionalProperties') && found.additional !== false)
    found.additional = at.additionalProperties as JsonSchema;
  if (Object.hasOwn(at, '$ref')) gather(resolveRef(at.$ref, root), root, found, depth + 1);
  if (Array.isArray(at.allOf))
    for (const part of at.allOf) gather(part as JsonSchema, root, found, depth + 1);
}
