// The page's end of the worker.

import type { ReadInput, ReadResult, ShuffleResult } from './jobs.js';
import type { Ask, Said } from './protocol.js';
import type { TextReading } from './text-reading.js';

export interface Reader {
  /** Reads a text. Undefined: a newer one came before it was done. */
  read(input: ReadInput): Promise<ReadResult | undefined>;
  /** What was known after so many characters of the text read last. */
  seek(at: number): Promise<TextReading | undefined>;
  /** Cuts it anew, many times. */
  shuffle(seed: number): Promise<ShuffleResult | undefined>;
  close(): void;
}

/** What a worker is here: anything that takes asks and says things. */
export interface Line {
  postMessage(ask: Ask): void;
  addEventListener(type: 'message', hear: (event: { data: Said }) => void): void;
  /** It could not be loaded, or broke. */
  addEventListener(type: 'error', hear: () => void): void;
  terminate(): void;
}

/** One that nobody has asked for yet. */
let spare: Line | undefined;

/** Begins to load a worker before it is asked for, beside a page that is still being drawn. */
export function prepareReader(): void {
  spare ??= newWorker();
}

function takeWorker(): Line {
  const line = spare ?? newWorker();
  spare = undefined;
  return line;
}

export function createReader(line: Line = takeWorker()): Reader {
  let last = 0;
  const waiting = new Map<Ask['type'], { id: number; settle: (said: Said | undefined) => void }>();
  const drop = (type: Ask['type']) => {
    waiting.get(type)?.settle(undefined);
    waiting.delete(type);
  };
  const ask = (make: (id: number) => Ask): Promise<Said | undefined> => {
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
    const message = 'the worker that reads could not be started; is the page served whole?';
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

function whole(said: Said | undefined): Said | undefined {
  if (said?.type === 'failed') throw new Error(said.message);
  return said;
}

function newWorker(): Line {
  return new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
}
