// Checks the input of a call against its tool's schema, for modules that do not know dialects.

import type { JsonObject, JsonSchema } from '../../model/index.js';
import { createValidator } from '../../schema/validate.js';

/** Gives at most five problems, in words a model can act on: `days: expected integer, got string`. */
export function validateInput(schema: JsonSchema, input: JsonObject): string[] {
  const problems = createValidator(schema).check(input);
  return problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
}
