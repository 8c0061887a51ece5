// The lane for large requests: a thread with a gateway of its own, started with the first large request. A request of
// thousands of messages takes seconds of processor time; here it delays other large ones only. A body that fills the
// memory ends the thread and not the process.
//
//   request ──> this thread: key, limits, reads and counts the body ──> small: answers it
//                     │  bytes, moved                                      ^
//                     v                                                    │ text, piece by piece
//                  the lane: parses, asks the model, encodes ──────────────┘

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { ApiError } from '@dragoman/core';
import { type Reply, type ReplyStream, unlessAborted } from '@dragoman/core/bridge';
import type { AppRequest } from '../app/app-request.js';
import type { RequestBody } from '../app/request-body.js';
import type { RequestLane } from '../app/request-lane.js';
import type { GatewayConfig } from '../config/config.js';
import type { InspectorView, Metrics } from '../observability/index.js';
import { laterTurn } from '../server/fair-turns.js';
import type { ServeOptions } from '../server/serve.js';
import type { Log, Store } from '../services.js';
import { Channel } from './channel.js';
import { LaneViews } from './lane-views.js';
import { type PlainConfig, toPlainConfig } from './plain-config.js';
import { toPlainError } from './plain-error.js';
import { ConfigSender } from './sent-config.js';
import { ThreadPeer } from './thread-peer.js';
import { storeAnswers } from './worker-store.js';

/** What the thread has to know to start. Its configuration follows. */
export interface LaneStart {
  worker: number | undefined;
  detect: boolean;
  /** Lines of the log are sent here; otherwise the thread writes them to standard output. */
  sendsLog: boolean;
}

/** A large request, as the thread gets it. */
export interface LaneQuestion {
  id: number;
  method: string;
  path: string;
  search: string;
  address: string | undefined;
  headers: Record<string, string>;
  body: Uint8Array[];
}

/** `body` is absent where a stream follows, or a whole answer in pieces. */
export interface LaneReply extends Omit<Reply, 'body'> {
  body?: string;
}

export interface LanePiece {
  text: string;
  /** Characters that the thread keeps in memory for those that follow. */
  held: number;
}

interface LaneShare {
  store: Store | undefined;
  log: Log;
  config(): GatewayConfig;
}

export interface Lane extends RequestLane {
  joinMetrics(own: Metrics): Metrics;
  joinInspector(own: InspectorView): InspectorView;
  /** Gives the lane what it shares with this thread. */
  share(shared: LaneShare): void;
  reload(config: GatewayConfig): void;
  close(): Promise<void>;
}

const THREAD = fileURLToPath(new URL('./lane-thread.js', import.meta.url));

/** Megabytes for new objects of the thread, a quarter of what Node allows: they are mostly garbage. */
const YOUNG = 12;

/** Milliseconds for the thread to close what it has open. */
const PATIENCE = 2000;

export function createLane(config: GatewayConfig, options: ServeOptions, worker: number | undefined): Lane {
  return new LargeLane(config, options, worker);
}

interface LaneThread {
  worker: Worker;
  channel: Channel;
  configs: ConfigSender;
}

class LargeLane implements Lane {
  isOpen: boolean;
  readonly #views = new LaneViews();
  #thread: LaneThread | undefined;
  #store: Store | undefined;
  #log: Log | undefined;
  #config: () => GatewayConfig;
  /** A configuration that the thread has not been sent yet. */
  #next: GatewayConfig | undefined;
  #asked = 0;
  /** Ends the requests that wait for the thread to have its configuration. */
  #aborter = new AbortController();
  #closed = false;

  constructor(
    readonly first: GatewayConfig,
    readonly options: ServeOptions,
    readonly worker: number | undefined,
  ) {
    this.#config = () => first;
    this.isOpen = canRun(first);
  }

  share({ store, log, config }: LaneShare): void {
    this.#store = store;
    this.#log = log;
    this.#config = config;
  }

  joinMetrics(own: Metrics): Metrics {
    return this.#views.metrics(own);
  }

  joinInspector(own: InspectorView): InspectorView {
    return this.#views.inspector(own);
  }

  async answer(request: AppRequest, { segments }: Pick<RequestBody, 'segments'>): Promise<Reply> {
    if (this.#closed) throw ended();
    const { channel, configs } = this.#started();
    this.#sendNext();
    // The thread does not know of this request yet, so it cannot end it.
    if (configs.sent) await unlessAborted(configs.sent, this.#aborter.signal);
    const id = ++this.#asked;
    const { method, path, search, address } = request;
    // A piece of the connection shares its memory with others.
    const body = segments.map((bytes) => (Buffer.isBuffer(bytes) ? new Uint8Array(bytes) : bytes));
    const question: LaneQuestion = { id, method, path, search, address, headers: request.headers(), body };
    const answer = channel.ask<LaneReply>('answer', question);
    // Behind the question: a client that has left already is told of at once.
    request.onLeave(() => channel.tell('leave', id));
    const reply = await answer.catch(() => Promise.reject(ended()));
    return { ...reply, body: reply.body ?? new LaneStream(channel, id) };
  }

  abort(reason: ApiError): void {
    this.#aborter.abort(reason);
    this.#aborter = new AbortController();
    this.#thread?.channel.tell('abort', toPlainError(reason));
  }

  /** In turns of their own, but before the next request: to copy 20,000 models takes as long as to apply them. */
  reload(config: GatewayConfig): void {
    // Else it would answer with the old one.
    this.isOpen = canRun(config);
    if (!this.#thread || !this.isOpen) return;
    this.#next = config;
    setImmediate(() => this.#sendNext());
  }

  #sendNext(): void {
    if (this.#next) this.#thread?.configs.send(this.#plain(this.#next));
    this.#next = undefined;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#thread?.channel.ask('close', undefined, PATIENCE).catch(() => {});
    await this.#thread?.worker.terminate();
  }

  /** All that is fixed at the start is that of the first configuration: the seal key. */
  #plain(config: GatewayConfig): PlainConfig {
    const { sealKey } = this.first;
    return toPlainConfig({ ...config, ...(sealKey !== undefined && { sealKey }) });
  }

  #started(): LaneThread {
    this.#thread ??= this.#start();
    return this.#thread;
  }

  #start(): LaneThread {
    const { detect = false, write } = this.options;
    const start: LaneStart = { worker: this.worker, detect, sendsLog: write !== undefined };
    const worker = new Worker(THREAD, {
      workerData: start,
      resourceLimits: {
        maxOldGenerationSizeMb: getHeapStatistics().heap_size_limit / 2 ** 20,
        maxYoungGenerationSizeMb: YOUNG,
      },
    });
    const channel = new Channel(new ThreadPeer(worker), {
      ...(this.#store && storeAnswers(this.#store)),
      ...this.#views.answers,
      log: (line: string) => write?.(line),
    });
    // Without a listener an error of the thread would be one of the process. Its exit follows.
    worker.on('error', () => {});
    worker.once('exit', () => {
      this.#thread = undefined;
      this.#views.leave();
    });
    worker.unref();
    this.#views.join(channel);
    const configs = new ConfigSender(channel, laterTurn, (error) => {
      this.isOpen = false;
      const message =
        'the second thread did not take the configuration, so large requests are answered in the first';
      this.#log?.error({ error: String(error) }, message);
      void worker.terminate();
    });
    configs.send(this.#plain(this.#config()));
    return { worker, channel, configs };
  }
}

function canRun(config: GatewayConfig): boolean {
  return existsSync(THREAD) && isPlain(config);
}

/** Whether the configuration can be sent to a thread. */
function isPlain(config: GatewayConfig): boolean {
  try {
    toPlainConfig(config);
    return true;
  } catch {
    return false;
  }
}

class LaneStream implements ReplyStream {
  held = 0;

  constructor(
    readonly channel: Channel,
    readonly id: number,
  ) {}

  async next(): Promise<string | undefined> {
    const piece = await this.channel.ask<LanePiece | undefined>('next', this.id);
    this.held = piece?.held ?? 0;
    return piece?.text;
  }

  cancel(): void {
    this.channel.tell('leave', this.id);
  }
}

function ended(): ApiError {
  const message = 'The thread that answers large requests has ended, perhaps for want of memory; try again.';
  return new ApiError('overloaded', message, { retryAfter: 2 });
}
