// The page's side of the worker.

import type { ShownGrammar } from './extra-work.js';
import type { RankOutcome } from './guess.js';
import type { WorkerJob, WorkerReply, WorkerRequest } from './job-queue.js';
import type { ReadInput, ReadOutcome, ShuffleResult } from './jobs.js';
import type { TextReading } from './text-reading.js';
import type { Unwrapped } from './unwrap.js';

/** The part of Worker that is used, so that tests can replace it. */
export interface ReadWorker {
  postMessage(request: WorkerRequest): void;
  addEventListener(type: 'message', hear: (event: { data: WorkerReply }) => void): void;
  /** The worker could not be loaded, or failed. */
  addEventListener(type: 'error', hear: () => void): void;
  terminate(): void;
}

/** A worker that is loaded but not used yet. */
let spare: ReadWorker | undefined;

/** Loads a worker early, while the page is still being drawn. */
export function prepareReader(): void {
  spare ??= newWorker();
}

function takeWorker(): ReadWorker {
  const worker = spare ?? newWorker();
  spare = undefined;
  return worker;
}

interface Waiting {
  id: number;
  settle(result: unknown): void;
  fail(error: Error): void;
}

export type PageReader = ReturnType<typeof createReader>;

export function createReader(worker: ReadWorker = takeWorker()) {
  let last = 0;
  const waiting = new Map<WorkerJob['type'], Waiting>();
  /** Undefined: a newer request came before it was done. */
  const ask = <T>(job: WorkerJob): Promise<T | undefined> => {
    const id = ++last;
    for (const type of job.type === 'read' ? [...waiting.keys()] : [job.type]) {
      waiting.get(type)?.settle(undefined);
      waiting.delete(type);
    }
    worker.postMessage({ ...job, id });
    return new Promise((settle, fail) =>
      waiting.set(job.type, { id, settle: settle as Waiting['settle'], fail }),
    );
  };
  worker.addEventListener('message', ({ data }) => {
    for (const [type, { id, settle, fail }] of waiting) {
      if (id !== data.id) continue;
      waiting.delete(type);
      if ('failed' in data) fail(new Error(data.failed));
      else settle(data.result);
    }
  });
  worker.addEventListener('error', () => {
    const message = 'the worker that reads could not be started; are all files of the page served?';
    for (const { fail } of waiting.values()) fail(new Error(message));
    waiting.clear();
  });
  return {
    read: (input: ReadInput) => ask<ReadOutcome>({ type: 'read', input }),
    /** Gives the reading after so many characters of the last text. */
    seek: (at: number) => ask<TextReading>({ type: 'seek', at }),
    /** Reads the last text in random chunks, many times. */
    shuffle: (seed: number) => ask<ShuffleResult>({ type: 'shuffle', seed }),
    /** Reads the last text in every dialect. */
    rank: () => ask<RankOutcome>({ type: 'rank' }),
    /** Takes a model's text out of what wraps it; undefined if nothing does. */
    unwrap: (text: string) => ask<Unwrapped>({ type: 'unwrap', text }),
    /** Writes the answer of the last text as JSON of an API. */
    json: (api: string) => ask<string>({ type: 'json', api }),
    grammar: (format: string) => ask<ShownGrammar>({ type: 'grammar', format }),
    close: () => worker.terminate(),
  };
}

function newWorker(): ReadWorker {
  return new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
}
