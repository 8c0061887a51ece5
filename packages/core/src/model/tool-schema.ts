// Reads the schema of a tool's input from the forms in which programs hold it.

import { UsageError } from './errors.js';
import { fieldsOf, isExact, toExact, unexpected } from './fields.js';
import { type ExactValue, isObject, type JsonObject } from './json.js';

/** Gives the JSON Schema of a plain schema, of the AI SDK's `jsonSchema()` wrapper, or of a Standard Schema. */
export function toJsonSchema(value: unknown, path: string): ExactValue {
  if (typeof value === 'boolean') return value;
  const standard = standardOf(value);
  if (standard !== undefined) return fromStandard(standard, path);
  // The AI SDK's lazySchema().
  if (typeof value === 'function') return toJsonSchema(value(), path);
  const fields = fieldsOf(value);
  if (fields === undefined) throw unexpected('bad-tools', path, 'a JSON Schema', value);
  const wrapped = fields.get('jsonSchema');
  if (isPromise(wrapped)) {
    throw new UsageError('bad-tools', 'this schema is still a promise: await its jsonSchema first', path);
  }
  if (isObject(wrapped) || typeof wrapped === 'boolean') return toJsonSchema(wrapped, `${path}.jsonSchema`);
  return toExact(value, 'bad-tools', path);
}

/** Whether the schema is one that `toJsonSchema` only copies. `exact`: it is known to be as it was written. */
export function isPlainSchema(value: unknown, exact = false): value is JsonObject {
  return isObject(value) && !('~standard' in value) && !('jsonSchema' in value) && (exact || isExact(value));
}

/** Gives what Standard Schema libraries carry under `~standard`, on objects or (ArkType) on functions. */
function standardOf(value: unknown): unknown {
  const carries = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return carries ? (value as { '~standard'?: unknown })['~standard'] : undefined;
}

function fromStandard(standard: unknown, path: string): ExactValue {
  const converter = isObject(standard) ? standard.jsonSchema : undefined;
  const input = isObject(converter) ? converter.input : undefined;
  if (typeof input !== 'function') {
    const vendor = isObject(standard) ? standard.vendor : undefined;
    const whose = typeof vendor === 'string' ? `this ${vendor.slice(0, 40)} schema` : 'this schema';
    throw new UsageError('bad-tools', `${whose} cannot give JSON Schema: pass JSON Schema instead`, path);
  }
  return toExact(
    convert(() => input.call(converter, { target: 'draft-2020-12' }), path),
    'bad-tools',
    path,
  );
}

/** Runs a library's conversion, which throws for what JSON Schema cannot express (transforms, dates). */
function convert(run: () => unknown, path: string): unknown {
  try {
    return run();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError('bad-tools', `no JSON Schema can be made of this schema (${reason})`, path);
  }
}

function isPromise(value: unknown): boolean {
  return isObject(value) && typeof value.then === 'function';
}
