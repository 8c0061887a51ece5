// Converts a value for a column of a type, and the type to the elements of a schema.

import { ExactNumber, type ExactValue, exactEntries, stringifyJson } from '@dragoman/core/internal';
import type { SchemaElement } from 'hyparquet';
import { type ColumnType, numberText } from './column-type.js';
import type { SchemaPath } from './json-paths.js';
import { isDouble, isInt64 } from './number-type.js';

/** A value that its column cannot hold. `path` is its path in the row. */
export class Misfit extends Error {
  constructor(
    readonly path: string,
    readonly expected: string,
    readonly found: string,
  ) {
    super(`column ${path}: expected ${expected}, found ${found}`);
  }
}

/** Text that UTF-8 cannot hold: a lone surrogate. One such row must not turn a text column into JSON. */
export const HALF = 'a string with half a character';

/** Converts a value. Throws a Misfit. undefined is absent; null is absent, too, except in JSON text. */
export function columnValue(value: ExactValue | undefined, type: ColumnType, path: string): unknown {
  if (value === undefined) return undefined;
  // Unknown columns are written as JSON text, too.
  if (type.kind === 'json' || type.kind === 'unknown') return stringifyJson(value, 'compact');
  if (value === null) return undefined;
  if (type.kind === 'list') return listValue(value, type.element, path);
  if (type.kind === 'struct') return structValue(value, type.members, path);
  const scalar = scalarValue(value, type.kind);
  if (scalar === undefined) throw new Misfit(path, expectedOf(type.kind), foundOf(value));
  return scalar;
}

function scalarValue(value: ExactValue, kind: 'boolean' | 'integer' | 'double' | 'string'): unknown {
  if (kind === 'boolean') return typeof value === 'boolean' ? value : undefined;
  if (kind === 'string') return typeof value === 'string' && value.isWellFormed() ? value : undefined;
  if (typeof value !== 'number' && !(value instanceof ExactNumber)) return undefined;
  const text = numberText(value);
  if (kind === 'integer') return isInt64(text) ? BigInt(text) : undefined;
  return isDouble(text) ? Number(text) : undefined;
}

function listValue(value: ExactValue, element: ColumnType, path: string): unknown[] {
  if (!Array.isArray(value)) throw new Misfit(path, 'a list', foundOf(value));
  return value.map((item, n) => columnValue(item, element, `${path}[${n}]`));
}

function structValue(value: ExactValue, members: ReadonlyMap<string, ColumnType>, path: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof ExactNumber) {
    throw new Misfit(path, 'an object', foundOf(value));
  }
  // Without a prototype: the writer looks members up by name, and `constructor` is a name like any other.
  const struct: Record<string, unknown> = Object.create(null);
  for (const [key, member] of exactEntries(value)) {
    const type = members.get(key);
    if (!type) throw new Misfit(`${path}.${key}`, `one of ${[...members.keys()].join(', ')}`, key);
    struct[key] = columnValue(member, type, `${path}.${key}`);
  }
  return struct;
}

function expectedOf(kind: 'boolean' | 'integer' | 'double' | 'string'): string {
  if (kind === 'integer') return 'an integer of 64 bits';
  if (kind === 'double') return 'a number that a double holds with all its digits';
  return kind === 'string' ? 'a string of whole characters' : 'true or false';
}

export function foundOf(value: ExactValue): string {
  if (typeof value === 'string') return value.isWellFormed() ? 'a string' : HALF;
  if (typeof value === 'number' || value instanceof ExactNumber) return numberText(value);
  if (value === null || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'a list' : 'an object';
}

// --- the schema -----------------------------------------------------------------------------------------------

export interface ColumnSchema {
  elements: SchemaElement[];
  /** Leaves that hold JSON text. */
  json: SchemaPath[];
}

export function columnSchema(name: string, type: ColumnType, above: SchemaPath = []): ColumnSchema {
  const path = [...above, name];
  if (type.kind === 'list') {
    const inner = columnSchema('element', type.element, [...path, 'list']);
    const list: SchemaElement = {
      name,
      repetition_type: 'OPTIONAL',
      num_children: 1,
      converted_type: 'LIST',
    };
    const repeated: SchemaElement = { name: 'list', repetition_type: 'REPEATED', num_children: 1 };
    return { elements: [list, repeated, ...inner.elements], json: inner.json };
  }
  if (type.kind === 'struct') {
    const inner = [...type.members].map(([key, member]) => columnSchema(key, member, path));
    const struct: SchemaElement = { name, repetition_type: 'OPTIONAL', num_children: inner.length };
    return {
      elements: [struct, ...inner.flatMap(({ elements }) => elements)],
      json: inner.flatMap((one) => one.json),
    };
  }
  const holdsJson = type.kind === 'json' || type.kind === 'unknown';
  return {
    elements: [{ name, repetition_type: 'OPTIONAL', ...physical(type.kind) }],
    json: holdsJson ? [path] : [],
  };
}

function physical(kind: 'unknown' | 'boolean' | 'integer' | 'double' | 'string' | 'json') {
  if (kind === 'boolean') return { type: 'BOOLEAN' } as const;
  if (kind === 'integer') return { type: 'INT64' } as const;
  if (kind === 'double') return { type: 'DOUBLE' } as const;
  return { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;
}
