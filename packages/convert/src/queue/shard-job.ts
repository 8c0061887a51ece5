// A worker's job: a part of one source, and how it is converted. Plain data, sent to other machines as JSON.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Settings } from '../files/block.js';
import { ConvertError, messageOf } from '../files/convert-error.js';
import type { Source } from '../files/source.js';

export interface ShardJob {
  /** Name of the run: the same for the same inputs, output and options. */
  run: string;
  /** The index among the shards of the run, from 0. */
  index: number;
  /** The folder for the piece. */
  pieces: string;
  source: Source;
  part: Part;
  settings: Settings;
  blockSize: number;
  /** The versions of the coordinator that merges the pieces, which the worker's must match. */
  writer: Writer;
  fingerprint: string;
}

/**
 * Bytes [from, to) of a plain file, row groups [from, to) of a Parquet file, or the whole of a source that cannot be
 * divided.
 */
export type Part = { kind: 'bytes' | 'groups'; from: number; to: number } | { kind: 'whole' };

/** The versions of all programs that the output bytes depend on. */
export interface Writer {
  dragoman: string;
  /** Node's compression libraries. */
  zlib?: string;
  zstd?: string;
}

export function writerFor({ compression }: Pick<Settings, 'compression'>): Writer {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const { zlib, zstd } = process.versions;
  return {
    dragoman: version,
    ...(compression === 'gzip' && zlib !== undefined && { zlib }),
    ...(compression === 'zstd' && zstd !== undefined && { zstd }),
  };
}

/** Hashes everything that the bytes of a piece depend on, besides the rows. */
export function fingerprintOf(settings: Settings, blockSize: number, writer: Writer): string {
  return hashOf({ settings, blockSize, writer });
}

export function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}

/**
 * Checks a job's data; undefined if this version does not understand it. Anyone with access to Redis can write anything
 * there.
 */
export function toShardJob(data: unknown): ShardJob | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { run, index, pieces, source, part, settings, blockSize, writer, fingerprint } =
    data as Partial<ShardJob>;
  const whole =
    isHash(run) &&
    Number.isSafeInteger(index) &&
    typeof pieces === 'string' &&
    typeof source?.path === 'string' &&
    typeof source.size === 'number' &&
    isPart(part) &&
    typeof settings?.from?.form === 'string' &&
    typeof settings.to?.form === 'string' &&
    areFiles(settings.score?.joins) &&
    Number.isSafeInteger(blockSize) &&
    (blockSize as number) > 0 &&
    typeof writer?.dragoman === 'string' &&
    isHash(fingerprint);
  return whole ? (data as ShardJob) : undefined;
}

/** Files that a job names, beside its source. The worker checks that it may read them. */
function areFiles(files: unknown): boolean {
  if (files === undefined) return true;
  return (
    Array.isArray(files) &&
    files.every((file) => typeof file?.path === 'string' && typeof file.size === 'number')
  );
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{16}$/.test(value);
}

function isPart(part: Part | undefined): boolean {
  if (part?.kind === 'whole') return true;
  const { kind, from, to } = part ?? {};
  return (kind === 'bytes' || kind === 'groups') && Number.isSafeInteger(from) && Number.isSafeInteger(to);
}

/** Encodes why a worker could not convert a shard, for the queue: the reason, and which worker it was. */
export function toFailure(error: unknown): Error {
  const code = error instanceof ConvertError ? error.code : 'upstream';
  return new Error(
    JSON.stringify({ reason: messageOf(error), code, worker: `${hostname()}:${process.pid}` }),
  );
}

/** Decodes a failure for the person who started the run. `shard` describes the part that failed. */
export function fromFailure(text: string, shard: string): ConvertError {
  const { reason, code, worker } = readFailure(text);
  const where = worker === undefined ? '' : `, the last time on worker ${worker}`;
  return new ConvertError(
    `${shard} could not be converted${where}: ${reason}. --resume goes on when that is mended`,
    code,
  );
}

interface Failure {
  reason: string;
  code: 'input' | 'upstream';
  worker?: string;
}

function readFailure(text: string): Failure {
  try {
    const { reason, code, worker } = JSON.parse(text) as Partial<Failure>;
    if (typeof reason === 'string')
      return { reason, code: code === 'input' ? code : 'upstream', worker: String(worker) };
  } catch {
    // BullMQ's own errors are plain text.
  }
  const reason = /stalled/.test(text) ? 'its workers died again and again' : text;
  return { reason, code: 'upstream' };
}
