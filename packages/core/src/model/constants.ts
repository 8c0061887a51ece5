// Values that never change. What is made of one is kept, and found by its identity.

import { MAX_JSON_DEPTH } from './json.js';

const constants = new WeakSet<object>();

/** Whether the value never changes, so that what is made of it may be kept. */
export function isConstant(value: unknown): boolean {
  return typeof value === 'object' && value !== null && constants.has(value);
}

/**
 * Freezes the value with everything it holds, and returns it. The caller must own it alone. One that is too deep is no
 * constant: decoders refuse it.
 */
export function makeConstant<V extends object>(value: V): V {
  if (freezeDeep(value, 0)) constants.add(value);
  return value;
}

/** Takes the value for a constant without freezing what it holds, which costs more than it is worth in large values. */
export function markConstant<V extends object>(value: V): V {
  constants.add(Object.freeze(value));
  return value;
}

/** Gives a function that computes once for each constant, and every time for any other value. */
export function onceConstant<V, R>(make: (value: V) => R): (value: V) => R {
  const made = new WeakMap<object, R>();
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
  if (Array.isArray(value)) {
    for (const item of value) if (!freezeDeep(item, depth + 1)) return false;
  } else
    for (const key in value) {
      const member = (value as Record<string, unknown>)[key];
      if (typeof member === 'object' && !freezeDeep(member, depth + 1)) return false;
    }
  // Object.freeze cannot freeze the members of a Map, so a value that holds a Map is never kept.
  Object.freeze(value);
  return true;
}
