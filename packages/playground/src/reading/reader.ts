// The page's side of the worker.

import type { ReadInput, ReadOutcome, ShuffleResult } from './jobs.js';
import type { WorkerReply, WorkerRequest } from './protocol.js';
import type { TextReading } from './text-reading.js';

export interface TextReader {
  /** Reads a text. Undefined: a newer one came before it was done. */
  read(input: ReadInput): Promise<ReadOutcome | undefined>;
  /** Gives the reading after so many characters of the last text. */
  seek(at: number): Promise<TextReading | undefined>;
  /** Reads it in random chunks, many times. */
  shuffle(seed: number): Promise<ShuffleResult | undefined>;
  close(): void;
}

/** The part of Worker that is used, so that tests can replace it. */
export interface ReadWorker {
  postMessage(ask: WorkerRequest): void;
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
  const line = spare ?? newWorker();
  spare = undefined;
  return line;
}

export function createReader(line: ReadWorker = takeWorker()): TextReader {
  let last = 0;
  const waiting = new Map<
    WorkerRequest['type'],
    { id: number; settle: (said: WorkerReply | undefined) => void }
  >();
  const drop = (type: WorkerRequest['type']) => {
    waiting.get(type)?.settle(undefined);
    waiting.delete(type);
  };
  const ask = (make: (id: number) => WorkerRequest): Promise<WorkerReply | undefined> => {
    const id = ++last;
    const made = make(id);
    drop(made.type);
    if (made.type === 'read') for (const type of [...waiting.keys()]) drop(type);
    line.postMessage(made);
    return new Promise((settle) => waiting.set(made.type, { id, settle }));
  };
  line.addEventListener('message', ({ data }) => {
    const found = [...waiting].find(([, { id }]) => id === data.id);
    if (!found) return;
    waiting.delete(found[0]);
    found[1].settle(data);
  });
  line.addEventListener('error', () => {
    const message = 'the worker that reads could not be started; are all files of the page served?';
    for (const { id, settle } of waiting.values()) settle({ type: 'failed', id, message });
    waiting.clear();
  });
  return {
    async read(input) {
      const said = whole(await ask((id) => ({ type: 'read', id, input })));
      return said?.type === 'read' ? said : undefined;
    },
    async seek(at) {
      const said = whole(await ask((id) => ({ type: 'seek', id, at })));
      return said?.type === 'seek' ? said.reading : undefined;
    },
    async shuffle(seed) {
      const said = whole(await ask((id) => ({ type: 'shuffle', id, seed })));
      return said?.type === 'shuffle' ? said.result : undefined;
    },
    close: () => line.terminate(),
  };
}

function whole(said: WorkerReply | undefined): WorkerReply | undefined {
  if (said?.type === 'failed') throw new Error(said.message);
  return said;
}

function newWorker(): ReadWorker {
  return new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
}
