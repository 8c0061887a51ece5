// Collects the definitions that some schemas refer to, directly or through each other, under their own paths.

import { type ExactValue, isObject, type JsonSchema, type JsonValue } from '../../model/index.js';
import { decodeToken } from '../../schema/schema.js';

const PLACES = ['$defs', 'definitions'];

/** Gives definitions by member and name: `$defs` → `Node` → schema. Each is visited once, so the cost is linear. */
export function definitionsOf(
  schemas: readonly JsonSchema[],
  root: JsonSchema,
): Map<string, Map<string, ExactValue>> {
  const found = new Map<string, Map<string, ExactValue>>();
  const toRead: JsonValue[] = [...schemas];
  for (let value = toRead.pop(); value !== undefined; value = toRead.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const target = isObject(value) ? referredTo(value.$ref, root) : undefined;
    if (target !== undefined && !found.get(target.place)?.has(target.name)) {
      const names = found.get(target.place) ?? new Map<string, ExactValue>();
      found.set(target.place, names.set(target.name, target.schema));
      toRead.push(target.schema);
    }
    for (const part of Object.values(value)) toRead.push(part);
  }
  return found;
}

function referredTo(
  ref: unknown,
  root: JsonSchema,
): { place: string; name: string; schema: JsonValue } | undefined {
  if (typeof ref !== 'string' || !ref.startsWith('#/') || !isObject(root)) return undefined;
  const [place = '', token = ''] = ref.slice(2).split('/');
  const name = decodeToken(token);
  const definitions = PLACES.includes(place) && Object.hasOwn(root, place) ? root[place] : undefined;
  if (!isObject(definitions) || !Object.hasOwn(definitions, name)) return undefined;
  return { place, name, schema: definitions[name] as JsonValue };
}
