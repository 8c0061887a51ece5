// Whether an input certainly fulfils a schema, for common schemas of types, members, lists and enums. False means
// unknown: then the validator decides.

import { isObject } from '@dragoman/core/internal';

type Check = (value: unknown) => boolean;

const NEVER: Check = () => false;
const checks = new WeakMap<object, Check>();

export function isSurelyValid(schema: unknown, value: unknown): boolean {
  if (schema === undefined || schema === true) return true;
  return isObject(schema) && checkOf(schema as Members, 0)(value);
}

type Members = { [key: string]: unknown };

function checkOf(schema: Members, depth: number): Check {
  let check = checks.get(schema);
  if (!check) {
    check = depth < MOST_LEVELS ? makeCheck(schema, depth) : NEVER;
    checks.set(schema, check);
  }
  return check;
}

const MOST_LEVELS = 8;
/** Keywords without effect on validity, and those that are checked here. */
const KNOWN: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'type',
  'enum',
  'properties',
  'required',
  'additionalProperties',
  'items',
]);

function makeCheck(schema: Members, depth: number): Check {
  if (schema instanceof Map || !Object.keys(schema).every((key) => KNOWN.has(key))) return NEVER;
  const { type, enum: words } = schema;
  const isOne = words === undefined ? undefined : wordCheck(words);
  const isTyped = typeCheck(schema, type, depth);
  return isOne ? (value) => isOne(value) && isTyped(value) : isTyped;
}

function wordCheck(words: unknown): Check {
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string')) return NEVER;
  const known: ReadonlySet<unknown> = new Set(words);
  return (value) => known.has(value);
}

function typeCheck(schema: Members, type: unknown, depth: number): Check {
  switch (type) {
    case 'string':
    case 'boolean':
      return (value) => typeof value === type;
    case 'integer':
      return Number.isSafeInteger;
    case 'number':
      return Number.isFinite;
    case 'array':
      return listCheck(schema.items, depth);
    case 'object':
      return objectCheck(schema, depth);
    default:
      return NEVER;
  }
}

function listCheck(items: unknown, depth: number): Check {
  if (items === undefined) return Array.isArray;
  if (!isObject(items)) return NEVER;
  const check = checkOf(items as Members, depth + 1);
  return (value) => Array.isArray(value) && value.every(check);
}

function objectCheck(schema: Members, depth: number): Check {
  const { properties = {}, required = [], additionalProperties: others = true } = schema;
  if (!isObject(properties) || properties instanceof Map || typeof others !== 'boolean') return NEVER;
  if (!Array.isArray(required) || !Object.values(properties).every(isObject)) return NEVER;
  const members = new Map(
    Object.entries(properties).map(([key, member]) => [key, checkOf(member as Members, depth + 1)]),
  );
  const fits = (key: string, value: unknown) => members.get(key)?.(value) ?? others;
  return (value) => {
    if (!isObject(value) || Array.isArray(value)) return false;
    if (!required.every((key) => typeof key === 'string' && Object.hasOwn(value, key))) return false;
    return Object.keys(value).every((key) => fits(key, (value as Members)[key]));
  };
}
