import { isObject, type JsonObject } from '@dragoman/core/internal';

/** Gives the object of a JSON text; undefined if it is none. */
export function parsedObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
