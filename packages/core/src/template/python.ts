// Python values as JavaScript values:
//
//   None null · bool boolean · int bigint · float number · str string · list array · dict Map
//
// int and float need two types, because Python and `tojson` print 1 and 1.0 differently. A Map keeps the order of
// its keys. Functions that walk a whole value charge the work budget (see work.ts), because a few lines of template
// can build a value that contains another one a million times.

import { UsageError } from '../model/errors.js';
import { floatText } from '../text/number-literal.js';
import type { Work } from './work.js';

export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Value[]
  | Map<Value, Value>
  | Tuple
  | View
  | Stream
  | Struct
  | Callable
  | Undefined
  | Digits;

export class Tuple {
  constructor(readonly items: readonly Value[]) {}
}

/** The result of `range()` and of a dict's `keys()`, `values()` and `items()`: neither list nor tuple. */
export class View {
  constructor(
    readonly kind: 'range' | 'dict_keys' | 'dict_values' | 'dict_items',
    readonly items: readonly Value[],
    /** How Python prints it, if not as a list of its items. */
    readonly text?: string,
  ) {}
}

/** A generator, the result of `map` and `select`: always true, without a length, empty after the first loop. */
export class Stream {
  #items: readonly Value[];
  constructor(items: readonly Value[]) {
    this.#items = items;
  }
  take(): readonly Value[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }
}

/** An object that has only attributes: a namespace, or the variable `loop`. */
export abstract class Struct {
  abstract readonly kind: string;
  abstract get(name: string): Value | undefined;
}

export class Namespace extends Struct {
  override readonly kind = 'Namespace';
  constructor(readonly attributes: Map<string, Value>) {
    super();
  }
  override get(name: string): Value | undefined {
    return this.attributes.get(name);
  }
}

export interface Arguments {
  positional: Value[];
  named: Map<string, Value>;
}

export class Callable {
  constructor(
    readonly name: string,
    readonly call: (args: Arguments) => Value,
  ) {}
}

/** A float that is printed with its original digits, because a replayed call must not change. */
export class Digits {
  constructor(
    readonly value: number,
    readonly text: string,
  ) {}
}

/** Jinja's Undefined: it prints as nothing, is false and has no items; other operations raise `message`. */
export class Undefined {
  constructor(readonly message: string) {}
}

/** Throws the error that Python would raise. */
export function fault(message: string): never {
  throw new UsageError('bad-template', message);
}

/** Binds positional and named arguments, and gives them in the order of `names`. */
export function bind(of: string, args: Arguments, names: readonly string[]): (Value | undefined)[] {
  if (args.positional.length > names.length) fault(`${of} takes at most ${names.length} arguments`);
  const bound: (Value | undefined)[] = names.map((_, index) => args.positional[index]);
  for (const [name, value] of args.named) {
    const index = names.indexOf(name);
    if (index < 0 || bound[index] !== undefined) fault(`${of} takes no argument '${name}' here`);
    bound[index] = value;
  }
  return bound;
}

/** Gives the name of the type as in Python's messages. */
export function typeName(value: Value): string {
  if (value === null) return 'NoneType';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number' || value instanceof Digits) return 'float';
  if (typeof value === 'string') return 'str';
  if (Array.isArray(value)) return 'list';
  if (value instanceof Map) return 'dict';
  if (value instanceof Tuple) return 'tuple';
  if (value instanceof View) return value.kind;
  if (value instanceof Struct) return value.kind;
  if (value instanceof Stream) return 'generator';
  return value instanceof Callable ? 'function' : 'Undefined';
}

export function isTrue(value: Value): boolean {
  if (value === null || value instanceof Undefined) return false;
  if (typeof value !== 'object') return typeof value === 'number' ? value !== 0 : Boolean(value);
  if (value instanceof Map) return value.size > 0;
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof Tuple || value instanceof View) return value.items.length > 0;
  return !(value instanceof Digits) || value.value !== 0;
}

/** Splits text into characters as Python counts them: code points. */
export function characters(text: string): string[] {
  return Array.from(text);
}

export function lengthOf(value: Value, work: Work): number {
  if (typeof value === 'string') {
    work.walk(value.length / 16);
    return codePoints(value);
  }
  if (Array.isArray(value)) return value.length;
  if (value instanceof Map) return value.size;
  if (value instanceof Tuple || value instanceof View) return value.items.length;
  if (value instanceof Undefined) return 0;
  return fault(`object of type '${typeName(value)}' has no len()`);
}

export function codePoints(text: string): number {
  let count = text.length;
  for (let at = 1; at < text.length; at++) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) count--;
  }
  return count;
}

export function isIterable(value: Value): boolean {
  return (
    typeof value === 'string' ||
    Array.isArray(value) ||
    value instanceof Map ||
    value instanceof Tuple ||
    value instanceof View ||
    value instanceof Stream ||
    value instanceof Undefined
  );
}

/** Gives the items of any iterable. Empties a stream. */
export function itemsOf(value: Value, work: Work): readonly Value[] {
  const items = listItems(value);
  work.spend(items.length);
  return items;
}

function listItems(value: Value): readonly Value[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return characters(value);
  if (value instanceof Map) return [...value.keys()];
  if (value instanceof Tuple || value instanceof View) return value.items;
  if (value instanceof Stream) return value.take();
  if (value instanceof Undefined) return [];
  return fault(`'${typeName(value)}' object is not iterable`);
}

/** Does the same as Python's `str()`. */
export function toText(value: Value, work: Work): string {
  if (typeof value === 'string') return value;
  return value instanceof Undefined ? '' : toRepr(value, work);
}

/** Does the same as Python's `repr()`. */
export function toRepr(value: Value, work: Work): string {
  work.spend(2);
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') return floatText(value);
  if (value instanceof Digits) return value.text;
  if (typeof value === 'string') return quote(value, work);
  if (value instanceof Undefined) return 'Undefined';
  if (Array.isArray(value)) return `[${reprs(value, work)}]`;
  if (value instanceof Tuple) return `(${reprs(value.items, work)}${value.items.length === 1 ? ',' : ''})`;
  if (value instanceof View) return value.text ?? `${value.kind}([${reprs(value.items, work)}])`;
  if (value instanceof Map) return `{${pairReprs(value, work)}}`;
  if (value instanceof Namespace) return `<Namespace {${pairReprs(value.attributes, work)}}>`;
  return `<${typeName(value)}>`;
}

function reprs(items: readonly Value[], work: Work): string {
  return items.map((item) => toRepr(item, work)).join(', ');
}

function pairReprs(map: ReadonlyMap<Value, Value>, work: Work): string {
  return [...map].map(([key, value]) => `${toRepr(key, work)}: ${toRepr(value, work)}`).join(', ');
}

const NAMED_ESCAPES: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' };

function quote(text: string, work: Work): string {
  work.text(text.length);
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inner = text.replace(/[\p{C}\p{Z}\\'"]/gu, (char) => {
    if (char === ' ') return char;
    if (char === "'" || char === '"') return char === mark ? `\\${char}` : char;
    return NAMED_ESCAPES[char] ?? hexEscape(char.codePointAt(0) ?? 0);
  });
  return mark + inner + mark;
}

function hexEscape(code: number): string {
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/** Does the same as `toFixed`, but rounds half to even, as Python does. */
export function toPlaces(value: number, places: number): string {
  const digits = Math.abs(value).toFixed(Math.min(100, places + 60));
  const cut = digits.length - Math.min(100, places + 60) + places;
  const even = '02468'.includes(digits.slice(0, cut).replace('.', '').slice(-1));
  if (!even || !/^\.?50*$/.test(digits.slice(cut))) return value.toFixed(places);
  return (
    (value < 0 ? '-' : '') + (places === 0 ? digits.slice(0, cut).replace('.', '') : digits.slice(0, cut))
  );
}

/** Gives the operand of Python's arithmetic: a number itself, a bool as 0 or 1. */
export function asNumber(value: Value): bigint | number | undefined {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  if (value instanceof Digits) return value.value;
  return typeof value === 'boolean' ? BigInt(value) : undefined;
}

export function isEqual(a: Value, b: Value, work: Work): boolean {
  work.spend(1);
  if (typeof a === 'string' && typeof b === 'string' && a.length === b.length) work.scan(a.length);
  if (a === b) return true;
  const x = asNumber(a);
  const y = asNumber(b);
  // biome-ignore lint/suspicious/noDoubleEquals: 1 == 1.0 must hold across bigint and number.
  if (x !== undefined && y !== undefined) return x == y;
  if (Array.isArray(a)) return Array.isArray(b) && areEqual(a, b, work);
  if (a instanceof Tuple) return b instanceof Tuple && areEqual(a.items, b.items, work);
  if (a instanceof Map && b instanceof Map) {
    if (a.size !== b.size) return false;
    for (const [key, value] of a) {
      const other = b.get(key);
      if (other === undefined || !isEqual(value, other, work)) return false;
    }
    return true;
  }
  return a instanceof Undefined && b instanceof Undefined;
}

function areEqual(a: readonly Value[], b: readonly Value[], work: Work): boolean {
  return a.length === b.length && a.every((item, index) => isEqual(item, b[index] as Value, work));
}

/** Compares two values: below 0, 0 or above 0. Throws for values that Python cannot order. */
export function compare(a: Value, b: Value, work: Work): number {
  work.spend(1);
  const x = asNumber(a);
  const y = asNumber(b);
  if (x !== undefined && y !== undefined) return x < y ? -1 : x > y ? 1 : 0;
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b, work);
  const [left, right] = [sequence(a), sequence(b)];
  if (left && right && Array.isArray(a) === Array.isArray(b)) {
    for (let at = 0; at < left.length && at < right.length; at++) {
      const order = compare(left[at] as Value, right[at] as Value, work);
      if (order !== 0) return order;
    }
    return left.length - right.length;
  }
  if (a instanceof Undefined || b instanceof Undefined) {
    fault((a instanceof Undefined ? a : (b as Undefined)).message);
  }
  return fault(`'<' not supported between instances of '${typeName(a)}' and '${typeName(b)}'`);
}

function sequence(value: Value): readonly Value[] | undefined {
  return Array.isArray(value) ? value : value instanceof Tuple ? value.items : undefined;
}

/** Compares by code points, as Python does: by UTF-16 units an emoji would come before U+FF5C. */
function compareText(a: string, b: string, work: Work): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  work.walk(at / 8);
  return at < length ? rank(a.charCodeAt(at)) - rank(b.charCodeAt(at)) : a.length - b.length;
}

function rank(unit: number): number {
  return (unit & 0xf800) === 0xd800 ? unit + 0x10000 : unit;
}

/** Gives an index or a count; `of` names the operation in the error. */
export function asInteger(value: Value, of: string): number {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'boolean') return Number(value);
  return fault(`${of}: '${typeName(value)}' object cannot be interpreted as an integer`);
}

export function asString(value: Value | undefined, of: string): string {
  if (typeof value === 'string') return value;
  return fault(`${of} must be str, not ${value === undefined ? 'missing' : typeName(value)}`);
}
