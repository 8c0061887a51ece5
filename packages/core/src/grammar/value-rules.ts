// Turns a schema into grammar rules for its values. What a grammar cannot express is left unconstrained and listed in
// the limits. A sampler with these rules writes a value of the right shape; the validator still checks it.

import type { JsonSchema } from '../model/conversation.js';
import { isObject, type JsonObject, type JsonValue } from '../model/json.js';
import { namedTypes, type OptionalSchema, type SchemaType, typeOfValue } from '../schema/schema.js';
import { charsOf, except, JSON_CHAR } from './char-ranges.js';
import { keyExcept } from './key-rules.js';
import { memberList } from './member-list.js';
import {
  choice,
  EMPTY,
  isNever,
  literal,
  NEVER,
  type Node,
  optional,
  ref,
  repeat,
  sequence,
} from './node.js';
import { anyInteger, anyNumber, type Bounds, boundedNumber, isBounded } from './number-rules.js';
import { shapeOf } from './object-shape.js';
import { patternRule } from './pattern-rules.js';
import type { RuleBook } from './rule-book.js';
import { ANNOTATIONS, fitsType, variantsOf } from './schema-variants.js';
import type { ValueStyle } from './spelling.js';
import { formatRule, rawString, type StringStyle } from './string-rules.js';
import { type StyleSigns, signsOf, whiteSpace, wordsOf } from './value-style.js';

const MAX_DEPTH = 40;
const MAX_REPEAT = 1_000;
const MAX_ENUM = 1_000;
const ALL_TYPES: readonly SchemaType[] = ['string', 'number', 'boolean', 'null', 'array', 'object'];
/** Keywords that none of the grammar formats can express. */
const UNSAID = new Set([
  ...['not', 'if', 'then', 'else', 'dependentRequired', 'dependentSchemas', 'dependencies'],
  ...['contains', 'minContains', 'maxContains', 'uniqueItems', 'multipleOf'],
  ...['minProperties', 'maxProperties'],
  ...['propertyNames', 'unevaluatedProperties', 'unevaluatedItems', '$dynamicRef', '$recursiveRef'],
]);

interface Place {
  book: RuleBook;
  root: OptionalSchema;
  style: ValueStyle;
  signs: StyleSigns;
  /** The style, and the style with the root, as parts of the keys of rules. */
  styleKey: string;
  key: string;
}

/** Makes the rule of a value that satisfies the schema, in the given style. */
export function valueRule(
  schema: OptionalSchema,
  root: OptionalSchema,
  style: ValueStyle,
  book: RuleBook,
): Node {
  const spelled = spelledStyle(style, book);
  const { signs, key } = spelled;
  const place: Place = { book, root, style, signs, styleKey: key, key: `${key} ${identity(root)}` };
  return style.type === 'text'
    ? textValue(schema, place, spelled.between)
    : innerValue(schema, place, 'value');
}

interface SpelledStyle {
  signs: StyleSigns;
  /** The signs of a scalar between tags. */
  between: StyleSigns;
  /** A short name of the style. */
  key: string;
}

/** The styles of each book, by the object and by their text: most values of a grammar have the same one. */
const styles = new WeakMap<RuleBook, Map<ValueStyle | string, SpelledStyle>>();

function spelledStyle(style: ValueStyle, book: RuleBook): SpelledStyle {
  const known = styles.get(book) ?? new Map<ValueStyle | string, SpelledStyle>();
  styles.set(book, known);
  const same = known.get(style);
  if (same) return same;
  const text = JSON.stringify(style);
  const equal = known.get(text) ?? madeStyle(style, book, String(known.size));
  known.set(text, equal);
  known.set(style, equal);
  return equal;
}

function madeStyle(style: ValueStyle, book: RuleBook, key: string): SpelledStyle {
  const signs = signsOf(
    style,
    book.named('space', 'space', () => whiteSpace),
  );
  const between =
    style.type === 'text'
      ? { ...signs, ...wordsOf(style), string: rawString('', style.without ?? []) }
      : signs;
  return { signs, between, key };
}

const identities = new WeakMap<object, number>();
let lastIdentity = 0;

/** Gives an id that is the same for the same object, because schemas may refer back to themselves. */
function identity(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null) return String(schema);
  const known = identities.get(schema);
  if (known !== undefined) return String(known);
  identities.set(schema, ++lastIdentity);
  return String(lastIdentity);
}

// --- any value -----------------------------------------------------------------------------------------

function innerValue(schema: OptionalSchema, place: Place, hint: string): Node {
  const { book } = place;
  if (schema === undefined || schema === true || isEmpty(schema)) return anyValue(place);
  if (book.path.length > MAX_DEPTH) {
    book.limit('', 'nested too deep: any value is written from here on');
    return anyValue(place);
  }
  const leaf = leafText(schema);
  const key = leaf === undefined ? `${place.key} ${keyOf(schema, place)}` : `${place.styleKey} ${leaf}`;
  const limits = book.limitCount;
  const node = book.named(`value ${key}`, hint, () =>
    choice(...variantsOf(schema, place.root, book).map((one) => plainValue(one, place))),
  );
  // A limit has a path: the next place with an equal schema states its own.
  if (leaf !== undefined && book.limitCount > limits) book.forget(`value ${key}`);
  return node;
}

/**
 * Gives the text of a schema without members or references: equal ones share a rule wherever they stand. Undefined for
 * any other.
 */
function leafText(schema: JsonSchema): string | undefined {
  if (!isObject(schema)) return undefined;
  let text = '';
  for (const keyword of Object.keys(schema)) {
    if (ANNOTATIONS.has(keyword)) continue;
    const value = schema[keyword] as JsonValue;
    const isList = Array.isArray(value) && !value.some(isNested);
    const inner = keyword === 'items' && isObject(value) ? leafText(value) : undefined;
    if (keyword.startsWith('$') || (isNested(value) && !isList && inner === undefined)) return undefined;
    text += `${keyword}:${inner === undefined ? JSON.stringify(value) : `{${inner}}`} `;
  }
  return text;
}

const isNested = (value: unknown) => typeof value === 'object' && value !== null;

/** Gives the key of a schema's rule: of its target for a plain `$ref`, its text for `allOf`, else its identity. */
function keyOf(schema: JsonSchema, place: Place): string {
  if (!isObject(schema)) return String(schema);
  const { $ref, allOf } = schema;
  if (typeof $ref === 'string' && countSaid(schema) === 1) return `ref ${$ref}`;
  if (Array.isArray(allOf) && countSaid(schema) === 1) return JSON.stringify(allOf);
  return identity(schema) || place.key;
}

function countSaid(schema: JsonObject): number {
  return Object.keys(schema).filter((keyword) => !ANNOTATIONS.has(keyword)).length;
}

function isEmpty(schema: JsonSchema): boolean {
  return isObject(schema) && Object.keys(schema).every((keyword) => ANNOTATIONS.has(keyword));
}

function anyValue(place: Place): Node {
  const { book, signs } = place;
  return book.named(`any ${place.styleKey}`, 'any', (name) => {
    const itself = ref(name);
    return choice(
      stringNode({}, signs.string, book),
      book.named('number', 'number', () => anyNumber),
      ...[signs.true, signs.false, signs.null].map(literal),
      listOf(itself, 0, undefined, signs),
      objectOf([], itself, place),
    );
  });
}

function plainValue(schema: JsonObject, place: Place): Node {
  noteUnsaid(schema, place.book);
  if (isEmpty(schema)) return anyValue(place);
  const values = valuesOf(schema, place.book);
  if (values) return choice(...values.map((value) => spelledValue(value, place)));
  return choice(...typesOf(schema).map((type) => typedValue(type, schema, place)));
}

function noteUnsaid(schema: JsonObject, book: RuleBook): void {
  for (const keyword of Object.keys(schema))
    if (UNSAID.has(keyword) && schema[keyword] !== false)
      book.limit(keyword, 'no grammar can say it: the value is checked only when it is read');
}

/** Gives the values that `enum` and `const` allow, if there is either. */
function valuesOf(schema: JsonObject, book: RuleBook): JsonValue[] | undefined {
  const listed = Array.isArray(schema.enum) ? schema.enum : undefined;
  const given = Object.hasOwn(schema, 'const') ? [schema.const as JsonValue] : listed;
  if (!given) return undefined;
  if (given.length > MAX_ENUM) {
    book.limit('enum', `more than ${MAX_ENUM} values: any value of the type is written`);
    return undefined;
  }
  return given.filter((value) => fitsType(value, schema.type));
}

function typesOf(schema: JsonObject): readonly SchemaType[] {
  const named = namedTypes(schema.type);
  if (named) return [...named];
  if (isObject(schema.properties)) return ['object'];
  if (isObject(schema.items) || Array.isArray(schema.prefixItems)) return ['array'];
  return ALL_TYPES;
}

function typedValue(type: SchemaType, schema: JsonObject, place: Place): Node {
  const { book, signs } = place;
  if (type === 'string') return stringNode(schema, signs.string, book);
  if (type === 'integer' || type === 'number') return numberNode(schema, type === 'integer', book);
  if (type === 'boolean') return choice(literal(signs.true), literal(signs.false));
  if (type === 'null') return literal(signs.null);
  return type === 'array' ? arrayNode(schema, place) : objectNode(schema, place);
}

// --- a constant value ----------------------------------------------------------------------------------

function spelledValue(value: JsonValue, place: Place): Node {
  const { signs, book } = place;
  if (typeof value === 'string') {
    const spelled = spelledString(value, signs.string);
    if (!isNever(spelled)) return spelled;
    book.limit('enum', `${JSON.stringify(value)} holds a marker and cannot be written`);
    return NEVER;
  }
  if (value === null) return literal(signs.null);
  if (typeof value === 'boolean') return literal(value ? signs.true : signs.false);
  if (typeof value === 'number') return literal(JSON.stringify(value));
  if (Array.isArray(value)) {
    const parts = value.flatMap((item, at) => [at > 0 ? comma(signs) : EMPTY, spelledValue(item, place)]);
    return sequence(literal('['), gap(signs), ...parts, gap(signs), literal(']'));
  }
  const members = Object.entries(value).map(([key, member]) => ({
    node: sequence(keyNode(key, place), spelledValue(member as JsonValue, place)),
    required: true,
  }));
  return bracesAround(memberList(members, comma(signs), undefined, book), signs);
}

// --- strings and numbers -------------------------------------------------------------------------------

function stringNode(schema: JsonObject, style: StringStyle, book: RuleBook): Node {
  const ways = (style.or ? [style, style.or] : [style]).map((one) =>
    sequence(literal(one.quote), stringBody(schema, one, book), literal(one.quote)),
  );
  return choice(...ways);
}

/** Makes the rule of a constant string, in every kind of quotes that the style has. */
function spelledString(text: string, style: StringStyle): Node {
  const ways = [style, ...(style.or ? [style.or] : [])].map((one) => {
    const spelled = one.spell(text);
    return spelled === undefined ? NEVER : literal(one.quote + spelled + one.quote);
  });
  return choice(...ways);
}

function stringBody(schema: JsonObject, style: StringStyle, book: RuleBook): Node {
  const { pattern, format } = schema;
  const from = countOf(schema.minLength) ?? 0;
  const to = countOf(schema.maxLength);
  if (pattern !== undefined) {
    const rule = patternRule(pattern, style);
    if (rule) {
      if (from > 0 || to !== undefined) book.limit('maxLength', 'the length is that of the pattern');
      return rule;
    }
    book.limit('pattern', 'it is not run, and says more than a grammar can: any text is written');
  }
  const known = formatRule(format);
  if (known && to === undefined) return known;
  if (format !== undefined && !known) book.limit('format', `${String(format)} is not held by the grammar`);
  return book.named(`string ${from} ${to ?? -1} ${style.key}`, 'string', () =>
    textOf(style, capped(from, 'minLength', book) ?? 0, capped(to, 'maxLength', book), book),
  );
}

function textOf(style: StringStyle, from: number, to: number | undefined, book: RuleBook): Node {
  return book.without({
    type: 'without',
    strings: style.without,
    ranges: style.ranges,
    ...(style.escape && { escape: escapeRule(style.escape, book) }),
    from: Math.min(from, to ?? from),
    ...(to !== undefined && { to }),
  });
}

function escapeRule(node: Node, book: RuleBook): Node {
  return book.named(`escape ${identity(node)}`, 'escape', () => node);
}

function countOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && value >= 0 ? Math.ceil(value) : undefined;
}

/** Drops a count over MAX_REPEAT, and lists it in the limits: engines refuse long repetitions. */
function capped(count: number | undefined, keyword: string, book: RuleBook): number | undefined {
  if (count === undefined || count <= MAX_REPEAT) return count;
  book.limit(keyword, `beyond ${MAX_REPEAT} it is not held by the grammar`);
  return undefined;
}

function numberNode(schema: JsonObject, whole: boolean, book: RuleBook): Node {
  const bounds = boundsOf(schema);
  const isWhole = whole || schema.multipleOf === 1;
  if (isBounded(bounds)) {
    const key = JSON.stringify(['bounded', isWhole, bounds]);
    const node = book.known(key) ?? boundedNumber(bounds, isWhole);
    if (node) return book.named(key, isWhole ? 'integer' : 'number', () => node);
    book.limit('minimum', 'the bounds have too many digits to be held by a grammar');
  }
  return isWhole
    ? book.named('integer', 'integer', () => anyInteger)
    : book.named('number', 'number', () => anyNumber);
}

/** Gives the bounds of a number. Draft-04's `exclusiveMinimum: true` makes the bound beside it exclusive. */
function boundsOf(schema: JsonObject): Bounds {
  const bounds: Bounds = {};
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (typeof minimum === 'number')
    bounds[exclusiveMinimum === true ? 'exclusiveMinimum' : 'minimum'] = minimum;
  if (typeof maximum === 'number')
    bounds[exclusiveMaximum === true ? 'exclusiveMaximum' : 'maximum'] = maximum;
  if (typeof exclusiveMinimum === 'number') bounds.exclusiveMinimum = exclusiveMinimum;
  if (typeof exclusiveMaximum === 'number') bounds.exclusiveMaximum = exclusiveMaximum;
  return bounds;
}

// --- lists and objects ---------------------------------------------------------------------------------

function gap(signs: StyleSigns): Node {
  return signs.space ?? EMPTY;
}

function comma(signs: StyleSigns): Node {
  return sequence(literal(','), gap(signs));
}

function arrayNode(schema: JsonObject, place: Place): Node {
  const { book, signs } = place;
  const least = capped(countOf(schema.minItems), 'minItems', book) ?? 0;
  const most = capped(countOf(schema.maxItems), 'maxItems', book);
  const tuple = [schema.prefixItems, schema.items].find(Array.isArray);
  const rest = tuple && tuple === schema.items ? schema.additionalItems : schema.items;
  const item =
    rest === false ? NEVER : book.at('items', () => innerValue(rest as OptionalSchema, place, 'item'));
  if (!tuple) return listOf(item, least, most, signs);
  if (tuple.length > MAX_REPEAT) {
    book.limit('prefixItems', `more than ${MAX_REPEAT} items: any list is written`);
    return listOf(anyValue(place), least, most, signs);
  }
  const heads = tuple.map((one, at) =>
    book.at(String(at), () => innerValue(one as JsonSchema, place, 'item')),
  );
  return tupleOf(heads, item, least, most, signs);
}

function listOf(item: Node, from: number, to: number | undefined, signs: StyleSigns): Node {
  if (to !== undefined && to < from) return NEVER;
  const rest = sequence(comma(signs), item);
  const filled = sequence(item, repeat(rest, Math.max(0, from - 1), to === undefined ? undefined : to - 1));
  const inside =
    to === 0 ? EMPTY : from === 0 ? optional(sequence(filled, gap(signs))) : sequence(filled, gap(signs));
  return sequence(literal('['), gap(signs), inside, literal(']'));
}

/** Makes the rule of a tuple, from the last item back: `tail` is what may follow the n-th item. */
function tupleOf(
  heads: readonly Node[],
  item: Node,
  from: number,
  to: number | undefined,
  signs: StyleSigns,
): Node {
  const room = to === undefined ? undefined : Math.max(0, to - heads.length);
  let tail: Node = repeat(sequence(comma(signs), item), Math.max(0, from - heads.length), room);
  for (let at = Math.min(heads.length, to ?? heads.length) - 1; at >= 0; at--) {
    const here = sequence(at === 0 ? EMPTY : comma(signs), heads[at] as Node, tail);
    tail = at >= from ? optional(here) : here;
  }
  return sequence(literal('['), gap(signs), tail, gap(signs), literal(']'));
}

function objectNode(schema: JsonObject, place: Place): Node {
  const { book } = place;
  const shape = shapeOf(schema, place.root);
  const members = shape.members.map(({ key, schema: member, required }) => ({
    key,
    node: book.at(key, () => sequence(keyNode(key, place), innerValue(member, place, key))),
    required,
  }));
  return objectOf(members, additionalValue(schema, shape.additional, place), place);
}

function additionalValue(schema: JsonObject, additional: boolean | JsonSchema, place: Place): Node {
  const { book } = place;
  if (isObject(schema.patternProperties)) {
    book.limit('patternProperties', 'the patterns of keys are not run: any key takes a value of any of them');
    const values = Object.values(schema.patternProperties) as JsonSchema[];
    return choice(...values.map((one) => book.at('*', () => innerValue(one, place, 'member'))));
  }
  if (additional === false) return NEVER;
  book.limit('additionalProperties', 'a key that the schema does not name may be written twice');
  return book.at('*', () => innerValue(additional === true ? undefined : additional, place, 'member'));
}

function objectOf(
  members: readonly { key: string; node: Node; required: boolean }[],
  additional: Node,
  place: Place,
): Node {
  const { book, signs } = place;
  const names = members.map(({ key }) => key);
  const more = isNever(additional) ? undefined : sequence(otherKey(names, place), additional);
  return bracesAround(memberList(members, comma(signs), more, book), signs);
}

function bracesAround(inside: Node, signs: StyleSigns): Node {
  return sequence(literal('{'), gap(signs), inside, gap(signs), literal('}'));
}

const BARE_KEY = /^[A-Za-z_][A-Za-z0-9_]*$/;

function keyNode(key: string, { signs, book }: Place): Node {
  const bare = signs.ownKeys?.get(key) ?? (signs.bareKeys && BARE_KEY.test(key) ? key : undefined);
  if (bare !== undefined) return sequence(literal(`${bare}:`), gap(signs));
  const spelled = spelledString(key, signs.string);
  if (isNever(spelled))
    book.limit('properties', `the key ${JSON.stringify(key)} holds a marker and cannot be written`);
  return sequence(spelled, literal(':'), gap(signs));
}

/** Makes the rule of a key the schema does not name. If it names any, it has no escapes, which could spell one. */
function otherKey(names: readonly string[], { signs, book }: Place): Node {
  const { string } = signs;
  const quoted = (key: Node) => sequence(literal(string.quote), key, literal(`${string.quote}:`), gap(signs));
  if (signs.bareKeys) {
    const bare = sequence(keyExcept(names, 'word', book), literal(':'), gap(signs));
    if (names.length > 0) return bare;
    const own = [...(signs.ownKeys?.values() ?? [])].map((key) => sequence(literal(`${key}:`), gap(signs)));
    return choice(bare, sequence(stringNode({}, string, book), literal(':'), gap(signs)), ...own);
  }
  if (names.length === 0) return sequence(stringNode({}, string, book), literal(':'), gap(signs));
  const firsts = charsOf(string.without.map((one) => one.slice(0, 1)).join(''));
  return quoted(keyExcept(names, except(JSON_CHAR, firsts), book));
}

// --- a value as text between tags ----------------------------------------------------------------------

/** Makes the rule of a value between tags: raw text where the schema accepts a string, else JSON, as it is read. */
function textValue(schema: OptionalSchema, place: Place, between: StyleSigns): Node {
  const { book, root } = place;
  if (schema === undefined || schema === true || isEmpty(schema)) return stringNode({}, between.string, book);
  const text: Place = { ...place, signs: between };
  return choice(...variantsOf(schema, root, book).map((one) => textVariant(one, place, text)));
}

/** `text` has the signs of a scalar between tags; inside of lists and objects, those of `place` count. */
function textVariant(schema: JsonObject, place: Place, text: Place): Node {
  const { book, signs } = text;
  noteUnsaid(schema, book);
  const values = valuesOf(schema, book);
  if (values)
    return choice(...values.map((value) => spelledValue(value, isScalar(typeOfValue(value)) ? text : place)));
  const types = typesOf(schema);
  // Where any type is accepted, it is raw text: the reader infers the type from the text.
  if (types === ALL_TYPES) return stringNode(schema, signs.string, book);
  return choice(...types.map((type) => typedValue(type, schema, isScalar(type) ? text : place)));
}

function isScalar(type: SchemaType): boolean {
  return type !== 'array' && type !== 'object';
}
