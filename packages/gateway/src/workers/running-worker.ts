// One worker process, as the primary process sees it.

import cluster, { type Worker } from 'node:cluster';
import { availableParallelism, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { getHeapStatistics } from 'node:v8';
import { type Answers, Channel } from './channel.js';
import { returnLostConnections, type WorkerChannel } from './lost-connections.js';
import type { PlainConfig } from './plain-config.js';
import { fromPlainError, type PlainError } from './plain-error.js';

/** What a worker has to know to start. */
export interface WorkerStart {
  config: PlainConfig;
  /** Its number, from 1, and how many there are. */
  worker: number;
  workers: number;
  /** How many requests it may answer at once. */
  room: number;
  detect: boolean;
}

/** What a worker reports when it listens. */
export interface WorkerReady {
  port: number;
  engines: ReadonlyMap<string, string>;
}

/** How a worker ended: `exit code 1`, `SIGKILL`. */
type WorkerEnd = string;

export interface RunningWorker {
  readonly number: number;
  readonly pid: number | undefined;
  readonly channel: Channel;
  /** Rejects with the reason why it could not start. */
  readonly ready: Promise<WorkerReady>;
  readonly ended: Promise<WorkerEnd>;
  /** Lets it exit when it has answered everything. */
  release(): void;
  kill(): void;
}

/**
 * A flag of V8 for workers that take all cores. Threads that collect garbage beside a worker then take their time from
 * the other workers, and handing the work over costs more than doing it: a request costs a fifth less without them.
 */
const SHARED_CORES = '--single-threaded-gc';

/**
 * V8 keeps new values in two halves of so many megabytes. Garbage that lived until a half was full twice is found only by
 * a collection of the whole heap: with 16, bodies of 200 KB got that old, and these collections took a fifth of the time.
 */
const ROOMY = ['--min-semi-space-size=32', '--max-semi-space-size=64'];
/** V8 itself sets a lower maximum where its heap is small. */
const TIGHT = ['--min-semi-space-size=16'];

/** Bytes for each worker from which on there is room. */
const ROOM = 1024 ** 3;

/**
 * Flags for so many workers, on a machine with so many bytes of memory and for so large a heap. The last one of two flags
 * counts, so these come before those of the operator. The single executable takes none.
 */
export function flagsFor(
  workers: number,
  total = totalmem(),
  heap = getHeapStatistics().heap_size_limit,
): string[] {
  if (workers < availableParallelism()) return [];
  // Node reads NODE_OPTIONS before any flag of the command line.
  if (/semi.space.size/.test(process.env.NODE_OPTIONS ?? '')) return [SHARED_CORES];
  // 0 or undefined where nothing limits it.
  const memory = Math.min(total, process.constrainedMemory?.() || Number.POSITIVE_INFINITY);
  const each = Math.min(memory / workers, heap);
  return [SHARED_CORES, ...(each < ROOM ? TIGHT : ROOMY)];
}

/**
 * How so many workers are started; for all that this process starts with node:cluster. Connections go to them in turn,
 * unless NODE_CLUSTER_SCHED_POLICY is `none`.
 */
export function setUpWorkers(workers: number): void {
  cluster.setupPrimary({
    exec: fileURLToPath(new URL('./worker-process.js', import.meta.url)),
    args: [],
    execArgv: [...flagsFor(workers), ...process.execArgv],
    // Structured clones: maps, and no text to parse.
    serialization: 'advanced',
  });
}

/** `start` is called when the worker asks for its configuration; `hasOthers` tells whether another worker listens. */
export function startWorker(
  number: number,
  start: () => WorkerStart,
  answers: Answers,
  hasOthers: () => boolean,
): RunningWorker {
  const worker = cluster.fork();
  returnLostConnections(worker.process as WorkerChannel, hasOthers);
  const ended = endOf(worker);
  let begun: Answers = {};
  const ready = new Promise<WorkerReady>((resolve, reject) => {
    begun = { start, ready: resolve, failed: (error: PlainError) => reject(fromPlainError(error)) };
    void ended.then((how) => reject(new Error(`worker ${number} ended before it listened: ${how}`)));
  });
  // Whether anybody waits for it or not.
  ready.catch(() => {});
  return {
    number,
    pid: worker.process.pid,
    channel: new Channel(worker, { ...answers, ...begun }),
    ready,
    ended,
    release: () => {
      if (worker.isConnected()) worker.process.disconnect();
    },
    kill: () => void worker.process.kill('SIGKILL'),
  };
}

function endOf(worker: Worker): Promise<WorkerEnd> {
  return new Promise((tell) => {
    worker.once('exit', (code, signal) => tell(signal || `exit code ${code}`));
    // The process could not be started at all.
    worker.once('error', (error) => tell(error.message));
  });
}
