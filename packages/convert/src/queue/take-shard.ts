// Checks whether the worker can and may do a job, and does it.

import { existsSync, statSync } from 'node:fs';
import type { Settings } from '../files/block.js';
import { ConvertError } from '../files/convert-error.js';
import { createThreadPool, type Pool } from '../files/pool.js';
import { filesBeside } from '../files/tokenizer-file.js';
import { convertShard, type ShardEnd, type ShardProgress } from './convert-shard.js';
import { isPiecesFolder, outputFolderOf, readPiece } from './pieces.js';
import { fingerprintOf, type ShardJob, toShardJob, type Writer, writerFor } from './shard-job.js';
import { checkInside, fromShared, withFiles } from './shared-paths.js';

export interface TakeOptions {
  root: string | undefined;
  jobs: number;
  stop: AbortSignal;
}

/** The worker's versions would give other bytes: it ends, and leaves the shard to another worker. */
export class RefusedError extends ConvertError {}

export interface Shards {
  take(data: unknown, onProgress: (progress: ShardProgress) => void): Promise<ShardEnd>;
  close(): Promise<void>;
}

/** Converts one shard at a time with all threads. Threads are reused for the next shard with the same settings. */
export function createShards({ root, jobs, stop }: TakeOptions): Shards {
  let pool: { key: string; pool: Pool } | undefined;
  const poolFor = async (settings: Settings): Promise<Pool> => {
    const key = JSON.stringify(settings);
    if (pool?.key !== key) {
      await pool?.pool.close();
      pool = { key, pool: createThreadPool(settings, jobs) };
    }
    return pool.pool;
  };
  return {
    async take(data, onProgress) {
      const job = readJob(data);
      const folder = fromShared(job.pieces, root);
      const source = { ...job.source, path: fromShared(job.source.path, root) };
      if (!isPiecesFolder(folder, job.run))
        throw new ConvertError(`${folder} is no folder of pieces`, 'input');
      checkSeen(outputFolderOf(folder), 'folder');
      if (!existsSync(folder)) return 'over';
      checkSource(source.path, source.size);
      for (const path of [folder, source.path]) checkInside(path, root);
      const made = await readPiece(folder, job.index);
      if (made && (job.settings.strict || !made.cut)) return 'made';
      const settings = withFiles(job.settings, (path) => seenFile(fromShared(path, root), root));
      checkOthers(settings, root);
      return convertShard(job, { pool: await poolFor(settings), source, folder, stop, onProgress });
    },
    async close() {
      await pool?.pool.close();
    },
  };
}

function readJob(data: unknown): ShardJob {
  const job = toShardJob(data);
  if (!job) throw new RefusedError('the queue holds a job that this version does not understand', 'upstream');
  const own = writerFor(job.settings);
  if (fingerprintOf(job.settings, job.blockSize, own) === job.fingerprint) return job;
  throw new RefusedError(
    `the run was started by ${named(job.writer)}, and this worker is ${named(own)}: it could write other bytes. Use the same version for both`,
    'upstream',
  );
}

function named(writer: Writer): string {
  return Object.entries(writer)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
}

function seenFile(path: string, root: string | undefined): string {
  checkSeen(path, 'file');
  checkInside(path, root);
  return path;
}

/** Checks the files that the settings name, beside the source: those to join, and what lies beside a tokenizer. */
function checkOthers({ training, score }: Settings, root: string | undefined): void {
  for (const { path, size } of score?.joins ?? []) checkSource(path, size);
  if (training?.tokenizer)
    for (const path of filesBeside(training.tokenizer.path)) if (existsSync(path)) checkInside(path, root);
}

function checkSource(path: string, size: number): void {
  checkSeen(path, 'file');
  const found = statSync(path).size;
  if (found === size) return;
  throw new ConvertError(`${path} has ${found} bytes here, and ${size} where the run was started`, 'input');
}

function checkSeen(path: string, what: 'file' | 'folder'): void {
  if (existsSync(path)) return;
  const how =
    'is it on a disk that all machines share? Where it is mounted elsewhere, use --root on both sides';
  throw new ConvertError(`the ${what} ${path} cannot be seen here; ${how}`, 'input');
}
