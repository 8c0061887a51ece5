// Writes a JSON Schema as a TypeScript type, for models to read:
//
//   { location: string; /** How far ahead (integer, minimum: 1) */ days?: number; unit?: "c" | "f" }
//
// What a type cannot express is in a comment. A reference that is not expanded is written by name, so that types can be
// recursive. Text from outside goes through `Spelling`, so that it can end neither a comment nor a string.

import {
  descriptionOf,
  inside,
  type Place,
  propertiesOf,
  type SchemaWalk,
} from '../../families/writing/schema-places.js';
import {
  isObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  stringifyJson,
} from '../../model/index.js';
import { isSchema, namedTypes, type SchemaType } from '../../schema/schema.js';
import { isIdentifier } from './names.js';

export interface Spelling {
  /** Escapes text so that it cannot close a comment. */
  comment(text: string): string;
  /** Writes a value as a literal type. */
  literal(value: JsonValue): string;
}

export interface Printing extends Spelling {
  walk: SchemaWalk;
  /** Gives the type name of a reference. The caller must declare that type. */
  nameOf(ref: string): string;
}

/** Keywords that the type itself expresses, or that only describe the schema document. */
const SAID = new Set(
  (
    'type description title properties required items prefixItems additionalProperties anyOf oneOf allOf const ' +
    'enum nullable $ref $schema $id $anchor $comment $defs definitions'
  ).split(' '),
);

const MAX_LINE = 80;

interface TypeText {
  text: string;
  /** Whether it has an operator at its top, and so needs parentheses inside another type. */
  loose?: boolean;
}

interface Described {
  /** The schema's description and the keywords its type does not express; '' for none. */
  notes: string;
  type: TypeText;
}

export function typeText(printing: Printing, place: Place, margin: string): string {
  return inlineType(printing, place, margin).text;
}

/** Writes a type with its notes before it, for places without a line of their own. */
function inlineType(printing: Printing, place: Place, margin: string): TypeText {
  const { notes, type } = describe(printing, place, margin);
  if (notes === '') return type;
  const text = printing.comment(notes.replaceAll(/[\r\n\u2028\u2029]+/g, ' '));
  return { ...type, text: `/* ${text} */ ${type.text}` };
}

function describe(printing: Printing, place: Place, margin: string, name?: string): Described {
  const opened = printing.walk.open(place);
  if (opened === undefined)
    return { notes: descriptionOf(place.schema), type: unopened(printing, place.schema) };
  const { schema } = opened;
  if (!isObject(schema)) return { notes: '', type: { text: schema ? 'unknown' : 'never' } };
  const type = schemaType(printing, opened, schema as JsonObject, margin);
  return { notes: notesOf(schema as JsonObject, name), type };
}

/** Writes a schema that is not expanded: a circular reference, one beyond the limit, or a schema nested too deeply. */
function unopened(printing: Printing, schema: JsonSchema): TypeText {
  const ref = isObject(schema) ? schema.$ref : undefined;
  if (typeof ref !== 'string') return { text: 'unknown' };
  if (printing.walk.at(ref) !== undefined) return { text: printing.nameOf(ref) };
  return { text: `unknown /* ${printing.comment(ref)} */` };
}

function notesOf(schema: JsonObject, name?: string): string {
  const constraints = Object.entries(schema)
    .filter(([key]) => !SAID.has(key))
    .map(([key, value]) => `${key}: ${stringifyJson(value, 'python')}`);
  if (namedTypes(schema.type)?.has('integer')) constraints.unshift('integer');
  const words = descriptionOf(schema, name).trim();
  const rest = constraints.join(', ');
  return words !== '' && rest !== '' ? `${words} (${rest})` : words + rest;
}

// --- one schema ----------------------------------------------------------------------------------------

function schemaType(printing: Printing, place: Place, schema: JsonObject, margin: string): TypeText {
  const parts = (list: unknown) =>
    (Array.isArray(list) ? list.filter(isSchema) : []).map((part) =>
      inlineType(printing, inside(place, part), margin),
    );
  const all = [...parts(schema.allOf), ...choice(parts(schema.anyOf)), ...choice(parts(schema.oneOf))];
  const own = ownTypes(printing, place, schema, margin, all.length > 0);
  const type = join('&', [...choice(own), ...all]) ?? { text: 'unknown' };
  return schema.nullable === true ? (join('|', [type, { text: 'null' }]) ?? type) : type;
}

/** Gives the types of the schema itself, without the schemas it combines. */
function ownTypes(
  printing: Printing,
  place: Place,
  schema: JsonObject,
  margin: string,
  combines: boolean,
): TypeText[] {
  if (Object.hasOwn(schema, 'const')) return [{ text: printing.literal(schema.const as JsonValue) }];
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => ({ text: printing.literal(value) }));
  const types = namedTypes(schema.type) ?? impliedTypes(schema);
  const print = (type: SchemaType) => namedType(printing, place, schema, type, margin);
  // `{"type": "object", "anyOf": […]}`: the branches already describe the object.
  return [...types].filter((type) => type !== 'object' || !combines || hasMembers(schema)).map(print);
}

function impliedTypes(schema: JsonObject): ReadonlySet<SchemaType> {
  if (hasMembers(schema)) return new Set(['object']);
  return new Set(isSchema(schema.items) || Array.isArray(schema.prefixItems) ? ['array'] : []);
}

function hasMembers(schema: JsonObject): boolean {
  return isObject(schema.properties) || isObject(schema.additionalProperties);
}

function namedType(
  printing: Printing,
  place: Place,
  schema: JsonObject,
  type: SchemaType,
  margin: string,
): TypeText {
  if (type === 'array') return arrayType(printing, place, schema, margin);
  if (type === 'object') return objectType(printing, place, schema, margin);
  return { text: type === 'integer' ? 'number' : type };
}

function arrayType(printing: Printing, place: Place, schema: JsonObject, margin: string): TypeText {
  const tuple = [schema.prefixItems, schema.items].find(Array.isArray);
  const rest = isSchema(schema.items)
    ? arrayOf(inlineType(printing, inside(place, schema.items), margin))
    : undefined;
  if (tuple === undefined) return { text: rest ?? 'unknown[]' };
  const items = tuple.filter(isSchema).map((item) => inlineType(printing, inside(place, item), margin).text);
  return { text: `[${[...items, ...(rest && schema.items !== false ? [`...${rest}`] : [])].join(', ')}]` };
}

function arrayOf(item: TypeText): string {
  return item.loose ? `Array<${item.text}>` : `${item.text}[]`;
}

// --- objects -------------------------------------------------------------------------------------------

interface Member {
  notes: string;
  text: string;
}

function objectType(printing: Printing, place: Place, schema: JsonObject, margin: string): TypeText {
  const inner = `${margin}  `;
  const members = propertiesOf(schema).map((property): Member => {
    const { notes, type } = describe(printing, inside(place, property.schema), inner, property.key);
    const key = isIdentifier(property.key) ? property.key : printing.literal(property.key);
    return { notes, text: `${key}${property.required ? '' : '?'}: ${type.text}` };
  });
  const others = otherMembers(printing, place, schema, inner);
  if (members.length === 0 && others !== undefined) return { text: `Record<string, ${others}>` };
  if (others !== undefined) members.push({ notes: '', text: `[key: string]: ${others}` });
  return { text: braces(printing, members, margin) };
}

/** Gives the type of members that are not named; undefined if there are none. */
function otherMembers(
  printing: Printing,
  place: Place,
  schema: JsonObject,
  margin: string,
): string | undefined {
  const { additionalProperties, properties } = schema;
  if (isObject(additionalProperties)) return typeText(printing, inside(place, additionalProperties), margin);
  const open = additionalProperties === true || (additionalProperties === undefined && !isObject(properties));
  return open ? 'unknown' : undefined;
}

function braces(printing: Printing, members: readonly Member[], margin: string): string {
  if (members.length === 0) return '{}';
  const short = `{ ${members.map((member) => member.text).join('; ')} }`;
  const isShort =
    short.length <= MAX_LINE && !short.includes('\n') && members.every(({ notes }) => notes === '');
  if (isShort) return short;
  const inner = `${margin}  `;
  const lines = members.map(({ notes, text }) => `${commentLines(printing, notes, inner)}${inner}${text};\n`);
  return `{\n${lines.join('')}${margin}}`;
}

/** Writes a doc comment on lines of its own; '' for no text. */
export function commentLines(spelling: Spelling, text: string, margin: string): string {
  const lines = spelling.comment(text.trim()).split(/\r\n|[\r\n\u2028\u2029]/);
  if (lines.length === 1) return lines[0] === '' ? '' : `${margin}/** ${lines[0]} */\n`;
  const starred = lines.map((line) => `${margin} * ${line}`.trimEnd());
  return `${margin}/**\n${starred.join('\n')}\n${margin} */\n`;
}

// --- operators -----------------------------------------------------------------------------------------

function choice(types: readonly TypeText[]): TypeText[] {
  const union = join('|', types);
  return union === undefined ? [] : [union];
}

function join(operator: '|' | '&', types: readonly TypeText[]): TypeText | undefined {
  const distinct = [...new Map(types.map((type) => [type.text, type])).values()];
  if (distinct.length < 2) return distinct[0];
  const texts = distinct.map(({ text, loose }) => (loose ? `(${text})` : text));
  return { text: texts.join(` ${operator} `), loose: true };
}
