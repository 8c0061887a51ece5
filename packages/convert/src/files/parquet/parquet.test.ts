// Rows to Parquet and back.

import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openParquet } from './open-parquet.js';
import { writeTyped } from './typed-parquet.fixture.js';
import { type RejectedRow, type WriteParquetOptions, writeParquet } from './write-parquet.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parquet-'));
});
afterAll(() => rm(folder, { recursive: true }));

const file = (name: string) => join(folder, name);
const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));

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

/** DRAGOMAN_EFFORT multiplies what is drawn: 1 is the full measure. */
const drawn = (full: number) => Math.ceil(full * Number(process.env.DRAGOMAN_EFFORT ?? 0.2));

describe('a file as pyarrow writes it', () => {
  test.each(['snappy', 'zstd'])(
    'gives rows with all digits and without the nulls of the schema (%s)',
    async (codec) => {
      const { rows, groups } = await readAll(fixture(`published-${codec}.parquet`));
      expect(groups).toBe(2);
      expect(rows).toEqual((await readFile(fixture('published.jsonl'), 'utf8')).trimEnd().split('\n'));
    },
  );

  test('keeps the nulls of the schema where asked', async () => {
    const parquet = await openParquet(fixture('published-snappy.parquet'), { nulls: 'keep' });
    const [first = '', second = ''] = await parquet.readGroup(0);
    await parquet.close();
    expect(first).toContain('"function":{"name":"f","arguments":{"x":1,"y":null}}');
    expect(second).toContain('"id":null');
  });

  test('tells of rows whose arguments have the keys of other rows', async () => {
    const parquet = await openParquet(fixture('published-snappy.parquet'));
    const merged: [row: number, column: string][] = [];
    const rows = await parquet.readGroup(0, (row, column) => merged.push([row, column]));
    await parquet.close();
    expect(rows[0]).toContain('"function":{"name":"f","arguments":{"x":1}}');
    expect(merged).toContainEqual([0, 'messages']);
    // What is null elsewhere is no argument.
    expect(rows[1]).not.toContain('"arguments"');
    expect(merged).not.toContainEqual([1, 'messages']);
  });

  test('is read by ranges: the footer, then the group that is asked for', async () => {
    const lines = Array.from({ length: 40 }, (_, n) => JSON.stringify({ n, text: `${n}`.repeat(20_000) }));
    await writeTyped(file('ranges.parquet'), lines, { codec: 'UNCOMPRESSED', rowGroupSize: 10 });
    const bytes = await readFile(file('ranges.parquet'));
    // Everything but the third group and the end of the file becomes nonsense.
    bytes.fill(0xff, 0, bytes.indexOf('1'.repeat(100)));
    const second = bytes.indexOf('10'.repeat(100));
    bytes.fill(0xff, second, second + 10_000);
    await writeFile(file('ranges.parquet'), bytes);
    const parquet = await openParquet(file('ranges.parquet'));
    expect(await parquet.readGroup(2)).toEqual(lines.slice(20, 30));
    await parquet.close();
  });
});

describe('columns', () => {
  test('that hold JSON text are text to others', async () => {
    await writeParquet(file('text.parquet'), ['{"messages":[{"role":"user"}],"tools":"[]"}']);
    const { parquetReadObjects, asyncBufferFromFile } = await import('hyparquet');
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(file('text.parquet')) });
    expect(rows).toEqual([{ messages: '[{"role":"user"}]', tools: '[]' }]);
  });

  test('keep digits that neither integers nor doubles have', async () => {
    const lines = ['{"n":1.5}', '{"n":123456789012345678901234567890}', '{"n":0.10000000000000000001}'];
    expect(await thereAndBack(lines)).toEqual(lines);
    const mixed = ['{"n":9007199254740993}', '{"n":0.5}'];
    expect(await thereAndBack(mixed)).toEqual(mixed);
  });

  test('take from the first group what they are: a row that does not fit is named by line and column', async () => {
    const lines = ['{"id":1,"text":"a"}', '{"id":2,"text":"b"}', '{"id":"three","text":"c"}'];
    const writing = writeParquet(file('misfit.parquet'), lines, { groupRows: 2 });
    await expect(writing).rejects.toThrow(
      'line 3: column id: expected an integer of 64 bits, found a string; the columns are those of the first 2 rows',
    );
    await expect(stat(file('misfit.parquet'))).rejects.toThrow('ENOENT');
  });

  test('refuse rows one by one where somebody takes them', async () => {
    const refused: RejectedRow[] = [];
    const lines = [
      '{"id":1,"t":"a"}',
      '{"id":1,"t":"\\ud800"}',
      '[]',
      '{"id":2,"t":"b","new":1}',
      'no',
      '{"id":3}',
    ];
    const options = { groupRows: 1, reject: (row: RejectedRow) => void refused.push(row) };
    expect(await thereAndBack(lines, options)).toEqual(['{"id":1,"t":"a"}', '{"id":3}']);
    expect(refused.map(({ line, path, row }) => [line, path, row])).toEqual([
      [2, 't', lines[1]],
      [3, '', '[]'],
      [4, 'new', lines[3]],
      [5, '', 'no'],
    ]);
  });

  test('of text stay text when one string of the first rows is half a character', async () => {
    const lines = ['{"t":"a"}', '{"t":"\\ud800"}'];
    await expect(writeParquet(file('half.parquet'), lines)).rejects.toThrow(
      'line 2: column t: expected a string of whole characters, found a string with half a character',
    );
  });

  test('are needed', async () => {
    await expect(writeParquet(file('none.parquet'), ['{}'])).rejects.toThrow('Parquet needs columns');
  });
});

describe('files', () => {
  test('without rows have none', async () => {
    await writeParquet(file('empty.parquet'), []);
    expect(await readAll(file('empty.parquet'))).toEqual({ rows: [], groups: 0 });
  });

  test('of many groups hold no more than one of them in the making', async () => {
    let ahead = 0;
    async function* lines() {
      for (let n = 0; n < 1000; n++) {
        ahead = n;
        yield `{"n":${n}}`;
      }
    }
    await writeParquet(file('many.parquet'), lines(), { groupRows: 64 });
    const { rows, groups } = await readAll(file('many.parquet'));
    expect([rows.length, groups, ahead, rows.at(-1)]).toEqual([1000, 16, 999, '{"n":999}']);
  });

  test('that are none say so', async () => {
    await expect(openParquet(file('missing.parquet'))).rejects.toThrow('there is no file');
    await expect(openParquet(folder)).rejects.toThrow('is a folder');
    await writeFile(file('short.parquet'), 'PAR1');
    await expect(openParquet(file('short.parquet'))).rejects.toThrow('expected at least 12 bytes, found 4');
    await writeFile(file('text.jsonl'), '{"messages": []}\n'.repeat(10));
    await expect(openParquet(file('text.jsonl'))).rejects.toThrow('it does not end with PAR1');
  });

  test('that are broken anywhere give rows or a sentence, never a fault of ours', async () => {
    const lines = Array.from({ length: 30 }, (_, n) =>
      JSON.stringify({ n, messages: [{ role: 'user', content: `${n}` }] }),
    );
    await writeTyped(file('whole.parquet'), lines, { rowGroupSize: 10 });
    const whole = await readFile(file('whole.parquet'));
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), fc.boolean(), async (at, byte, cut) => {
        const broken = cut ? Buffer.concat([whole.subarray(0, at), whole.subarray(-8)]) : Buffer.from(whole);
        if (!cut) broken[at] = byte;
        await writeFile(file('broken.parquet'), broken);
        const found = await readAll(file('broken.parquet')).catch((error: unknown) => error);
        if (found instanceof Error) expect(found.name).toBe('ConvertError');
        else for (const row of (found as { rows: string[] }).rows) JSON.parse(row);
      }),
      { seed: 8, numRuns: drawn(750) },
    );
  });
});
