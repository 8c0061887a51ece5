// Serves with several processes on one port. The primary process accepts connections and gives them to the workers in
// turn; it holds what they share: the memory store, the words of models, the counts of rate limits, and the sum of their
// metrics.
//
//   connection ──> primary ──> worker 1, worker 2 …      one gateway each
//                     ^             │
//                     └─────────────┘  what is shared, by messages

import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { inSlices } from '../app/steps.js';
import type { GatewayConfig } from '../config/config.js';
import { keysNeedRestart, losesAllKeys, withFixedParts } from '../config/fixed-at-start.js';
import type { SecretLog } from '../observability/index.js';
import { laterTurn } from '../server/fair-turns.js';
import { openHealthPort } from '../server/health-port.js';
import { createGatewayLog, hiding, secretsOf, urlOf } from '../server/serve.js';
import type { Store } from '../services.js';
import { createLocalCount, createStore, isMemory } from '../store/index.js';
import type { Answers } from './channel.js';
import { type PlainConfig, toPlainConfig } from './plain-config.js';
import { type RunningWorker, setUpWorkers, startWorker, type WorkerReady } from './running-worker.js';
import { ConfigSender } from './sent-config.js';
import { SharedInspector } from './shared-inspector.js';
import { type ProcessValues, SharedMetrics } from './shared-metrics.js';
import { SharedRoom } from './shared-room.js';
import { storeAnswers } from './worker-store.js';

export interface WorkersGateway {
  /** `http://127.0.0.1:8787`. */
  readonly url: string;
  readonly port: number;
  readonly log: SecretLog;
  readonly workers: number;
  /** The engines of upstreams that were found at the start, by the names of the upstreams: `vLLM`. */
  readonly engines: ReadonlyMap<string, string>;
  /** Resolves with the reason if every worker ends right after its start, again and again. */
  readonly failed: Promise<Error>;
  /** Gives the number of requests that are being answered. */
  open(): Promise<number>;
  /** False if it is refused, with a line in the log: the last key cannot be taken away while the gateway runs. */
  reload(config: GatewayConfig): boolean;
  /** Accepts no new requests, lets streams finish for the configured time, then ends them and all workers. */
  close(): Promise<void>;
}

export interface WorkersOptions {
  /** Whether the engines of upstreams without an `engine` are looked for. Default false. */
  detect?: boolean;
}

/** Gives the number of processes that a configuration asks for. */
export function workersOf({ workers }: Pick<GatewayConfig, 'workers'>): number {
  return workers === 'auto' ? availableParallelism() : workers;
}

/** Starts the workers of a configuration, with node:cluster. A worker that ends is replaced. */
export async function serveWorkers(
  config: GatewayConfig,
  { detect = false }: WorkersOptions = {},
): Promise<WorkersGateway> {
  const log = createGatewayLog(config, {});
  const primary = new Primary(config, log, await sharedMemory(config), detect);
  const { port, engines } = await primary.start();
  const health = await openHealthPort(config, log).catch(async (error) => {
    await primary.close();
    throw error;
  });
  return {
    url: urlOf(config.host, port),
    port,
    log,
    workers: workersOf(config),
    engines,
    failed: primary.failed,
    open: () => primary.open(),
    reload: (next) => primary.reload(next),
    async close() {
      health?.drain();
      await primary.close();
      await health?.close();
    },
  };
}

/**
 * Bytes of turns that the primary process keeps for all workers where there is no store. A character counts as two bytes,
 * so these are 32 Mi characters: as many as two workers keep for themselves.
 */
const MOST_TURN_BYTES = 64 * 1024 * 1024;

/** Gives the store in the memory of this process that workers reach: that of the configuration, or one for turns only. */
async function sharedMemory({ store, turns }: GatewayConfig): Promise<Store | undefined> {
  if (store && isMemory(store.url)) return createStore(store.url);
  const hasTurns = turns === 'memory' || (turns === 'auto' && !store);
  return hasTurns ? createStore(`memory:?bytes=${MOST_TURN_BYTES}`) : undefined;
}

/** Milliseconds that a worker may take to answer a question about itself. */
const PATIENCE = 1000;
/** Milliseconds that a worker gets beyond the time for streams, to end its last answers and close its connections. */
const BEYOND = 5000;
/** A worker that ends within this many milliseconds failed to start. */
const QUICK = 10_000;
/** How many such ends in a row are an error. */
const MANY = 5;
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 10_000;

class Primary {
  readonly failed: Promise<Error>;
  #fail: (error: Error) => void = () => {};
  readonly #first: GatewayConfig;
  #config: PlainConfig;
  #port = 0;
  /** Those that listen. */
  readonly #workers = new Map<number, RunningWorker>();
  readonly #senders = new WeakMap<RunningWorker, ConfigSender>();
  /** The configuration that each worker was given last. */
  readonly #sent = new Map<number, PlainConfig>();
  /** How often each worker ended right after its start, in a row. */
  readonly #quickEnds = new Map<number, number>();
  readonly #stopping = new AbortController();
  readonly #metrics = new SharedMetrics();
  readonly #inspector = new SharedInspector(() => [...this.#workers.values()]);
  readonly #room = new SharedRoom(() => [...this.#workers.values()]);
  readonly #count = createLocalCount();

  constructor(
    config: GatewayConfig,
    readonly log: SecretLog,
    readonly store: Store | undefined,
    readonly detect: boolean,
  ) {
    // Workers open what others of them sealed.
    this.#first = { ...config, sealKey: config.sealKey ?? randomBytes(32).toString('hex') };
    for (const secret of secretsOf(this.#first)) log.hide(secret);
    this.#config = toPlainConfig(this.#first);
    this.#divideRoom();
    this.failed = new Promise((tell) => {
      this.#fail = tell;
    });
  }

  /** Starts all workers. Rejects with the reason of the first one that could not start; then none is left. */
  async start(): Promise<WorkerReady> {
    const count = workersOf(this.#config);
    setUpWorkers(count);
    const workers = Array.from({ length: count }, (_, at) => this.#launch(at + 1));
    try {
      const [first] = await Promise.all(workers.map((worker) => worker.ready));
      this.#port = first?.port ?? 0;
      for (const worker of workers) void this.#keep(worker);
      return first as WorkerReady;
    } catch (error) {
      for (const worker of workers) worker.kill();
      await Promise.all(workers.map((worker) => worker.ended));
      await this.store?.close();
      throw error;
    }
  }

  async open(): Promise<number> {
    const counts = [...this.#workers.values()].map((worker) =>
      worker.channel.ask<number>('open', undefined, PATIENCE),
    );
    const answered = await Promise.allSettled(counts);
    return answered.reduce((sum, one) => sum + (one.status === 'fulfilled' ? one.value : 0), 0);
  }

  reload(config: GatewayConfig): boolean {
    if (losesAllKeys(this.#config, config)) {
      this.log.error({}, keysNeedRestart);
      return false;
    }
    inSlices(hiding(config, this.log), laterTurn, () => true);
    // A worker that starts later must fit the others: what is fixed at the start stays.
    this.#config = toPlainConfig(withFixedParts(config, this.#first));
    this.#divideRoom();
    for (const worker of this.#workers.values()) this.#sendConfig(worker);
    return true;
  }

  #sendConfig(worker: RunningWorker): void {
    worker.channel.tell('room-reset', this.#room.partOf(worker.number));
    const sender = this.#senders.get(worker) ?? this.#senderOf(worker);
    this.#senders.set(worker, sender);
    this.#sent.set(worker.number, this.#config);
    sender.send(this.#config);
  }

  #senderOf({ number, channel }: RunningWorker): ConfigSender {
    return new ConfigSender(channel, laterTurn, (error) =>
      this.log.error(
        { worker: number, error: String(error) },
        'a worker did not take the changed configuration, and keeps the old one',
      ),
    );
  }

  #divideRoom(): void {
    this.#room.divide(this.#config.limits.requests, workersOf(this.#config));
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#workers.values()].map((worker) => this.#stop(worker)));
    await this.store?.close();
  }

  #launch(number: number): RunningWorker {
    const start = () => {
      this.#holdPort();
      const config = this.#config;
      this.#sent.set(number, config);
      const room = this.#room.partOf(number);
      return { config, worker: number, workers: workersOf(config), room, detect: this.detect };
    };
    const worker: RunningWorker = startWorker(
      number,
      start,
      this.#answersFor(number, () => worker),
      () => [...this.#workers.keys()].some((other) => other !== number),
    );
    return worker;
  }

  /**
   * Port 0 is the same port for every worker as long as one of them holds it. When none does any more, those that follow
   * ask for its number.
   */
  #holdPort(): void {
    if (this.#workers.size > 0 || this.#port === 0) return;
    this.#first.port = this.#port;
    this.#config = { ...this.#config, port: this.#port };
  }

  /** What workers may ask. */
  #answersFor(number: number, worker: () => RunningWorker): Answers {
    return {
      ...(this.store && storeAnswers(this.store)),
      ...this.#inspector.answersFor(worker),
      ...this.#room.answersFor(number),
      count: (key: string) => this.#count(key),
      metrics: () => this.#renderMetrics(),
      values: (values: ProcessValues) => this.#metrics.keep(worker().pid ?? 0, values),
    };
  }

  async #renderMetrics(): Promise<string> {
    const asked = [...this.#workers.values()].map(async ({ pid = 0, channel }) => {
      const values = await channel.ask<ProcessValues>('values', undefined, PATIENCE).catch(() => undefined);
      return [pid, values] as const;
    });
    return this.#metrics.render(new Map(await Promise.all(asked)));
  }

  /** Replaces a worker when it ends, until the gateway stops. */
  async #keep(first: RunningWorker): Promise<void> {
    const { number } = first;
    const { signal } = this.#stopping;
    for (let worker = first; ; worker = this.#launch(number)) {
      const began = Date.now();
      const reason = await this.#up(worker);
      const how = await worker.ended;
      this.#down(worker);
      if (signal.aborted) return;
      const quick = Date.now() - began < QUICK ? (this.#quickEnds.get(number) ?? 0) + 1 : 1;
      this.#quickEnds.set(number, quick);
      this.#tellEnd(worker, how, quick, reason);
      await sleep(pauseAfter(quick), undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
    }
  }

  /** Counts a worker in when it listens. Gives the reason if it could not start. */
  async #up(worker: RunningWorker): Promise<string | undefined> {
    try {
      const { port } = await worker.ready;
      if (port !== this.#port) throw new Error(`it listened on port ${port} instead of ${this.#port}`);
      if (this.#stopping.signal.aborted) throw new Error('the gateway stops');
      this.#workers.set(worker.number, worker);
      this.#inspector.join(worker);
      // It was read again while this worker started.
      if (this.#sent.get(worker.number) !== this.#config) this.#sendConfig(worker);
      return undefined;
    } catch (error) {
      worker.kill();
      return error instanceof Error ? error.message : String(error);
    }
  }

  #down(worker: RunningWorker): void {
    if (this.#workers.get(worker.number) === worker) this.#workers.delete(worker.number);
    this.#inspector.leave(worker);
    this.#metrics.end(worker.pid ?? 0);
  }

  #tellEnd({ number, pid }: RunningWorker, how: string, quick: number, reason: string | undefined): void {
    this.#metrics.replaced();
    const fields = { worker: number, pid, how, ...(reason !== undefined && { reason }) };
    if (quick < MANY) {
      this.log.warn(fields, 'a worker ended, with its streams; another takes its place');
      return;
    }
    const message = `a worker ended ${quick} times in a row, right after its start; the next try is in ${pauseAfter(quick) / 1000} s`;
    this.log.error(fields, message);
    const isLost = this.#workers.size === 0 && [...this.#quickEnds.values()].every((ends) => ends >= MANY);
    if (isLost && this.#quickEnds.size === workersOf(this.#config))
      this.#fail(
        new Error(`every worker ended ${MANY} times in a row, right after its start: ${reason ?? how}`),
      );
  }

  async #stop(worker: RunningWorker): Promise<void> {
    const time = this.#config.shutdownSeconds * 1000 + BEYOND;
    const late = setTimeout(() => worker.kill(), time);
    const last = await worker.channel.ask<ProcessValues>('close').catch(() => undefined);
    if (last) this.#metrics.keep(worker.pid ?? 0, last);
    worker.release();
    await worker.ended;
    clearTimeout(late);
  }
}

/** Milliseconds before the next start: none at first, then longer each time. */
function pauseAfter(quickEnds: number): number {
  return quickEnds <= 1 ? 0 : Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (quickEnds - 2));
}
