import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Compression } from './block.js';
import { identityRows, identitySettings } from './identity-rows.fixture.js';
import { type PlacedBadRow, runJob } from './job.js';
import { writeTyped } from './parquet/typed-parquet.fixture.js';
import type { Shard } from './plan.js';
import { createSharedPool } from './pool.js';
import { NOTHING_YET, type Sink, type Standing } from './sink.js';
import { findSources } from './source.js';

const folder = mkdtempSync(join(tmpdir(), 'dragoman-blocks-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Given {
  output: string;
  bad: PlacedBadRow[];
  standing: Standing;
  blocks: number;
}

interface How {
  blockSize: number;
  shard?: Shard;
  compression?: Compression;
}

async function convertFile(path: string, { blockSize, shard, compression = 'none' }: How): Promise<Given> {
  const outputs: Uint8Array[] = [];
  let bad = '';
  let blocks = 0;
  const sink: Sink = {
    async write(output, badLines) {
      outputs.push(Buffer.from(output));
      bad += badLines;
    },
    checkpoint: async () => {},
    finish: async (standing) => standing,
    close: async () => {},
  };
  const { standing } = await runJob({
    sources: (await findSources([path])).sources,
    plan: { blockSize, lineLimit: identitySettings.lineLimit, ...(shard && { shard }) },
    pool: createSharedPool({ ...identitySettings, compression }, [], identityRows),
    sink,
    standing: NOTHING_YET,
    strict: false,
    stop: new AbortController().signal,
    onSkipped: () => {},
    onBlock: () => blocks++,
  });
  const bytes = Buffer.concat(outputs);
  const plain = compression === 'gzip' && bytes.length > 0 ? gunzipSync(bytes) : bytes;
  const badRows = bad
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return { output: plain.toString('latin1'), bad: badRows, standing, blocks };
}

let files = 0;
function fileOf(bytes: Uint8Array, ending = 'jsonl'): string {
  const path = join(folder, `${files++}.${ending}`);
  writeFileSync(path, bytes);
  return path;
}

const line = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[abl{} ü]{0,12}$/).map((text) => Buffer.from(text)) },
  fc.constantFrom(...['', '  ', 'x', 'a x b', 'abc\r', '\r'].map((text) => Buffer.from(text))),
  fc.constant(Buffer.from([0x61, 0xff])),
  fc.integer({ min: 60, max: 200 }).map((length) => Buffer.alloc(length, 'y')),
);
const content = fc
  .record({ lines: fc.array(line, { maxLength: 30 }), mark: fc.boolean(), ends: fc.boolean() })
  .map(({ lines, mark, ends }) =>
    Buffer.concat([
      Buffer.from(mark ? '\ufeff' : ''),
      ...lines.flatMap((one, n) => (n + 1 < lines.length || ends ? [one, Buffer.from('\n')] : [one])),
    ]),
  );
const blockSize = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 2000 }));

describe('blocks', () => {
  it('of shards are together those of the whole, with the line numbers of the whole', async () => {
    const law = fc.asyncProperty(
      content,
      blockSize,
      fc.integer({ min: 1, max: 5 }),
      async (bytes, size, count) => {
        const path = fileOf(bytes);
        const whole = await convertFile(path, { blockSize: size });
        const parts: Given[] = [];
        for (let i = 1; i <= count; i++)
          parts.push(await convertFile(path, { blockSize: size, shard: { index: i, count } }));
        expect(parts.map((part) => part.output).join('')).toBe(whole.output);
        expect(parts.flatMap((part) => part.bad)).toEqual(whole.bad);
        expect(parts.reduce((rows, part) => rows + part.standing.report.rows, 0)).toBe(
          whole.standing.report.rows,
        );
      },
    );
    await fc.assert(law, { seed: 6, numRuns: 150 });
  });

  it('of a table count the rows whose arguments have the keys of all', async () => {
    const calling = (input: object) => JSON.stringify({ messages: [{ calls: [{ arguments: input }] }] });
    const rows = [{ a: 1 }, { a: 1, b: { c: 2 } }, { b: { d: 3 } }].map(calling);
    const path = join(folder, 'merged.parquet');
    await writeTyped(path, rows, { rowGroupSize: 2 });
    const { output, standing } = await convertFile(path, { blockSize: 1000 });
    expect(output).toBe(rows.map((row) => `${row}\n`).join(''));
    const example = { row: 1, path: 'messages' };
    expect(standing.report.issues).toEqual({ 'merged-arguments': { count: 3, example } });
  });

  it.each([
    ['args', { calls: [{ args: { a: 1 } }, { args: { b: 1 } }] }, 1],
    ['inputSchema', { tools: [{ inputSchema: { a: 1 } }, { inputSchema: { b: 1 } }] }, 1],
    ['input of a call', { content: [{ input: { a: 1 } }, { input: { b: 1 } }] }, 1],
    [
      'a call in a prompt',
      { input: [{ call: { arguments: { a: 1 } } }, { call: { arguments: { b: 1 } } }] },
      1,
    ],
    ['one key', { calls: [{ arguments: { a: 1 } }, { arguments: { a: 2 } }] }, 0],
    [
      'a prompt, as input',
      {
        input: [
          { role: 'user', content: 'Hi.' },
          { role: 'user', name: 'Ann' },
        ],
      },
      0,
    ],
    ['a prompt, as arguments', { arguments: [{ arg_0: 'Hi.' }, { arg_1: 'Ho.' }] }, 0],
    ['members of a message', { messages: [{ content: 'Hi.' }, { name: 'Ann' }] }, 0],
  ])('of a table count merged keys of arguments and schemas alone: %s', async (_, row, count) => {
    const path = join(folder, 'counted.parquet');
    await writeTyped(path, [JSON.stringify(row)]);
    const { output, standing } = await convertFile(path, { blockSize: 1000 });
    expect(output).toBe(`${JSON.stringify(row)}\n`);
    expect(standing.report.issues['merged-arguments']?.count ?? 0).toBe(count);
  });

  it('are members of their own in a packed output, and give nothing where they hold nothing', async () => {
    const path = fileOf(Buffer.from('a\n\nbb\n\n\n\n\n\n\ncc\n'));
    const packed = await convertFile(path, { blockSize: 3, compression: 'gzip' });
    expect(packed.output).toBe('a\nbb\ncc\n');
    expect(packed.blocks).toBeGreaterThan(3);
    expect(
      (await convertFile(fileOf(Buffer.from('\n\n')), { blockSize: 1, compression: 'gzip' })).output,
    ).toBe('');
  });

  it('keep the bytes of a line that is no UTF-8, and the beginning of one that is too long', async () => {
    const path = fileOf(Buffer.concat([Buffer.from([0x22, 0xff, 0x0a]), Buffer.from('ü'.repeat(500))]));
    const { bad } = await convertFile(path, { blockSize: 7 });
    expect(bad[0]).toMatchObject({ line: 1, reason: 'the line is no UTF-8', base64: 'Iv8=' });
    expect(bad[1]).toMatchObject({ line: 2, row: 'ü'.repeat(32) });
    expect(bad[1]?.reason).toContain('longer than 64 bytes');
  });
});
