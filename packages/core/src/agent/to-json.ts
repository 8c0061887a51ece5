// Turns any value that a tool returns into JSON. Never throws, and its work is bounded.
//
// JSON.stringify throws for big integers and cycles, forgets Maps and errors, and follows shared members into
// exponential growth. Here each of them becomes a value that names what it was.

import { isPlain } from '../model/fields.js';
import { ExactNumber, type JsonObject, type JsonValue, setMember } from '../model/index.js';
import { describeError } from './describe-error.js';

const MAX_DEPTH = 100;
const MAX_VALUES = 1_000_000;

export function toJson(value: unknown): JsonValue {
  return new Walk().value(value) ?? null;
}

class Walk {
  private left = MAX_VALUES;
  /** The objects we are inside of. */
  private readonly open = new Set<object>();

  /** Undefined for what JSON leaves out. */
  value(value: unknown): JsonValue | undefined {
    if (this.left-- <= 0) return '[left out: too many values]';
    switch (typeof value) {
      case 'string':
      case 'boolean':
      case 'undefined':
        return value;
      case 'number':
        return Number.isFinite(value) ? value : String(value);
      case 'bigint':
        return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
      case 'object':
        return value === null ? null : this.guarded(value);
      default:
        return typeof value === 'symbol' ? String(value) : '[a function]';
    }
  }

  private guarded(value: object): JsonValue | undefined {
    if (this.open.has(value)) return '[circular]';
    if (this.open.size >= MAX_DEPTH) return '[left out: nested too deep]';
    this.open.add(value);
    try {
      return this.object(value);
    } catch (error) {
      return `[unreadable: ${describeError(error)}]`;
    } finally {
      this.open.delete(value);
    }
  }

  private object(value: object): JsonValue | undefined {
    if (Array.isArray(value)) return this.list(value);
    if (value instanceof ExactNumber) {
      return String(Number(value.text)) === value.text ? Number(value.text) : value.text;
    }
    if (value instanceof Error) return describeError(value);
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
    const written = (value as { toJSON?: unknown }).toJSON;
    if (typeof written === 'function') return this.value(written.call(value));
    if (value instanceof Map) return this.map(value);
    if (value instanceof Set) return this.list(value);
    return this.members(value);
  }

  /** Stops when the budget does: a generator behind an iterable may have no end. */
  private list(items: Iterable<unknown>): JsonValue {
    const list: JsonValue[] = [];
    for (const item of items) {
      list.push(this.value(item) ?? null);
      if (this.left <= 0) break;
    }
    return list;
  }

  private map(map: Map<unknown, unknown>): JsonValue {
    const plain: JsonObject = {};
    for (const [key, member] of map) {
      if (typeof key !== 'string') return this.list(map);
      const json = this.value(member);
      if (json !== undefined) setMember(plain, key, json);
    }
    return plain;
  }

  private members(value: object): JsonValue {
    const plain: JsonObject = {};
    for (const key of Object.keys(value)) {
      if (this.left <= 0) break;
      const json = this.member(value, key);
      if (json !== undefined) setMember(plain, key, json);
    }
    return Object.keys(plain).length > 0 || isPlain(value) ? plain : wordsOf(value);
  }

  private member(value: object, key: string): JsonValue | undefined {
    try {
      return this.value((value as Record<string, unknown>)[key]);
    } catch (error) {
      return `[unreadable: ${describeError(error)}]`;
    }
  }
}

/** An instance that shows no members: a RegExp, a Promise, a class with private ones. */
function wordsOf(value: object): string {
  const own = (value as { toString?: unknown }).toString;
  if (typeof own === 'function' && own !== Object.prototype.toString) return String(own.call(value));
  const { name } = value.constructor ?? {};
  return typeof name === 'string' && name !== ''
    ? `[an instance of ${name}]`
    : Object.prototype.toString.call(value);
}
