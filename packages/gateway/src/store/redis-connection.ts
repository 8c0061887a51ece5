// One connection to Redis that reconnects by itself. While it is down, operations wait a little and then fail.
//
// Commands are never queued by the driver, nor sent twice: a queue would grow with every request of an outage, and
// run long after anyone waits.

import type { Redis } from 'ioredis';
import {
  type ConnectionOptions,
  DEFAULT_TIMEOUT,
  loadPeer,
  type StoreAddress,
  storeClosed,
  storeFailed,
  whenReady,
  within,
} from './connection.js';

/** Milliseconds between two attempts to connect, at most. */
const MAX_RETRY_DELAY = 1000;

export class RedisConnection {
  #closed = false;
  /** Why there is no connection; undefined while there is one. */
  #reason: (Error & { code?: string }) | undefined;
  #waiting: Promise<void> | undefined;

  private constructor(
    readonly client: Redis,
    readonly address: StoreAddress,
    readonly options: Required<Pick<ConnectionOptions, 'timeout'>> & ConnectionOptions,
  ) {
    // Without a listener the driver would write to the terminal.
    client.on('error', (error: unknown) => this.#lost(address.errorOf(error)));
    client.on('close', () => this.#lost(this.#reason ?? new Error('the connection was closed')));
    client.on('ready', () => this.#found());
    client.connect().catch(() => {}); // Said by `error`.
  }

  /** Does not wait for the server: operations do. */
  static async open(address: StoreAddress, options: ConnectionOptions): Promise<RedisConnection> {
    const { Redis } = await loadPeer('ioredis', '6', () => import('ioredis'));
    const timeout = options.timeout ?? DEFAULT_TIMEOUT;
    const client = new Redis(address.url, {
      lazyConnect: true,
      protocol: 2,
      connectionName: 'dragoman',
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      connectTimeout: timeout,
      // A server that says nothing while it owes answers is gone, whatever the network says.
      socketTimeout: 2 * timeout,
      retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), MAX_RETRY_DELAY),
    });
    return new RedisConnection(client, address, { ...options, timeout });
  }

  get ready(): boolean {
    return this.client.status === 'ready';
  }

  /** Runs it as soon as there is a connection, and gives up when the time is over. */
  async run<T>(action: (client: Redis) => Promise<T>): Promise<T> {
    if (this.#closed) throw storeClosed();
    try {
      return await whenReady(this.options.timeout, this.#connected(), () => action(this.client));
    } catch (error) {
      throw storeFailed(this.#reason ?? this.address.errorOf(error));
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    if (this.ready) await within(this.options.timeout, this.client.quit()).catch(() => {});
    this.client.disconnect();
  }

  /** One promise for all who wait, however many requests come while there is no connection. */
  #connected(): Promise<void> {
    if (this.ready) return Promise.resolve();
    this.#waiting ??= new Promise((resolve) => this.client.once('ready', resolve));
    return this.#waiting;
  }

  #lost(reason: Error & { code?: string }): void {
    const news = this.#reason === undefined && !this.#closed;
    this.#reason = reason;
    const fields = { store: this.address.shown, reason: reason.message };
    if (news) this.options.log?.warn(fields, 'The connection to the store failed; the gateway retries.');
  }

  #found(): void {
    if (this.#reason) {
      this.options.log?.info({ store: this.address.shown }, 'The store can be reached again.');
    }
    this.#reason = undefined;
    this.#waiting = undefined;
  }
}
