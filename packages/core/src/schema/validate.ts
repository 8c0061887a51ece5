// Validates an input against its tool's schema. The schema comes from a client and the input from a model, so the
// validator gets a safe copy of the schema (safe-schema.ts): it never runs a client's regular expression, and the
// cost of a check is bounded.

import { validate } from '@cfworker/json-schema';
import type { JsonSchema } from '../model/conversation.js';
import { isObject, type JsonValue } from '../model/json.js';
import {
  type CheckBudget,
  compileSchema,
  createCheckBudget,
  type SafeSchema,
  type UnusableSchema,
} from './safe-schema.js';
import { type SchemaProblem, schemaProblems } from './schema-problems.js';

export interface Validator {
  /**
   * Gives at most five problems, in the order of the schema. Never throws; an input too costly to check passes. Checks
   * of one request share a budget, so that many cost no more than one.
   */
  check(value: JsonValue, budget?: CheckBudget): SchemaProblem[];
  /** Why every input passes, if the schema could not be used. */
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
  return { check: (value, budget = createCheckBudget()) => check(schema, value, budget) };
}

function check(schema: SafeSchema, value: JsonValue, budget: CheckBudget): SchemaProblem[] {
  // 100,000 wrong items overflow the stack where the validator collects the errors: then stop at the first.
  return attempt(schema, value, budget, false) ?? attempt(schema, value, budget, true) ?? [];
}

function attempt(
  schema: SafeSchema,
  value: JsonValue,
  budget: CheckBudget,
  stopEarly: boolean,
): SchemaProblem[] | undefined {
  try {
    return schema.charge(value, budget, () => {
      const { errors } = validate(value, schema.node, schema.draft, schema.lookup, stopEarly);
      return schemaProblems(errors, schema, value, budget);
    });
  } catch (error) {
    return error instanceof RangeError ? undefined : [];
  }
}
