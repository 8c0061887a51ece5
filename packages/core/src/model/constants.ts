// Values that never change. What is made of one is kept in the value itself, in a private member that nothing else sees:
// an entry of a WeakMap takes ten times as long, most of it when garbage is collected.

import { MAX_JSON_DEPTH } from './json.js';

interface Entry {
  /** Undefined in the last entry, which every constant has. */
  map: object | undefined;
  value: unknown;
  next: Entry | undefined;
}

/** A class that extends this one adds its private members to the value. */
class Given {
  constructor(value: object) {
    // biome-ignore lint/correctness/noConstructorReturn: the private members of a subclass go where this points
    return value;
  }
}

class Frozen extends Given {
  /** Few: a list is searched faster than a Map is made. Undefined: no constant yet. */
  #entries: Entry | undefined;

  /** The first entry of this map, or of any. Undefined: none, or no constant. */
  static find(value: object, map?: object): Entry | undefined {
    let entry = #entries in value ? value.#entries : undefined;
    while (map && entry && entry.map !== map) entry = entry.next;
    return entry;
  }

  static add(value: object, map?: object, kept?: unknown): void {
    if (#entries in value) value.#entries = { map, value: kept, next: value.#entries };
  }
}

/** Whether the value never changes, so that what is made of it may be kept. */
export function isConstant(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Frozen.find(value) !== undefined;
}

/**
 * Freezes the value with everything it holds, and returns it. The caller must own it alone. One that is too deep is no
 * constant: decoders refuse it. Neither is one that is frozen already, also as a part of another constant: somebody else
 * may hold it.
 */
export function makeConstant<V extends object>(value: V): V {
  return keepFrom(freezeConstant(value));
}

/** Takes the value for a constant without freezing what it holds, which costs more than it is worth in large values. */
export function markConstant<V extends object>(value: V): V {
  return keepFrom(frozen(value));
}

/** Freezes the value for `makeConstant`, which then costs nothing. Until then nothing is kept of what is made of it. */
export function freezeConstant<V extends object>(value: V): V {
  return Object.isExtensible(value) && freezeHeld(value, 0) ? frozen(value) : value;
}

function frozen<V extends object>(value: V): V {
  // Some day, engines will refuse private members of what is frozen.
  if (Object.isExtensible(value)) new Frozen(value);
  return Object.freeze(value);
}

function keepFrom<V extends object>(value: V): V {
  if (!isConstant(value)) Frozen.add(value);
  return value;
}

/** Keeps one value for each constant, as long as the constant lives. Nothing is kept for other values. */
export class ConstantMap<K extends object, V> {
  get(key: K): V | undefined {
    return Frozen.find(key, this)?.value as V | undefined;
  }

  set(key: K, value: V): void {
    const entry = Frozen.find(key, this);
    if (entry) entry.value = value;
    else if (isConstant(key)) Frozen.add(key, this, value);
  }
}

/** Gives a function that computes once for each constant, and every time for any other value. */
export function onceConstant<V, R>(make: (value: V) => R): (value: V) => R {
  const made = new ConstantMap<object, R>();
  return (value) => {
    if (!isConstant(value)) return make(value);
    const known = made.get(value as object);
    if (known !== undefined) return known;
    const result = make(value);
    made.set(value as object, result);
    return result;
  };
}

/** False for a value that is too deep for recursion. */
function freezeDeep(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return true;
  // Bytes cannot be frozen.
  if (ArrayBuffer.isView(value)) return true;
  if (depth > 2 * MAX_JSON_DEPTH) return false;
  // What it holds comes first: to go through an object that is frozen takes half as long again.
  if (!freezeHeld(value, depth)) return false;
  // Object.freeze cannot freeze the members of a Map, so a value that holds a Map is never kept.
  Object.freeze(value);
  return true;
}

function freezeHeld(value: object, depth: number): boolean {
  if (Array.isArray(value)) {
    for (const item of value) if (!freezeDeep(item, depth + 1)) return false;
  } else
    for (const key in value) {
      const member = (value as Record<string, unknown>)[key];
      if (typeof member === 'object' && !freezeDeep(member, depth + 1)) return false;
    }
  return true;
}
