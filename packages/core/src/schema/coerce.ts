// Turns values written as bare text (between tags, in a quoted attribute) into JSON text, typed by the schema:
//
//     only strings        the text, verbatim                         007 → "007", null → "null"
//     no strings          JSON, else leniently, else verbatim        [1, 2] → [1,2], True → true (repair)
//     strings and others  JSON if it is one of the others            5 → 5 under string | integer
//     no types given      JSON if it is no string                    1.0 → 1.0, "a" → "\"a\""
//
// Numbers keep their digits. Text that becomes a string is not trimmed.

import type { RepairCode } from '../model/issues.js';
import type { JsonValue } from '../model/json.js';
import { readJson, type ValueHint } from '../text/json.js';
import { readPythonLiteral } from '../text/python-literal.js';
import {
  acceptedTypes,
  acceptsType,
  itemSchema,
  type OptionalSchema,
  propertySchema,
  type SchemaType,
  type Types,
  typeOfValue,
} from './schema.js';

export interface Coerced {
  /** Compact JSON text. */
  json: string;
  repair?: RepairCode;
  issue?: { code: 'wrong-type'; message: string };
  /** Repeated keys in an object of the value: the last one counts. */
  duplicates?: string[];
}

const MAX_DEPTH = 128;

export function coerceText(text: string, types: Types | undefined, maxDepth = MAX_DEPTH): Coerced {
  if (types?.size === 1 && types.has('string')) return verbatim(text);
  const strict = parseStrict(text, maxDepth);
  if (types && !types.has('string')) return withoutString(text, strict, types, maxDepth);
  if (strict && strict.type !== 'string' && acceptsType(types, strict.type)) return asRead(strict);
  return verbatim(text);
}

/**
 * Coerces a string to the JSON text of a number or boolean, if the schema accepts one and no string, and the string
 * reads as one. The caller lists the repair `string-as-scalar`.
 */
export function scalarFromString(decoded: string, types: Types | undefined): string | undefined {
  if (!types || types.has('string')) return undefined;
  if (types.has('boolean')) {
    const word = decoded.length <= 5 ? decoded.toLowerCase() : '';
    if (word === 'true' || word === 'false') return word;
  }
  if (!JSON_NUMBER.test(decoded)) return undefined;
  return acceptsType(types, typeOfValue(Number(decoded))) ? decoded : undefined;
}

/**
 * Makes the JSON reader's hints from a schema. The reader holds a string back only where it may become something else:
 * a number or a boolean, and with `json` null, an array or an object, too.
 */
export function schemaHint(schema: OptionalSchema, json = false, root = schema): ValueHint | undefined {
  if (schema === undefined) return undefined;
  const hint: ValueHint = {
    property: (key) => schemaHint(propertySchema(schema, key, root), json, root),
    item: () => schemaHint(itemSchema(schema, root), json, root),
  };
  const types = acceptedTypes(schema, root);
  if (!types || types.has('string')) return hint;
  const wantsScalar = types.has('number') || types.has('integer') || types.has('boolean');
  const wantsJson = json && (types.has('null') || types.has('array') || types.has('object'));
  if (wantsScalar || wantsJson)
    hint.scalar = (decoded) =>
      (wantsScalar ? scalarFromString(decoded, types) : undefined) ??
      (wantsJson ? jsonFromString(decoded, types) : undefined);
  return hint;
}

/** Gives the JSON text of a string that is exactly null, an array or an object, if the schema accepts it. */
function jsonFromString(decoded: string, types: Types): string | undefined {
  const read = /^\s*[n[{]/.test(decoded) ? parseStrict(decoded, MAX_DEPTH) : undefined;
  return read && !read.duplicates && acceptsType(types, read.type) ? read.json : undefined;
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

interface Read extends Pick<Coerced, 'json' | 'duplicates'> {
  type: SchemaType;
}

function asRead({ json, duplicates }: Read): Coerced {
  return duplicates ? { json, duplicates } : { json };
}

function verbatim(text: string): Coerced {
  return { json: JSON.stringify(text) };
}

/** Reads a value under a schema without strings. Strict JSON of another type is kept: the validator reports it. */
function withoutString(text: string, strict: Read | undefined, types: Types, maxDepth: number): Coerced {
  if (!strict)
    return (
      escaped(text.trim(), types, maxDepth) ?? generous(text.trim(), types, maxDepth) ?? notJson(text, types)
    );
  return (strict.type === 'string' ? unquoted(strict, types) : undefined) ?? asRead(strict);
}

/** Reads an array or an object that was escaped as if it were in a string: `[{\\"id\\": 1}]`. */
function escaped(text: string, types: Types, maxDepth: number): Coerced | undefined {
  const head = text.slice(0, 64).replaceAll(/[\s[{]/g, '');
  if (!'[{'.includes(text.charAt(0)) || !head.startsWith('\\"')) return undefined;
  const inner = parseStrict(`"${text}"`, maxDepth);
  const read = inner && parseStrict(JSON.parse(inner.json) as string, maxDepth);
  return read && acceptsType(types, read.type) ? { ...asRead(read), repair: 'string-as-json' } : undefined;
}

function notJson(text: string, types: Types): Coerced {
  const message = `expected ${[...types].join(' or ')}; the text cannot be read as that and is kept as a string`;
  return { ...verbatim(text), issue: { code: 'wrong-type', message } };
}

function unquoted(read: Read, types: Types): Coerced | undefined {
  const scalar = scalarFromString(JSON.parse(read.json) as string, types);
  return scalar === undefined ? undefined : { json: scalar, repair: 'string-as-scalar' };
}

/** Reads leniently. Where the lenient JSON reader finds signs of Python, the Python reader's result is used. */
function generous(text: string, types: Types, maxDepth: number): Coerced | undefined {
  const word = scalarFromString(text, types);
  if (word !== undefined) return { json: word, repair: word === text ? 'number-format' : 'python-word' };
  const lenient = readJson(text, { maxDepth });
  const codes = lenient?.repairs.map((repair) => repair.code) ?? [];
  const looksPython = !lenient || codes.includes('single-quotes') || codes.includes('python-word');
  const python = looksPython ? readPythonLiteral(text, { maxDepth }) : undefined;
  const json = python?.ok ? python.json : lenient?.json;
  const read = json === undefined ? undefined : parseStrict(json, maxDepth);
  if (read?.type === 'string') return unquoted(read, types);
  if (!read || !acceptsType(types, read.type)) return undefined;
  return { ...asRead(read), repair: python?.ok ? pythonRepair(text) : (codes[0] ?? 'python-literal') };
}

function pythonRepair(text: string): RepairCode {
  return text === 'True' || text === 'False' || text === 'None' ? 'python-word' : 'python-literal';
}

// --- strict JSON ---------------------------------------------------------------------------------------

/** How a JSON value can begin. Most texts are not JSON, and this test is cheaper than a SyntaxError. */
const BEGINS_JSON = /^[ \t\n\r]*[-{["0-9tfn]/;

function parseStrict(text: string, maxDepth: number): Read | undefined {
  if (!BEGINS_JSON.test(text)) return undefined;
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
  const compacted = compact(text, maxDepth);
  if (!compacted) return undefined;
  const { json, members } = compacted;
  const read: Read = { json, type: typeOfValue(value) };
  // JSON.parse keeps one member for each key. Only if members are missing, a second pass finds the repeated keys.
  if (members > 0 && countKeys(value) < members)
    read.duplicates = (readJson(json, { maxDepth })?.duplicates ?? []).map(({ key }) => key);
  return read;
}

/** Counts keys without allocating: a value may have a hundred thousand of them. */
function countKeys(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') count += countKeys(item);
    return count;
  }
  for (const key in value) {
    const member = value[key] as JsonValue;
    count += typeof member === 'object' ? 1 + countKeys(member) : 1;
  }
  return count;
}

/**
 * Removes the white space between the tokens of valid JSON, and counts the members of its objects, repeated keys
 * included. Undefined if it is nested too deep.
 */
function compact(text: string, maxDepth: number): { json: string; members: number } | undefined {
  let json = '';
  let from = 0;
  let depth = 0;
  let members = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) at = closingQuote(text, at);
    else if (char === BRACE || char === BRACKET) {
      if (++depth > maxDepth) return undefined;
    } else if (char === BRACE + 2 || char === BRACKET + 2) depth--;
    else if (char === COLON) members++;
    else if (char <= SPACE) {
      json += text.slice(from, at);
      from = at + 1;
    }
  }
  return { json: json + text.slice(from), members };
}

const QUOTE = 0x22;
const BRACE = 0x7b;
const BRACKET = 0x5b;
const COLON = 0x3a;
const SPACE = 0x20;

function closingQuote(text: string, open: number): number {
  let at = open + 1;
  while (text.charCodeAt(at) !== QUOTE) at += text[at] === '\\' ? 2 : 1;
  return at;
}
