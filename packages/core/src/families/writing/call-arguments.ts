// Prepares the arguments of a call for tags, and decides when tags cannot carry them. Then the whole call is written
// with a JSON body, which the readers of tagged dialects accept, too.

import type { Writer } from '../../engine/dialect.js';
import { hasMarker } from '../../engine/markers.js';
import {
  ExactNumber,
  type ExactValue,
  exactObject,
  inBothSpellings,
  isObject,
  type JsonObject,
  type JsonValue,
  parseExact,
  readMembers,
  stringifyJson,
  type Tool,
  type ToolCall,
  tryParseExact,
} from '../../model/index.js';
import { coerceText } from '../../schema/coerce.js';
import { acceptedTypes, type OptionalSchema, propertySchema, type Types } from '../../schema/schema.js';

/**
 * The tools whose schemas a reader will use for a call that is taught or replayed. Undefined in a whole prompt: only
 * the model reads it, and it must match the vendor's spelling.
 */
export type Asked = readonly Tool[] | undefined;

export interface Argument {
  key: string;
  value: ExactValue;
}

/** Gives the arguments in the author's order and with the author's digits, where the call still has them. */
export function argumentsOf(call: ToolCall): Argument[] {
  const plain = plainValue(call);
  if (!isObject(plain)) return readMembers(call.raw ?? '');
  return Object.entries(plain as JsonObject).map(([key, value]) => ({ key, value }));
}

/** Writes the arguments as JSON in Python's spelling. */
export function argumentsJson(args: readonly Argument[]): string {
  return stringifyJson(exactObject(args.map(({ key, value }) => [key, value] as const)), 'python');
}

/**
 * Writes the arguments as the vendors of JSON dialects print them. A text is kept to the letter; a value gets Python's
 * spelling. A text that is exactly JSON.stringify's output counts as a value, because programs write it so and models
 * do not.
 */
export function argumentsText(call: ToolCall): string {
  const { raw, input } = call;
  if (raw === undefined) return stringifyJson(input, 'python');
  const { compact, python } = inBothSpellings(input);
  if (raw === compact || raw === python) return python;
  const plain = plainValue(call);
  if (plain !== undefined) return stringifyJson(plain, 'python');
  const value = parseExact(raw);
  return stringifyJson(value, 'compact') === raw ? stringifyJson(value, 'python') : raw;
}

/**
 * Gives the value of a text that JSON.stringify reproduces to the letter, so that digits, order and keys are kept. Most
 * texts are like that, and JSON.parse is many times faster than the exact reader; the text of the input need not be read
 * at all. Undefined for all others.
 */
function plainValue({ raw, input }: ToolCall): JsonValue | undefined {
  if (raw === undefined || JSON.stringify(input) === raw) return input;
  try {
    const value = JSON.parse(raw) as JsonValue;
    return JSON.stringify(value) === raw ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether every key can be written in a tag and read back. With `exact` safety the vendor's spelling is kept as it is.
 */
export function tagsHoldKeys(out: Writer, args: readonly Argument[]): boolean {
  return out.safety === 'exact' || args.every(({ key }) => tagHoldsKey(out, key));
}

function tagHoldsKey(out: Writer, key: string): boolean {
  return (
    key !== '' && key === key.trim() && !/["\\<>\n\r\u2028\u2029]/.test(key) && !hasMarker(key, out.markers)
  );
}

/**
 * Whether a reader would take one argument for all of them. Models put everything into a parameter `arguments` or
 * `input`, so readers unwrap one that the tool does not declare, before they know whether others follow.
 */
export function looksWrapped(
  out: Writer,
  call: ToolCall,
  args: readonly Argument[],
  tools: Asked,
  wrappers: readonly string[] = ['arguments', 'input'],
): boolean {
  if (out.safety === 'exact' || !tools) return false;
  return args.some(({ key, value }) => {
    if (!wrappers.includes(key)) return false;
    if (propertySchema(schemaOf(call, tools), key) !== undefined) return false;
    return typeof value === 'string' ? isJsonOtherThanString(value) : isObject(value);
  });
}

/** Gives the types that the tool's schema allows an argument; undefined where it allows any. */
export function declaredTypes(call: ToolCall, key: string, tools: readonly Tool[]): Types | undefined {
  const schema = schemaOf(call, tools);
  return acceptedTypes(propertySchema(schema, key), schema);
}

function schemaOf(call: ToolCall, tools: readonly Tool[]): OptionalSchema {
  return tools.find((tool) => tool.name === call.name)?.parameters;
}

/**
 * Whether every value is read back from tags that carry no types. The reader uses the tool's schema; where that allows
 * strings and others, text that looks like JSON is JSON. Without tools there is no schema to check, and the vendor's
 * spelling is kept.
 */
export function tagsHoldValues(
  out: Writer,
  call: ToolCall,
  args: readonly Argument[],
  tools: Asked,
): boolean {
  if (out.safety === 'exact' || !tools?.length) return true;
  return args.every(({ key, value }) => {
    const types = declaredTypes(call, key, tools);
    if (typeof value !== 'string') return !readsAsString(stringifyJson(value, 'python'), types);
    return (types?.has('string') ?? true) && readsAsString(value, types);
  });
}

/** Whether the reader takes this text for a string. */
export function readsAsString(text: string, types: Types | undefined): boolean {
  const onlyString = types?.size === 1 && types.has('string');
  return onlyString || coerceText(text, types).json.startsWith('"');
}

function isJsonOtherThanString(text: string): boolean {
  try {
    return typeof JSON.parse(text) !== 'string';
  } catch {
    return false;
  }
}

/** Gives the arguments with the author's digits and key order, where `raw` has them as valid JSON. */
export function inputOf(call: ToolCall): ExactValue {
  if (call.raw === undefined) return call.input;
  const value = tryParseExact(call.raw);
  return isObject(value) && !(value instanceof ExactNumber) ? value : call.input;
}
