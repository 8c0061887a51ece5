// The inspectors of all workers as one. Each worker keeps its own exchanges; they are only collected when somebody looks,
// so that a request costs the same with one process and with many.

import { EventQueue } from '../observability/event-queue.js';
import type { InspectorView } from '../observability/inspector.js';
import type { ExchangeRecord, ExchangeSummary, InspectorEvent } from '../observability/inspector-shapes.js';
import type { Answers, Channel } from './channel.js';

/** Milliseconds that a worker may take to answer what somebody looks at. */
const PATIENCE = 1000;

/** Bounds of the events that wait for the other processes: in number, and in characters. */
const QUEUE = 1000;
const QUEUE_SIZE = 4 * 1024 * 1024;

// --- in a worker -----------------------------------------------------------------------------------------------

export interface WorkerInspector {
  view: InspectorView;
  answers: Answers;
}

export function createWorkerInspector(own: InspectorView, channel: Channel): WorkerInspector {
  const listeners = new Set<{ hear(event: InspectorEvent): void }>();
  const forward = createForward(own, channel);
  return {
    view: {
      keep: own.keep,
      list: () => channel.ask('inspector-list', own.keep),
      get: (id) => channel.ask('inspector-get', id),
      subscribe(hear) {
        const listener = { hear };
        if (listeners.size === 0) channel.tell('inspector-watch', true);
        listeners.add(listener);
        return () => {
          if (listeners.delete(listener) && listeners.size === 0) channel.tell('inspector-watch', false);
        };
      },
    },
    answers: {
      'inspector-list': () => own.list(),
      'inspector-get': (id: string) => own.get(id),
      'inspector-forward': forward,
      'inspector-events': (lines: string) => {
        for (const line of lines.trimEnd().split('\n')) {
          const event: InspectorEvent = JSON.parse(line);
          for (const listener of listeners) listener.hear(event);
        }
      },
    },
  };
}

/** Sends the events of this worker to the primary process, while they are wanted. What cannot be sent in time is dropped. */
function createForward(own: InspectorView, channel: Channel): (wanted: boolean) => void {
  const queue = new EventQueue(QUEUE, QUEUE_SIZE, (event) => `${JSON.stringify(event)}\n`);
  let leave: (() => void) | undefined;
  let sending = false;
  const send = async () => {
    if (sending) return;
    sending = true;
    // The next events go when these have arrived.
    for (let lines = queue.take(); lines !== undefined; lines = queue.take())
      await channel.ask('inspector-events', lines).catch(() => {});
    sending = false;
  };
  return (wanted) => {
    leave?.();
    leave = wanted
      ? own.subscribe((event) => {
          queue.add(event);
          void send();
        })
      : undefined;
  };
}

// --- in the primary process --------------------------------------------------------------------------------------

/** A worker, by its number. */
export interface InspectedWorker {
  number: number;
  channel: Channel;
}

export class SharedInspector {
  readonly #watching = new Set<InspectedWorker>();

  constructor(readonly workers: () => readonly InspectedWorker[]) {}

  /** What a worker may ask. */
  answersFor(worker: () => InspectedWorker): Answers {
    return {
      'inspector-list': (keep: number) => this.#list(keep),
      'inspector-get': (id: string) => this.#get(id),
      'inspector-watch': (watches: boolean) => this.#watch(worker(), watches),
      'inspector-events': (lines: string) => this.#pass(lines),
    };
  }

  /** A worker that has just started forwards its events, too, if they are wanted. */
  join({ channel }: InspectedWorker): void {
    if (this.#watching.size > 0) channel.tell('inspector-forward', true);
  }

  leave(worker: InspectedWorker): void {
    this.#watch(worker, false);
  }

  #watch(worker: InspectedWorker, watches: boolean): void {
    const before = this.#watching.size;
    if (watches) this.#watching.add(worker);
    else this.#watching.delete(worker);
    const after = this.#watching.size;
    if (before > 0 === after > 0) return;
    for (const { channel } of this.workers()) channel.tell('inspector-forward', after > 0);
  }

  async #pass(lines: string): Promise<void> {
    await Promise.all([...this.#watching].map((one) => asked(one, 'inspector-events', lines)));
  }

  async #list(keep: number): Promise<ExchangeSummary[]> {
    const lists = await Promise.all(
      this.workers().map(async (worker) => {
        const list = await asked<ExchangeSummary[]>(worker, 'inspector-list');
        return (list ?? []).map((exchange) => ({ worker: worker.number, exchange }));
      }),
    );
    const newestFirst = lists.flat().sort((a, b) => b.exchange.time.localeCompare(a.exchange.time));
    const seen = new Set<string>();
    return newestFirst.slice(0, keep).map(({ worker, exchange }) => {
      const isFirst = !seen.has(exchange.id);
      seen.add(exchange.id);
      return isFirst ? exchange : { ...exchange, id: idAt(exchange.id, worker) };
    });
  }

  /** Gives the newest exchange of this id; or that of one worker, as the list names it. */
  async #get(id: string): Promise<ExchangeRecord | undefined> {
    const found = await this.#records(id, this.workers());
    if (found.length > 0) return found.reduce((a, b) => (b.time > a.time ? b : a));
    const named = this.workers().find(({ number }) => id.endsWith(idAt('', number)));
    if (!named) return undefined;
    const [record] = await this.#records(id.slice(0, -idAt('', named.number).length), [named]);
    return record && { ...record, id };
  }

  async #records(id: string, workers: readonly InspectedWorker[]): Promise<ExchangeRecord[]> {
    const records = workers.map((worker) => asked<ExchangeRecord>(worker, 'inspector-get', id));
    return (await Promise.all(records)).filter((record) => record !== undefined);
  }
}

/** Names an older exchange whose id another worker has, too: clients may send an id twice. */
function idAt(id: string, worker: number): string {
  return `${id}~w${worker}`;
}

/** Gives undefined if the worker does not answer in time. */
function asked<T>({ channel }: InspectedWorker, name: string, value?: unknown): Promise<T | undefined> {
  return channel.ask<T>(name, value, PATIENCE).catch(() => undefined);
}
