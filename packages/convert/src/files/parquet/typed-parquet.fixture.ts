// Writes Parquet files as other programs do: lists and objects as lists and structs, with any compression.

import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { ExactNumber, type ExactValue, exactEntries, parseExact } from '@dragoman/core/internal';
import type { SchemaElement } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { columnSchema, columnValue, mergeTypes, type ColumnType as Scalar, typeOf } from './columns.js';

type Type =
  | { kind: 'scalar'; type: Scalar }
  | { kind: 'list'; element: Type }
  | { kind: 'struct'; members: Map<string, Type> };

const unknown: Type = { kind: 'scalar', type: 'unknown' };
const json: Type = { kind: 'scalar', type: 'json' };
/** Objects with more keys than this are maps (arguments, properties), and are JSON text. */
const MEMBER_LIMIT = 16;

function nestedType(value: ExactValue): Type {
  if (Array.isArray(value)) return { kind: 'list', element: value.map(nestedType).reduce(merge, unknown) };
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber)
    return { kind: 'scalar', type: typeOf(value) };
  const entries = exactEntries(value);
  // Parquet cannot express a group without members.
  if (entries.length === 0 || entries.length > MEMBER_LIMIT) return json;
  return { kind: 'struct', members: new Map(entries.map(([key, member]) => [key, nestedType(member)])) };
}

function merge(a: Type, b: Type): Type {
  if (a.kind === 'scalar' && a.type === 'unknown') return b;
  if (b.kind === 'scalar' && b.type === 'unknown') return a;
  if (a.kind === 'scalar' && b.kind === 'scalar') return { kind: 'scalar', type: mergeTypes(a.type, b.type) };
  if (a.kind === 'list' && b.kind === 'list') return { kind: 'list', element: merge(a.element, b.element) };
  if (a.kind !== 'struct' || b.kind !== 'struct') return json;
  const members = new Map(a.members);
  for (const [key, type] of b.members) members.set(key, merge(members.get(key) ?? unknown, type));
  return members.size > MEMBER_LIMIT ? json : { kind: 'struct', members };
}

function nestedValue(value: ExactValue | undefined, type: Type): unknown {
  if (type.kind === 'scalar') return columnValue(value, type.type, '');
  if (value === undefined || value === null) return undefined;
  if (type.kind === 'list') return (value as ExactValue[]).map((item) => nestedValue(item, type.element));
  // Without a prototype: the writer looks members up by name, and `constructor` is a name like any other.
  const struct: Record<string, unknown> = Object.create(null);
  for (const [key, member] of exactEntries(value as { [key: string]: ExactValue }))
    struct[key] = nestedValue(member, type.members.get(key) as Type);
  return struct;
}

interface Schema {
  elements: SchemaElement[];
  json: string[][];
}

function nestedSchema(name: string, type: Type, above: string[] = []): Schema {
  const path = [...above, name];
  if (type.kind === 'scalar') {
    const holdsJson = type.type === 'json' || type.type === 'unknown';
    return { elements: columnSchema(name, type.type), json: holdsJson ? [path] : [] };
  }
  const inner =
    type.kind === 'list'
      ? [nestedSchema('element', type.element, [...path, 'list'])]
      : [...type.members].map(([key, member]) => nestedSchema(key, member, path));
  const group: SchemaElement = { name, repetition_type: 'OPTIONAL', num_children: inner.length };
  const head: SchemaElement[] =
    type.kind === 'struct'
      ? [group]
      : [
          { ...group, converted_type: 'LIST' },
          { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        ];
  return {
    elements: [...head, ...inner.flatMap(({ elements }) => elements)],
    json: inner.flatMap((one) => one.json),
  };
}

export interface TypedOptions {
  codec?: 'SNAPPY' | 'GZIP' | 'UNCOMPRESSED';
  rowGroupSize?: number;
}

export async function writeTyped(
  path: string,
  lines: readonly string[],
  options: TypedOptions = {},
): Promise<void> {
  const rows = lines.map((line) => new Map(exactEntries(parseExact(line) as { [key: string]: ExactValue })));
  const columns = new Map<string, Type>();
  for (const row of rows) {
    for (const [name, value] of row)
      columns.set(name, merge(columns.get(name) ?? unknown, nestedType(value)));
  }
  const schemas = [...columns].map(([name, type]) => nestedSchema(name, type));
  const bytes = parquetWriteBuffer({
    ...options,
    columnData: [...columns].map(([name, type]) => ({
      name,
      data: rows.map((row) => nestedValue(row.get(name), type)),
    })),
    schema: [{ name: 'root', num_children: columns.size }, ...schemas.flatMap(({ elements }) => elements)],
    compressors: { GZIP: (page: Uint8Array) => gzipSync(page) },
    statistics: false,
    kvMetadata: [{ key: 'dragoman.json', value: JSON.stringify(schemas.flatMap((one) => one.json)) }],
  } as Parameters<typeof parquetWriteBuffer>[0]);
  await writeFile(path, Buffer.from(bytes));
}
