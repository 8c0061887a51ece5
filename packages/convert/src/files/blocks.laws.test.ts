import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Compression } from './block.js';
import { identityRows, identitySettings } from './identity-rows.fixture.js';
import { type PlacedBadRow, runJob } from './job.js';
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

/** What the cutting must give, said without any: the file read at once. */
function reference(bytes: Buffer): { output: string; bad: [line: number, reason: string][] } {
  const rows = bytes.toString('latin1').split('\n');
  // A byte order mark is no part of the row, but of the line.
  const toRow = (row: string) => row.replace(/^\xef\xbb\xbf/, '').replace(/\r$/, '');
  const bad: [number, string][] = [];
  const good = rows.filter((row, n) => {
    const line = toRow(row);
    const reason =
      row.length > identitySettings.lineLimit
        ? 'longer than 64 bytes'
        : line.includes('\xff')
          ? 'no UTF-8'
          : line.includes('x')
            ? 'found x'
            : undefined;
    if (reason) bad.push([n + 1, reason]);
    return !reason && line.trim() !== '';
  });
  return { output: good.map((row) => `${toRow(row)}\n`).join(''), bad };
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
  it('of any size, of a plain or packed file, give the rows of the file in order, and the bad ones with their lines', async () => {
    const law = fc.asyncProperty(content, blockSize, async (bytes, size) => {
      const expected = reference(bytes);
      const paths = [
        fileOf(bytes),
        fileOf(gzipSync(bytes), 'jsonl.gz'),
        fileOf(brotliCompressSync(bytes), 'jsonl.br'),
      ];
      const whole = await convertFile(paths[0] as string, { blockSize: 1e6 });
      for (const path of paths) {
        const given = await convertFile(path, { blockSize: size });
        expect(given.output).toBe(expected.output);
        expect(given.bad.map((bad) => bad.line)).toEqual(expected.bad.map(([number]) => number));
        for (const [n, [, reason]] of expected.bad.entries()) expect(given.bad[n]?.reason).toContain(reason);
        expect(given.bad.map((bad) => ({ ...bad, file: '' }))).toEqual(
          whole.bad.map((bad) => ({ ...bad, file: '' })),
        );
        expect(given.standing.report).toEqual(whole.standing.report);
        expect(given.bad.every((bad) => bad.file === path)).toBe(true);
      }
    });
    await fc.assert(law, { seed: 5, numRuns: 150 });
  });
});
