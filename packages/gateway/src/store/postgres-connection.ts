// Connections to PostgreSQL and our tables there. The tables are created on first use, once, even if several gateways
// start together.

import type { Pool } from 'pg';
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

/** The advisory lock that all gateways take before they create tables. */
const LOCK = 4_711_086_017;

/** The error code for a missing table. */
const NO_TABLE = '42P01';

/** Connections of one pool. */
const CONNECTIONS = 8;

export class PostgresConnection {
  #closed = false;
  #failing = false;
  #table: Promise<void> | undefined;

  private constructor(
    readonly pool: Pool,
    readonly address: StoreAddress,
    readonly table: { name: string; create: string },
    readonly options: Required<Pick<ConnectionOptions, 'timeout'>> & ConnectionOptions,
  ) {
    // An idle connection that breaks emits `error`: without a listener the process would exit.
    pool.on('error', (error) => this.#lost(address.errorOf(error)));
  }

  /** Does not wait for the server: operations do. `create` is SQL of ours, never anything from outside. */
  static async open(
    address: StoreAddress,
    table: { name: string; create: string },
    options: ConnectionOptions,
  ): Promise<PostgresConnection> {
    const { Pool } = (await loadPeer('pg', '8', () => import('pg'))).default;
    const timeout = options.timeout ?? DEFAULT_TIMEOUT;
    const pool = new Pool({
      connectionString: address.url,
      application_name: 'dragoman',
      max: CONNECTIONS,
      connectionTimeoutMillis: timeout,
      query_timeout: timeout,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
    });
    return new PostgresConnection(pool, address, table, { ...options, timeout });
  }

  async query(text: string, values: unknown[]): Promise<{ rows: Record<string, unknown>[]; count: number }> {
    const { rows, rowCount } = await this.run((pool) => pool.query(text, values));
    return { rows, count: rowCount ?? 0 };
  }

  /** Runs it with the table in place, and gives up when the time is over. */
  async run<T>(action: (pool: Pool) => Promise<T>): Promise<T> {
    if (this.#closed) throw storeClosed();
    try {
      const result = await whenReady(this.options.timeout, this.#ready(), () => action(this.pool));
      this.#found();
      return result;
    } catch (error) {
      const reason = this.address.errorOf(error);
      if (reason.code === NO_TABLE) this.#table = undefined;
      this.#lost(reason);
      throw storeFailed(reason);
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await within(this.options.timeout, this.pool.end()).catch(() => {});
  }

  #ready(): Promise<void> {
    this.#table ??= this.#makeTable().catch((error) => {
      this.#table = undefined;
      throw error;
    });
    return this.#table;
  }

  /**
   * Looks first: a user without the right to create tables can use an existing one. The statements after the lock are one
   * transaction, at whose end it is given back; `if not exists` alone fails when two create at once.
   */
  async #makeTable(): Promise<void> {
    const { rows } = await this.pool.query('select to_regclass($1) is not null as there', [this.table.name]);
    if (rows[0]?.there === true) return;
    await this.pool.query(`select pg_advisory_xact_lock(${LOCK}); ${this.table.create}`);
  }

  #lost(reason: Error): void {
    const fields = { store: this.address.shown, reason: reason.message };
    if (!this.#failing && !this.#closed)
      this.options.log?.warn(fields, 'The store failed; the gateway retries.');
    this.#failing = true;
  }

  #found(): void {
    if (this.#failing)
      this.options.log?.info({ store: this.address.shown }, 'The store can be reached again.');
    this.#failing = false;
  }
}
