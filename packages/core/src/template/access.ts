// Access by a dot or by brackets. `message.items` looks for a Python attribute first and for a key of the dict
// second, `message['items']` the other way round. So a tool's argument may be called `items`.

import {
  Callable,
  characters,
  fault,
  isEqual,
  lengthOf,
  Struct,
  Tuple,
  typeName,
  Undefined,
  type Value,
  View,
} from './python.js';
import { stringMethod } from './text.js';
import type { Work } from './work.js';

/** Methods that change a value, which the sandbox of transformers forbids. */
const FORBIDDEN: Record<string, readonly string[]> = {
  dict: ['clear', 'pop', 'popitem', 'setdefault', 'update'],
  list: ['append', 'clear', 'extend', 'insert', 'pop', 'remove', 'reverse', 'sort'],
};

export function getAttribute(object: Value, name: string, work: Work): Value {
  if (object instanceof Undefined) return fault(object.message);
  const attribute = attributeOf(object, name, work);
  if (attribute !== undefined) return attribute;
  if (name.startsWith('__') || FORBIDDEN[typeName(object)]?.includes(name)) {
    return new Undefined(`access to attribute '${name}' of '${typeName(object)}' object is unsafe.`);
  }
  const item = object instanceof Map ? object.get(name) : undefined;
  return item === undefined ? missing(object, name) : item;
}

export function getItem(object: Value, key: Value, work: Work): Value {
  if (object instanceof Undefined) return fault(object.message);
  const item = itemAt(object, key, work);
  if (item !== undefined) return item;
  return (typeof key === 'string' ? attributeOf(object, key, work) : undefined) ?? missing(object, key);
}

function missing(object: Value, key: Value): Undefined {
  const owner = object === null ? 'None' : `${typeName(object)} object`;
  const what = typeof key === 'string' ? `attribute '${key}'` : `element ${String(key)}`;
  return new Undefined(`'${owner}' has no ${what}`);
}

function itemAt(object: Value, key: Value, work: Work): Value | undefined {
  if (object instanceof Map) return object.get(key);
  if (typeof key !== 'bigint' && typeof key !== 'boolean') return undefined;
  const at = Number(key);
  if (typeof object === 'string') return characterAt(object, at, work);
  if (Array.isArray(object)) return object.at(at);
  if (object instanceof Tuple || (object instanceof View && object.kind === 'range'))
    return object.items.at(at);
  return undefined;
}

function characterAt(text: string, at: number, work: Work): string | undefined {
  // The common case: the first character does not need the whole text to be split.
  if (at === 0) return text === '' ? undefined : String.fromCodePoint(text.codePointAt(0) ?? 0);
  work.walk(text.length);
  return characters(text).at(at);
}

function attributeOf(object: Value, name: string, work: Work): Value | undefined {
  if (typeof object === 'string') return stringMethod(object, name, work);
  if (object instanceof Map) return bound(DICT_METHODS, object, name, work);
  if (object instanceof Struct) return object.get(name);
  if (Array.isArray(object)) return bound(LIST_METHODS, object, name, work);
  return object instanceof Tuple ? bound(LIST_METHODS, object.items, name, work) : undefined;
}

type Method<T> = (of: T, work: Work, args: Value[]) => Value;

const DICT_METHODS = new Map<string, Method<Map<Value, Value>>>([
  ['get', (map, _, [key = null, other = null]) => (map.has(key) ? (map.get(key) as Value) : other)],
  ['items', (map, work) => new View('dict_items', pairs(map, work))],
  ['keys', (map) => new View('dict_keys', [...map.keys()])],
  ['values', (map) => new View('dict_values', [...map.values()])],
  ['copy', (map) => new Map(map)],
]);

const LIST_METHODS = new Map<string, Method<readonly Value[]>>([
  [
    'index',
    (items, work, [wanted = null]) => {
      const at = items.findIndex((item) => isEqual(item, wanted, work));
      return at < 0 ? fault('the value is not in the list') : BigInt(at);
    },
  ],
  [
    'count',
    (items, work, [wanted = null]) => BigInt(items.filter((item) => isEqual(item, wanted, work)).length),
  ],
  ['copy', (items) => [...items]],
]);

function bound<T>(methods: Map<string, Method<T>>, of: T, name: string, work: Work): Callable | undefined {
  const method = methods.get(name);
  return method && new Callable(name, ({ positional }) => method(of, work, positional));
}

export function pairs(map: ReadonlyMap<Value, Value>, work: Work): Tuple[] {
  work.spend(map.size);
  return [...map].map((pair) => new Tuple(pair));
}

/** Gives `object[start:stop:step]`. */
export function getSlice(object: Value, start: Value, stop: Value, step: Value, work: Work): Value {
  if (object instanceof Undefined) return fault(object.message);
  const length = lengthOf(object, work);
  if (typeof object === 'string') work.walk(object.length);
  else work.spend(length);
  const stride = step === null ? 1 : sliceIndex(step);
  if (stride === 0) fault('slice step cannot be zero');
  if (typeof object === 'string') {
    return pick(characters(object), start, stop, stride, length).join('');
  }
  if (Array.isArray(object)) return pick(object, start, stop, stride, length);
  if (object instanceof Tuple) return new Tuple(pick(object.items, start, stop, stride, length));
  if (object instanceof View && object.kind === 'range')
    return pick(object.items, start, stop, stride, length);
  return fault(`'${typeName(object)}' object is not subscriptable`);
}

function sliceIndex(value: Value): number {
  if (typeof value === 'bigint' || typeof value === 'boolean') return Number(value);
  return fault('slice indices must be integers or None');
}

function pick<T>(items: readonly T[], start: Value, stop: Value, stride: number, length: number): T[] {
  const forward = stride > 0;
  const from = start === null ? (forward ? 0 : length - 1) : clamp(sliceIndex(start), length, forward);
  const to = stop === null ? (forward ? length : -1) : clamp(sliceIndex(stop), length, forward);
  if (forward && stride === 1) return items.slice(from, Math.max(from, to));
  const picked: T[] = [];
  for (let at = from; forward ? at < to : at > to; at += stride) picked.push(items[at] as T);
  return picked;
}

function clamp(index: number, length: number, forward: boolean): number {
  const at = index < 0 ? index + length : index;
  return forward ? Math.min(Math.max(at, 0), length) : Math.min(Math.max(at, -1), length - 1);
}
