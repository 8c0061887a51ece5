import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openFileSink } from '../files/file-sink.js';
import { identityRows, identitySettings } from '../files/identity-rows.fixture.js';
import { identityOf } from '../files/journal.js';
import { createSharedPool } from '../files/pool.js';
import { NOTHING_YET } from '../files/sink.js';
import { findSources, type Source } from '../files/source.js';
import { convertShard } from './convert-shard.js';
import { runShards } from './run-shards.js';
import type { ShardJob } from './shard-job.js';
import type { ShardQueue } from './shard-queue.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dragoman-run-shards-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A queue whose worker makes each piece when the shard is put. */
function queueOf(onShard: (job: ShardJob) => void): ShardQueue {
  const put = async (jobs: readonly ShardJob[]) => {
    const pool = createSharedPool(identitySettings, [], identityRows);
    const around = { pool, stop: new AbortController().signal, onProgress: () => {} };
    for (const job of jobs) {
      onShard(job);
      await convertShard(job, { ...around, source: job.source as Source, folder: job.pieces });
    }
  };
  const queue = { follow: () => () => {}, withdraw: async () => {}, stateOf: async () => 'there', put };
  return queue as unknown as ShardQueue;
}

const text = Array.from({ length: 40 }, (_, n) => `row ${n}\n`).join('');

async function convert(onShard: (job: ShardJob) => void = () => {}) {
  const [input, output] = [join(folder, 'in.jsonl'), join(folder, 'out.jsonl')];
  writeFileSync(input, text);
  const { sources } = await findSources([input]);
  const identity = { options: {}, sources: sources.map(identityOf) };
  const files = { output, bad: `${output}.bad.jsonl`, format: 'lines', compression: 'none' } as const;
  const opened = await openFileSink({ ...files, resume: false, force: false, identity });
  if ('finished' in opened) throw new Error('there is nothing yet');
  return runShards({
    sources,
    sink: opened.sink,
    standing: NOTHING_YET,
    strict: false,
    stop: new AbortController().signal,
    onBlock: () => {},
    onSkipped: () => {},
    output,
    settings: identitySettings,
    blockSize: 16,
    shardSize: 32,
    identity,
    resume: false,
    queue: queueOf(onShard),
    root: undefined,
  });
}

describe('a run of shards', () => {
  it('puts the pieces together and leaves none', async () => {
    const { state, standing } = await convert();
    expect(state).toBe('finished');
    expect(standing.report.rows).toBe(40);
    expect(readFileSync(join(folder, 'out.jsonl'), 'utf8')).toBe(text);
    expect(readdirSync(folder).sort()).toEqual(['in.jsonl', 'out.jsonl', 'out.jsonl.journal']);
  });

  it('gives no output the name of a whole one if its input changed on the way, and leaves no pieces', async () => {
    const grow = ({ index }: ShardJob) => {
      if (index === 3) writeFileSync(join(folder, 'in.jsonl'), 'one more\n', { flag: 'a' });
    };
    await expect(convert(grow)).rejects.toMatchObject({
      code: 'input',
      message: expect.stringContaining('in.jsonl changed while it was read: it had'),
    });
    expect(existsSync(join(folder, 'out.jsonl'))).toBe(false);
    expect(readdirSync(folder).filter((name) => name.includes('pieces'))).toEqual([]);
  });
});
