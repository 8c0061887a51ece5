// The members of a JSON object that a person or a program wrote, each checked as it is taken.

import { ExactNumber, type ExactValue } from '@dragoman/core';
import { exactEntries, isObject } from '@dragoman/core/internal';
import { CommandError } from './command-error.js';

export type JsonFields = ReadonlyMap<string, ExactValue>;

export function fieldsOf(value: ExactValue): JsonFields | undefined {
  if (!isObject(value) || value instanceof ExactNumber) return undefined;
  return new Map(exactEntries(value as Record<string, ExactValue>));
}

/** Takes the tools out of a request. A value without the member `tools` is the tools themselves. */
export function toolsIn(value: ExactValue): ExactValue {
  return fieldsOf(value)?.get('tools') ?? value;
}

/** `null` is what many programs write for absent. */
export function optional(fields: JsonFields, key: string): ExactValue | undefined {
  return fields.get(key) ?? undefined;
}

export function stringField(fields: JsonFields, key: string): string | undefined {
  const value = optional(fields, key);
  if (value === undefined || typeof value === 'string') return value;
  throw expected(key, 'a string', value);
}

export function booleanField(fields: JsonFields, key: string): boolean | undefined {
  const value = optional(fields, key);
  if (value === undefined || typeof value === 'boolean') return value;
  throw expected(key, 'true or false', value);
}

export function objectField(fields: JsonFields, key: string): JsonFields | undefined {
  const value = optional(fields, key);
  if (value === undefined) return undefined;
  const members = fieldsOf(value);
  if (members) return members;
  throw expected(key, 'an object', value);
}

/** A whole number of at least 1. */
export function countField(fields: JsonFields, key: string): number | undefined {
  const value = optional(fields, key);
  if (value === undefined || (typeof value === 'number' && Number.isInteger(value) && value > 0))
    return value;
  throw expected(key, 'a whole number of at least 1', value);
}

export function wordField<T extends string>(
  fields: JsonFields,
  key: string,
  words: readonly T[],
): T | undefined {
  const value = optional(fields, key);
  if (value === undefined || words.includes(value as T)) return value as T | undefined;
  throw expected(key, words.join(', '), value);
}

export function expected(key: string, what: string, found: ExactValue | undefined): CommandError {
  return new CommandError(`${key}: expected ${what}, found ${kindOf(found)}`);
}

function kindOf(value: ExactValue | undefined): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (value instanceof ExactNumber) return value.text;
  if (typeof value === 'string') return value.length > 40 ? 'a string' : JSON.stringify(value);
  return typeof value === 'object' ? 'an object' : String(value);
}
