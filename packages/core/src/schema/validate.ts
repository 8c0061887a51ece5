// Whether an input fulfils its tool's schema. The schema comes from a client and the input from a model, so the
// validator is handed a copy of the schema that can do no harm (safe-schema.ts): no pattern of the client's is
// ever run, and what a check may cost is counted.

import { validate } from '@cfworker/json-schema';
import type { JsonSchema } from '../model/conversation.js';
import { isObject, type JsonValue } from '../model/json.js';
import { compileSchema, type SafeSchema, type UnusableSchema } from './safe-schema.js';
import { type SchemaProblem, schemaProblems } from './schema-problems.js';

export interface Validator {
  /** At most five problems, in the order of the schema. Never throws; what is too costly to check passes. */
  check(value: JsonValue): SchemaProblem[];
  /** Why everything passes, where the schema could not be used. */
  readonly note?: string;
}

const validators = new WeakMap<object, Validator>();

export function createValidator(schema: JsonSchema): Validator {
  if (!isObject(schema)) return validatorOf(compileSchema(schema));
  let validator = validators.get(schema);
  if (!validator) {
    validator = validatorOf(compileSchema(schema));
    validators.set(schema, validator);
  }
  return validator;
}

function validatorOf(schema: SafeSchema | UnusableSchema): Validator {
  if ('note' in schema) return { check: () => [], note: schema.note };
  return { check: (value) => check(schema, value) };
}

function check(schema: SafeSchema, value: JsonValue): SchemaProblem[] {
  // 100,000 wrong items overflow the stack where the validator gathers the errors: then the first will do.
  return attempt(schema, value, false) ?? attempt(schema, value, true) ?? [];
}

function attempt(schema: SafeSchema, value: JsonValue, stopEarly: boolean): SchemaProblem[] | undefined {
  try {
    schema.allow(value);
    const { errors } = validate(value, schema.node, schema.draft, schema.lookup, stopEarly);
    return schemaProblems(errors, schema, value);
  } catch (error) {
    return error instanceof RangeError ? undefined : [];
  }
}
