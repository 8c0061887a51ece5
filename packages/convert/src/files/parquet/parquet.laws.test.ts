// Rows to Parquet and back.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseExact, stringifyJson } from '@dragoman/core/internal';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openParquet } from './open-parquet.js';
import { type TypedOptions, writeTyped } from './typed-parquet.fixture.js';
import { type WriteParquetOptions, writeParquet } from './write-parquet.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parquet-'));
});
afterAll(() => rm(folder, { recursive: true }));

const file = (name: string) => join(folder, name);

async function readAll(path: string): Promise<{ rows: string[]; groups: number }> {
  const parquet = await openParquet(path);
  try {
    const rows: string[] = [];
    for (let group = 0; group < parquet.groups; group++) rows.push(...(await parquet.readGroup(group)));
    expect(parquet.rows).toBe(rows.length);
    return { rows, groups: parquet.groups };
  } finally {
    await parquet.close();
  }
}

async function thereAndBack(lines: readonly string[], options: WriteParquetOptions = {}): Promise<string[]> {
  await writeParquet(file('back.parquet'), lines, options);
  return (await readAll(file('back.parquet'))).rows;
}

async function typedAndBack(lines: readonly string[], options: TypedOptions = {}): Promise<string[]> {
  await writeTyped(file('typed.parquet'), lines, options);
  return (await readAll(file('typed.parquet'))).rows;
}

/** DRAGOMAN_EFFORT multiplies what is drawn: 1 is the full measure. */
const drawn = (full: number) => Math.ceil(full * Number(process.env.DRAGOMAN_EFFORT ?? 0.2));

const hostile = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    '',
    '__proto__',
    'constructor',
    'toString',
    'a.b',
    'list',
    'element',
    '"',
    '\\',
    '\u2028',
    '\ufeff',
    '\0',
    '0',
    '10',
    '2',
  ),
);
/** hyparquet drops a byte order mark in front of a name. */
const key = hostile.filter((name) => !name.startsWith('\ufeff'));
const scalar = fc.oneof(
  hostile,
  fc.boolean(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constant(null),
);
const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  ),
}));
const rowsOf = (value: fc.Arbitrary<unknown>) =>
  fc.array(fc.dictionary(key, value, { minKeys: 1, maxKeys: 5 }), { minLength: 1, maxLength: 12 });

/** Parquet has one order of columns, so an order of keys among rows is not kept; nulls of typed columns are absent. */
function sorted(text: string, withoutNulls: boolean): string {
  return JSON.stringify(
    Object.entries(JSON.parse(text))
      .filter(([, value]) => !(withoutNulls && value === null))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** What lists and structs cannot say: members that are null. */
function dropNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropNulls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return members
    .map(([key, member]) => [key, dropNulls(member)])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
}

describe('rows come back as they were', () => {
  test('whatever they hold, with nested values as JSON text', async () => {
    await fc.assert(
      fc.asyncProperty(rowsOf(anyValue), async (rows) => {
        const lines = rows.map((row) => JSON.stringify(row));
        const back = await thereAndBack(lines);
        expect(back.map((row) => sorted(row, true))).toEqual(lines.map((row) => sorted(row, true)));
      }),
      { seed: 5, numRuns: drawn(300) },
    );
  });

  test('whatever they hold, from a file that has nested values as lists and structs', async () => {
    await fc.assert(
      fc.asyncProperty(rowsOf(anyValue), async (rows) => {
        const lines = rows.map((row) => JSON.stringify(row));
        const back = await typedAndBack(lines);
        expect(back.map((row) => dropNulls(JSON.parse(row)))).toEqual(
          lines.map((row) => dropNulls(JSON.parse(row))),
        );
      }),
      { seed: 6, numRuns: drawn(300) },
    );
  });

  test('of one shape, in groups, and from every compression', async () => {
    const shape = fc.record({
      id: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      text: hostile,
      rest: fc.dictionary(key, anyValue, { maxKeys: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(shape, { minLength: 1, maxLength: 30 }),
        fc.constantFrom('SNAPPY' as const, 'GZIP' as const, 'UNCOMPRESSED' as const),
        async (rows, codec) => {
          const lines = rows.map(
            ({ id, text, rest }) =>
              `{"id":${id},"text":${JSON.stringify(text)},"rest":${JSON.stringify(rest)}}`,
          );
          const exact = lines.map((row) => stringifyJson(parseExact(row), 'compact'));
          const back = await thereAndBack(lines, { groupRows: 7 });
          expect(back.map((row) => stringifyJson(parseExact(row), 'compact'))).toEqual(exact);
          const flat = rows.map(({ id, text }) => `{"id":${id},"text":${JSON.stringify(text)}}`);
          expect(await typedAndBack(flat, { codec, rowGroupSize: 7 })).toEqual(flat);
        },
      ),
      { seed: 7, numRuns: drawn(200) },
    );
  });
});
