// Turns the validator's errors into messages a model can act on. Only the locations in an error are used, one in
// the value and one in the schema; the message is made from the value and the keyword found there.

import type { OutputUnit } from '@cfworker/json-schema';
import type { JsonValue } from '../model/json.js';
import type { CheckBudget, SafeSchema } from './safe-schema.js';
import { decodeToken, typeOfValue } from './schema.js';

export interface SchemaProblem {
  /** `days`, `filters[0].name`; empty for the value itself. */
  path: string;
  /** `expected integer, got string` */
  message: string;
}

const MAX_PROBLEMS = 5;
const MAX_WORDS = 10;
const MAX_TEXT = 60;
/** A schema that refers to the same one in many ways gives the same problem as often. */
const MAX_LOOKS = 20;

export function schemaProblems(
  units: OutputUnit[],
  schema: SafeSchema,
  value: JsonValue,
  budget: CheckBudget,
): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  const seen = new Set<string>();
  let looks = 0;
  for (const problem of problemsOf(units, { schema, value, budget })) {
    const key = JSON.stringify([problem.path, problem.message]);
    if (!seen.has(key)) problems.push(problem);
    seen.add(key);
    if (problems.length === MAX_PROBLEMS || ++looks === MAX_LOOKS) break;
  }
  return problems;
}

interface Scene {
  schema: SafeSchema;
  value: JsonValue;
  /** Pays for looks into the forms that a value may have. */
  budget: CheckBudget;
}

/** Keywords of errors that are followed by more specific errors about the parts, so they are skipped. */
const WHOLES = new Set([
  ...['$ref', 'allOf', 'if', 'properties', 'additionalProperties', 'unevaluatedProperties'],
  ...['dependentSchemas', 'items', 'prefixItems', 'additionalItems', 'unevaluatedItems'],
]);

function* problemsOf(units: readonly OutputUnit[], scene: Scene): Generator<SchemaProblem> {
  for (let at = 0; at < units.length; at++) {
    const unit = units[at] as OutputUnit;
    if (WHOLES.has(unit.keyword)) continue;
    if (unit.keyword === 'anyOf' || unit.keyword === 'oneOf' || unit.keyword === 'propertyNames') {
      const parts = partsOf(unit, units, at + 1);
      at += parts.length;
      if (unit.keyword === 'propertyNames') yield* badName(parts, scene);
      else yield* badChoice(unit, parts, scene);
    } else yield* problemsAt(unit, scene);
  }
}

function partsOf(whole: OutputUnit, units: readonly OutputUnit[], from: number): OutputUnit[] {
  const below = `${whole.keywordLocation}/`;
  let to = from;
  while (units[to]?.keywordLocation.startsWith(below)) to++;
  return units.slice(from, to);
}

// --- one unit ------------------------------------------------------------------------------------------

function* problemsAt(unit: OutputUnit, scene: Scene): Generator<SchemaProblem> {
  const { path, value } = lookAt(unit.instanceLocation, scene.value);
  const rule = ruleAt(unit.keywordLocation, scene.schema);
  if (unit.keyword === 'required') {
    for (const key of missing(rule, value)) yield { path: joinKey(path, key), message: MISSING };
  } else if (unit.keyword === 'dependentRequired') {
    for (const [key, needed] of Object.entries(dependents(unit, scene.schema))) {
      if (!hasKey(value, key)) continue;
      for (const other of missing(needed, value))
        yield { path: joinKey(path, other), message: `${MISSING} beside ${quote(key)}` };
    }
  } else {
    yield { path, message: messageOf(unit, rule, value) };
  }
}

const MISSING = 'required, but missing';

function messageOf({ keyword, keywordLocation }: OutputUnit, rule: unknown, value: JsonValue): string {
  const expected = EXPECTED[keyword]?.(rule);
  if (expected !== undefined) return `expected ${expected}, got ${actual(keyword, value)}`;
  if (keyword === 'contains') return 'no item is of the kind the list must contain';
  return /(?:additional|unevaluated)Properties\/not$/.test(keywordLocation)
    ? 'unknown property'
    : 'not allowed';
}

const EXPECTED: Record<string, (rule: unknown) => string> = {
  type: (rule) => either(rule as string[]),
  const: (rule) => quote(rule),
  enum: (rule) => either((rule as unknown[]).map(quote)),
  minimum: (rule) => `at least ${rule}`,
  maximum: (rule) => `at most ${rule}`,
  exclusiveMinimum: (rule) => `more than ${rule}`,
  exclusiveMaximum: (rule) => `less than ${rule}`,
  multipleOf: (rule) => `a multiple of ${rule}`,
  minLength: (rule) => `at least ${rule} characters`,
  maxLength: (rule) => `at most ${rule} characters`,
  minItems: (rule) => `at least ${rule} items`,
  maxItems: (rule) => `at most ${rule} items`,
  minProperties: (rule) => `at least ${rule} properties`,
  maxProperties: (rule) => `at most ${rule} properties`,
};

function actual(keyword: string, value: JsonValue): string {
  if (keyword === 'type') return typeOfValue(value);
  if (typeof value === 'string' && keyword.endsWith('Length')) return `${[...value].length}`;
  if (Array.isArray(value) && keyword.endsWith('Items')) return `${value.length}`;
  if (keyword.endsWith('Properties')) return `${Object.keys(value as object).length}`;
  return quote(value);
}

function missing(keys: unknown, value: JsonValue): string[] {
  return (keys as string[]).filter((key) => !hasKey(value, key));
}

function hasKey(value: JsonValue, key: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key);
}

/** Gives `dependentRequired` of the enclosing schema: the validator misspells the keyword in the location. */
function dependents(unit: OutputUnit, schema: SafeSchema): Record<string, string[]> {
  const around = unit.keywordLocation.slice(0, unit.keywordLocation.lastIndexOf('/'));
  return (ruleAt(around, schema) as { dependentRequired: Record<string, string[]> }).dependentRequired;
}

// --- several -------------------------------------------------------------------------------------------

function* badName(parts: readonly OutputUnit[], scene: Scene): Generator<SchemaProblem> {
  const part = parts[0];
  if (part) yield { path: lookAt(part.instanceLocation, scene.value).path, message: 'name not allowed' };
}

/**
 * Reports a failed `anyOf` or `oneOf`. If every choice fails only by its type, `enum` or `const`, they are listed as
 * one expectation. Otherwise, if exactly one choice is close to the value, its problems are reported.
 */
function* badChoice(unit: OutputUnit, parts: readonly OutputUnit[], scene: Scene): Generator<SchemaProblem> {
  const { path, value } = lookAt(unit.instanceLocation, scene.value);
  const none = { path, message: 'fits none of the forms it may have' };
  scene.budget.left -= parts.length;
  if (scene.budget.left < 0) return yield none;
  const choices = choicesOf(unit, parts);
  const count = (ruleAt(unit.keywordLocation, scene.schema) as unknown[]).length;
  if (choices.length < count) {
    yield { path, message: 'fits more than one of the forms of which it must fit one' };
    return;
  }
  const kinds = choices.map((choice) => kindsOf(choice, unit, scene.schema));
  if (kinds.every((kind) => kind !== undefined)) {
    const words = [...new Set(kinds.flat())];
    const onlyTypes = parts.every((part) => part.keyword === 'type' || WHOLES.has(part.keyword));
    yield {
      path,
      message: `expected ${either(words)}, got ${onlyTypes ? typeOfValue(value) : quote(value)}`,
    };
    return;
  }
  const near = nearest(choices, unit);
  if (near) yield* problemsOf(near, scene);
  else yield none;
}

function choicesOf(unit: OutputUnit, parts: readonly OutputUnit[]): OutputUnit[][] {
  const choices = new Map<string, OutputUnit[]>();
  for (const part of parts) {
    const index = part.keywordLocation.slice(unit.keywordLocation.length + 1).split('/', 1)[0] as string;
    const choice = choices.get(index);
    if (choice) choice.push(part);
    else choices.set(index, [part]);
  }
  return [...choices.values()];
}

/** Gives the types or values that a choice expects of the value itself, if it has no other problems. */
function kindsOf(choice: readonly OutputUnit[], unit: OutputUnit, schema: SafeSchema): string[] | undefined {
  if (choice.length > MAX_LOOKS) return undefined;
  let kinds: string[] | undefined;
  for (const part of choice) {
    if (WHOLES.has(part.keyword) || part.keyword === 'anyOf') continue;
    if (part.instanceLocation !== unit.instanceLocation) return undefined;
    const rule = ruleAt(part.keywordLocation, schema);
    if (part.keyword === 'type') kinds ??= rule as string[];
    else if (part.keyword === 'enum') kinds = (rule as unknown[]).map(quote);
    else if (part.keyword === 'const') kinds = [quote(rule)];
    else return undefined;
  }
  return kinds;
}

/** Finds the one choice of the value's type. Of several, the one whose `const` and `enum` properties match. */
function nearest(choices: OutputUnit[][], unit: OutputUnit): OutputUnit[] | undefined {
  const below = `${unit.instanceLocation}/`;
  const isType = (part: OutputUnit) =>
    part.keyword === 'type' && part.instanceLocation === unit.instanceLocation;
  const isFixed = (part: OutputUnit) =>
    (part.keyword === 'const' || part.keyword === 'enum') &&
    part.instanceLocation.startsWith(below) &&
    !part.instanceLocation.includes('/', below.length);
  const typed = choices.filter((choice) => !choice.some(isType));
  const fitting = typed.length > 1 ? typed.filter((choice) => !choice.some(isFixed)) : typed;
  return fitting.length === 1 ? fitting[0] : undefined;
}

// --- locations and wording -----------------------------------------------------------------------------

function tokensOf(location: string): string[] {
  return location.split('/').slice(1).map(decodeToken);
}

function lookAt(location: string, root: JsonValue): { path: string; value: JsonValue } {
  let path = '';
  let value = root;
  for (const token of tokensOf(location)) {
    path = Array.isArray(value) ? `${path}[${token}]` : joinKey(path, token);
    value = (value as Record<string, JsonValue>)[token] as JsonValue;
  }
  return { path, value };
}

function joinKey(path: string, key: string): string {
  if (!/^[\w$-]+$/.test(key)) return `${path}[${quote(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

function ruleAt(location: string, schema: SafeSchema): unknown {
  let rule: unknown = schema.node;
  for (const token of tokensOf(location)) {
    rule = (rule as Record<string, unknown>)[token];
    // `$ref` as a keyword has a string; a property that is named `$ref` has a schema.
    if (token === '$ref' && typeof rule === 'string') rule = schema.lookup[rule];
  }
  return rule;
}

function either(words: readonly string[]): string {
  if (words.length > MAX_WORDS)
    return `${words.slice(0, MAX_WORDS).join(', ')} or one of ${words.length - MAX_WORDS} more`;
  if (words.length < 2) return words.join();
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function quote(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
