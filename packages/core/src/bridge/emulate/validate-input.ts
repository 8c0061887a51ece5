// Reads the input of a native call, and checks it against its tool's schema, for modules that do not know dialects.

import { isObject, type JsonObject, type JsonSchema } from '../../model/index.js';
import { createValidator } from '../../schema/validate.js';

/** Gives at most five problems, in words a model can act on: `days: expected integer, got string`. */
export function validateInput(schema: JsonSchema, input: JsonObject): string[] {
  const problems = createValidator(schema).check(input);
  return problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
}

/** Parses the arguments of a native call; undefined if they are no JSON object. */
export function inputOf(raw: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(raw);
    return isObject(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
