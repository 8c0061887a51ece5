import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Settings } from '../files/block.js';
import { planBlocks } from '../files/plan.js';
import { findSources, type Source } from '../files/source.js';
import { nameOf, readAddress, withoutSecrets } from './address.js';
import { shardBlocks } from './convert-shard.js';
import { isPiecesFolder } from './pieces.js';
import { planShards, refusePipes, shardSizeFor } from './plan-shards.js';
import { Tally } from './run-shards.js';
import { fingerprintOf, fromFailure, toFailure, toShardJob } from './shard-job.js';
import { checkInside, fromShared, toShared } from './shared-paths.js';

// The parts that need no Redis. The whole is tested in test/queue.long.test.ts.

const folder = mkdtempSync(join(tmpdir(), 'dragoman-queue-parts-'));
afterAll(() => rmSync(folder, { recursive: true }));

const settings: Settings = {
  from: { form: 'openai' },
  to: { form: 'anthropic' },
  compression: 'none',
  lineLimit: 1024,
  strict: false,
};

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('shards', () => {
  it('hold the blocks that one machine would cut, each once and in order', async () => {
    const plain: Source = {
      path: 'a',
      name: 'a',
      kind: 'lines',
      compression: 'none',
      seekable: true,
      size: 0,
      mtime: 0,
    };
    const sizes = fc.array(fc.nat(5000), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1, max: 900 }), async (lengths, blockSize) => {
        const sources = lengths.map((size, n) => ({ ...plain, path: `f${n}`, size }));
        const total = lengths.reduce((sum, size) => sum + size, 0);
        const shards = await planShards(sources, shardSizeFor(total, blockSize));
        const blocks = [];
        for (const { source, part } of shards) {
          const cut = await collected(shardBlocks({ part, blockSize, settings }, sources[source] as Source));
          expect(cut.at(-1)?.share).toBe(1);
          blocks.push(...cut.map(({ block }) => block));
        }
        const alone = await collected(planBlocks(sources, { blockSize, lineLimit: 1024 }));
        expect(blocks).toEqual(alone.map(({ block }) => block));
        expect(shards.reduce((sum, { size }) => sum + size, 0)).toBe(total);
      }),
      { seed: 7, numRuns: 60 },
    );
  });

  it('are no longer than a worker may lose, and many enough for many workers', () => {
    const [block, terabyte] = [4 * 2 ** 20, 2 ** 40];
    expect(shardSizeFor(terabyte, block)).toBe(64 * 2 ** 20);
    expect(shardSizeFor(2 ** 30, block)).toBe(16 * 2 ** 20);
    expect(shardSizeFor(1, block)).toBe(block);
  });

  it('are whole files where these are packed, and never pipes', async () => {
    const path = join(folder, 'packed.jsonl.gz');
    writeFileSync(path, Buffer.from([0x1f, 0x8b, 8, 0, 0]));
    const { sources } = await findSources([path]);
    expect(await planShards(sources, 1)).toEqual([{ source: 0, part: { kind: 'whole' }, size: 5 }]);
    refusePipes(sources);
    const { sources: pipe } = await findSources([]);
    expect(() => refusePipes(pipe)).toThrow('standard input is none');
  });
});

describe('an address', () => {
  it('may have a user, a password, a number and TLS', () => {
    expect(readAddress('rediss://me:a%2Fb@host:7000/3', {})).toEqual({
      host: 'host',
      port: 7000,
      db: 3,
      username: 'me',
      password: 'a/b',
      tls: {},
    });
    expect(nameOf(readAddress('redis://:x@[::1]', {}))).toBe('[::1]:6379');
  });

  it('takes the password from the environment if it has none', () => {
    const env = { DRAGOMAN_QUEUE_PASSWORD: 'hush' };
    expect(readAddress('redis://host', env).password).toBe('hush');
    expect(readAddress('redis://:own@host', env).password).toBe('own');
  });

  it.each([
    '',
    'host:6379',
    'http://:hush@host',
    'redis://',
    'redis://:hush@host/x',
    'redis://:hush@host/1/2',
  ])('is refused without being repeated: %s', (text) => {
    expect(() => readAddress(text)).toThrow(/^(?!.*hush)--queue: expected an address such as/);
  });

  it('keeps its password out of what others say', () => {
    const address = readAddress('redis://:p%20w@host', {});
    expect(withoutSecrets('tried p w and p%20w', address)).toBe('tried *** and ***');
  });
});

describe('a shared path', () => {
  it('is found again below another root', () => {
    expect(toShared(join(folder, 'a', 'b'), folder)).toBe('a/b');
    expect(fromShared('a/b', '/mnt')).toBe(resolve('/mnt/a/b'));
    expect(toShared('a', undefined)).toBe(resolve('a'));
  });

  it.each(['../x', 'a/../../x', '/etc/passwd'])('that leads out of the root is refused: %s', (path) => {
    expect(() => fromShared(path, folder)).toThrow("outside of this worker's --root");
  });

  it('that leads out through a link is refused', () => {
    mkdirSync(join(folder, 'root'));
    symlinkSync(tmpdir(), join(folder, 'root', 'out'));
    expect(() => checkInside(join(folder, 'root', 'out'), join(folder, 'root'))).toThrow('outside');
    checkInside(join(folder, 'root'), join(folder, 'root'));
  });

  it('without a root is absolute', () => {
    expect(() => fromShared('a/b', undefined)).toThrow('start the worker with --root');
    expect(() => toShared('/elsewhere', folder)).toThrow('is not below --root');
  });
});

describe('a job', () => {
  it('is read only if it is whole', () => {
    const writer = { dragoman: '1.0.0' };
    const job = {
      run: '0123456789abcdef',
      index: 3,
      pieces: '/data/.out.jsonl.pieces/0123456789abcdef',
      source: { path: '/data/in.jsonl', size: 10 },
      part: { kind: 'bytes', from: 0, to: 10 },
      settings,
      blockSize: 5,
      writer,
      fingerprint: fingerprintOf(settings, 5, writer),
    };
    expect(toShardJob(job)).toBe(job);
    expect(isPiecesFolder(job.pieces, job.run)).toBe(true);
    for (const name of Object.keys(job))
      expect(toShardJob({ ...job, [name]: undefined }), name).toBeUndefined();
    for (const wrong of [null, 7, [], { ...job, run: '../../etc' }])
      expect(toShardJob(wrong)).toBeUndefined();
    expect(isPiecesFolder('/etc/0123456789abcdef', job.run)).toBe(false);
  });

  it('has another fingerprint with any other option or version', () => {
    const prints = [
      fingerprintOf(settings, 5, { dragoman: '1.0.0' }),
      fingerprintOf(settings, 6, { dragoman: '1.0.0' }),
      fingerprintOf(settings, 5, { dragoman: '1.0.1' }),
      fingerprintOf({ ...settings, drop: ['id'] }, 5, { dragoman: '1.0.0' }),
    ];
    expect(new Set(prints).size).toBe(prints.length);
  });
});

describe('a failure', () => {
  it('crosses the queue with its reason', () => {
    expect(fromFailure(toFailure(new Error('no disk')).message, 'shard 1').message).toMatch(
      /^shard 1 could not be converted, the last time on worker .+: no disk\. --resume/,
    );
    expect(fromFailure('job stalled more than allowable limit', 's')).toMatchObject({
      code: 'upstream',
      message: expect.stringContaining('its workers died again and again'),
    });
  });
});

describe('the tally', () => {
  it('never falls, also if a shard is begun anew, and ends with all bytes', () => {
    const shards = [10, 20, 30].map((size) => ({ source: 0, part: { kind: 'whole' as const }, size }));
    const shown: number[] = [];
    let rows = 0;
    const tally = new Tally(shards, {
      onSkipped: (position) => shown.push(position),
      onBlock: (position, done) => {
        shown.push(position);
        rows += done.rows;
      },
    });
    tally.count(0, { share: 1, rows: 5, bad: 0 });
    tally.begin();
    tally.count(2, { share: 0.5, rows: 7, bad: 0 });
    tally.count(2, { share: 0.1, rows: 1, bad: 0 });
    tally.count(1, { share: 1, rows: 3, bad: 0 });
    tally.count(2, { share: 1, rows: 9, bad: 0 });
    expect(shown).toEqual([10, 25, 25, 45, 60]);
    expect(rows).toBe(12);
  });
});
