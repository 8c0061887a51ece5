// JSON values, and JSON values as their author wrote them.
//
// JavaScript forgets three things that a prompt or a tool may depend on: the digits of a number (`1.0`,
// `12345678901234567890`), the order of integer-like keys, and that `__proto__` is a key like any other.
// `parseExact` keeps them: such numbers become `ExactNumber`, such objects become a `Map`. Everything else
// is the plain value, so code that does not care need not know.

export type JsonPrimitive = string | number | boolean | null;
export type JsonValue = JsonPrimitive | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

/** A number whose text would change on its way through a JavaScript number. */
export class ExactNumber {
  constructor(readonly text: string) {}
}

export type ExactValue =
  | JsonPrimitive
  | ExactNumber
  | ExactValue[]
  | { [key: string]: ExactValue }
  | Map<string, ExactValue>;

/** Validation refuses values nested deeper than this, so that recursive code after it cannot overflow the stack. */
export const MAX_JSON_DEPTH = 512;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Gives the value in plain JavaScript, as `JSON.parse` would: `__proto__` is an own property. */
export function toPlain(value: ExactValue): JsonValue {
  if (value instanceof ExactNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== 'object' || value === null) return value;
  const plain: JsonObject = {};
  const entries = value instanceof Map ? value : Object.entries(value);
  for (const [key, member] of entries) if (member !== undefined) setMember(plain, key, toPlain(member));
  return plain;
}

/** Whether JSON.stringify writes this value as it is: it holds neither exact numbers nor Maps. */
export function isPlainValue(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object' && !isPlainValue(item)) return false;
    return true;
  }
  if (value instanceof ExactNumber || value instanceof Map) return false;
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    if (typeof member === 'object' && member !== null && !isPlainValue(member)) return false;
  }
  return true;
}

/** Gives the members of an object in order, whether it is plain or a Map. Undefined members are left out. */
export function exactEntries(
  value: { [key: string]: ExactValue } | Map<string, ExactValue>,
): [key: string, value: ExactValue][] {
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return entries.filter(([, member]) => member !== undefined);
}

/** Makes an object of these members: a Map where a plain object would lose the order or a key. */
export function exactObject(members: Iterable<readonly [key: string, value: ExactValue]>): ExactValue {
  const map = new Map(members);
  for (const key of map.keys()) if (isForgetful(key)) return map;
  return Object.fromEntries(map);
}

/** Sets an own property, also where an assignment would call the setter of `__proto__`. */
export function setMember<T>(object: Record<string, T>, key: string, value: T): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Whether a plain object loses this key (`__proto__`) or its place (integer-like keys, which it sorts). */
export function isForgetful(key: string): boolean {
  if (key === '__proto__') return true;
  if (key === '' || (key.length > 1 && key.startsWith('0'))) return false;
  for (let at = 0; at < key.length; at++) {
    const code = key.charCodeAt(at);
    if (code < 0x30 || code > 0x39) return false;
  }
  return true;
}
