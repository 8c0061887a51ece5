// The tokenizer that is chosen in Write. It stays in the page, as long as the page is open, and is in no link.

import { createRoot, createSignal } from 'solid-js';
import type { Drawing, Drawn } from './draw.js';

/** `texts`: the pieces of each column. */
export type TokensRequest = { file: File } | { id: number; texts: string[][] };
export type TokensReply = { vocabulary: number } | { id: number; counts: number[] } | { failed: string };

export interface ChosenTokenizer {
  name: string;
  state: 'loading' | 'ready' | 'failed';
  /** Tokens that it knows. */
  vocabulary?: number;
  /** Why it could not be loaded. */
  problem?: string;
}

/** The part of Worker that is used, so that tests can replace it. */
export interface TokensWorker {
  postMessage(request: TokensRequest): void;
  addEventListener(type: 'message', hear: (event: { data: TokensReply }) => void): void;
  addEventListener(type: 'error', hear: () => void): void;
  terminate(): void;
}

export type TokenCounts = ReturnType<typeof createTokenCounts>;

export function createTokenCounts(startWorker: () => TokensWorker) {
  const [chosen, setChosen] = createSignal<ChosenTokenizer>();
  const [counts, setCounts] = createSignal<ReadonlyMap<Drawn, number>>(new Map());
  let worker: TokensWorker | undefined;
  let waiting: readonly Drawn[] | undefined;
  let counting: readonly Drawn[] | undefined;
  let last = 0;

  /** One request at a time: what changes meanwhile is counted next, together. */
  const next = () => {
    if (counting || !waiting || chosen()?.state !== 'ready') return;
    counting = waiting;
    waiting = undefined;
    worker?.postMessage({ id: ++last, texts: counting.map(piecesOf) });
  };
  const fail = (problem: string) => {
    const { name = '' } = chosen() ?? {};
    worker?.terminate();
    worker = undefined;
    counting = undefined;
    setChosen({ name, state: 'failed', problem });
  };
  const hear = (reply: TokensReply) => {
    if ('failed' in reply) return fail(reply.failed);
    if ('vocabulary' in reply) {
      setChosen({ name: chosen()?.name ?? '', state: 'ready', vocabulary: reply.vocabulary });
    } else if (counting) {
      setCounts(new Map(counting.map((drawn, at) => [drawn, reply.counts[at] ?? 0])));
      counting = undefined;
    }
    next();
  };
  const remove = () => {
    worker?.terminate();
    worker = undefined;
    counting = undefined;
    setCounts(new Map());
    setChosen(undefined);
  };
  return {
    chosen,
    choose(file: File): void {
      remove();
      const own = startWorker();
      worker = own;
      setChosen({ name: file.name, state: 'loading' });
      own.addEventListener('message', ({ data }) => own === worker && hear(data));
      own.addEventListener('error', () => own === worker && fail('its worker could not be started'));
      own.postMessage({ file });
    },
    remove,
    /** Counts what the columns show now. */
    count(drawings: readonly Drawing[]): void {
      waiting = drawings.flatMap((drawing) => ('drawn' in drawing ? [drawing.drawn] : []));
      next();
    },
    /** Undefined: not counted, or not yet. */
    of: (drawn: Drawn): number | undefined => counts().get(drawn),
  };
}

const piecesOf = ({ text, pieces }: Drawn) => pieces.map(({ from, to }) => text.slice(from, to));

export const tokenCounts = createRoot(() =>
  createTokenCounts(() => new Worker(new URL('./tokens.worker.ts', import.meta.url), { type: 'module' })),
);
