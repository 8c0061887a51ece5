// Health checks on a port of their own, answered by a thread: they wait neither behind thousands of connections on the
// gateway's port nor for a busy main thread. Whether the main thread still works, the thread sees by a count that goes on.

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { GatewayConfig } from '../config/config.js';
import type { SecretLog } from '../observability/index.js';

/** The places of `beats`: a count that the main thread raises, and 1 when the gateway closes. */
export const COUNT = 0;
export const CLOSING = 1;
const PLACES = 2;

/** The code of the error where the port cannot be had. */
const HEALTH_PORT = 'HEALTH_PORT';

/** Milliseconds between two beats, and without one after which the main thread is stuck. */
const BEAT = 250;
const STUCK = 15_000;

/** Milliseconds before a thread that ended is started again. */
const PAUSE = 1000;

const THREAD = fileURLToPath(new URL('./health-thread.js', import.meta.url));

export interface HealthStart {
  host: string;
  port: number;
  /** In memory that both threads share. */
  beats: Int32Array;
  stuck: number;
}

/** What the thread says first: where it listens, or why not. Later it says what failed, such as taking a connection. */
export type HealthReady = { port: number } | { code: string };

export interface HealthPort {
  /** Health checks get 503 from now on. */
  drain(): void;
  close(): Promise<void>;
}

/** Undefined where the configuration names no port. Rejects if the port cannot be had. */
export async function openHealthPort(
  { host, healthPort }: Pick<GatewayConfig, 'host' | 'healthPort'>,
  log: SecretLog,
): Promise<HealthPort | undefined> {
  if (healthPort === undefined) return undefined;
  if (!existsSync(THREAD)) throw new Error('healthPort needs the built package: npm run build');
  const port = new ThreadedPort(host, log);
  try {
    await port.start(healthPort);
    return port;
  } catch (error) {
    await port.close();
    throw error;
  }
}

class ThreadedPort implements HealthPort {
  readonly #beats = new Int32Array(new SharedArrayBuffer(PLACES * Int32Array.BYTES_PER_ELEMENT));
  readonly #timer = setInterval(() => Atomics.add(this.#beats, COUNT, 1), BEAT).unref();
  #thread: Worker | undefined;
  #isClosed = false;

  constructor(
    readonly host: string,
    readonly log: SecretLog,
  ) {}

  async start(wanted: number): Promise<void> {
    const workerData: HealthStart = { host: this.host, port: wanted, beats: this.#beats, stuck: STUCK };
    const thread = new Worker(THREAD, { workerData, resourceLimits: { maxOldGenerationSizeMb: 32 } });
    this.#thread = thread;
    const exited = once(thread, 'exit').then(() => [{ code: 'the thread ended' }]);
    const [ready] = (await Promise.race([once(thread, 'message'), exited])) as [HealthReady];
    if ('code' in ready) {
      await thread.terminate();
      const message = `cannot listen on the healthPort ${wanted} of ${this.host} (${ready.code})`;
      throw Object.assign(new Error(message), { code: HEALTH_PORT });
    }
    thread.on('message', (later: HealthReady) => {
      if ('code' in later) this.log.error({ error: later.code }, 'the port of healthPort failed');
    });
    thread.on('error', (error) =>
      this.log.error({ error: String(error) }, 'the thread of healthPort failed'),
    );
    thread.once('exit', () => void this.#again(ready.port));
    thread.unref();
    this.log.info({ port: ready.port }, 'health checks have a port of their own');
  }

  async #again(port: number): Promise<void> {
    if (this.#isClosed) return;
    this.log.warn({ port }, 'the thread of healthPort ended; another takes its place');
    for (let isThere = false; !isThere; ) {
      await sleep(PAUSE, undefined, { ref: false });
      if (this.#isClosed) return;
      isThere = await this.start(port).then(
        () => true,
        (error) => {
          this.log.error({ error: String(error) }, 'there is no healthPort now; it is tried again');
          return false;
        },
      );
    }
  }

  drain(): void {
    Atomics.store(this.#beats, CLOSING, 1);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#thread?.terminate();
  }
}
