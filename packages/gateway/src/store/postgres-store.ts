// Values in PostgreSQL, in one table. The server's clock decides when their time is over, so that gateways whose
// clocks differ agree.

import type { Store } from '../services.js';
import { type ConnectionOptions, milliseconds, type StoreAddress } from './connection.js';
import { PostgresConnection } from './postgres-connection.js';

export interface PostgresOptions extends ConnectionOptions {
  /** Milliseconds between two removals of what is over. Default 60,000. */
  sweepEvery?: number;
}

// Bytes, not text, which could not hold the character NUL.
const table = {
  name: 'dragoman_store',
  create: `
    create table if not exists dragoman_store (
      key text primary key,
      value bytea not null,
      expires timestamptz not null
    );
    create index if not exists dragoman_store_expires on dragoman_store (expires)`,
};

const sql = {
  get: 'select value from dragoman_store where key = $1 and expires > now()',
  put: `
    insert into dragoman_store (key, value, expires)
    values ($1, $2, now() + $3::bigint * interval '1 millisecond')
    on conflict (key) do update set value = excluded.value, expires = excluded.expires`,
  delete: 'delete from dragoman_store where key = $1 returning expires > now() as alive',
  // Rows that another gateway removes at this moment are left to it.
  sweep: `
    delete from dragoman_store where key in (
      select key from dragoman_store where expires <= now()
      order by expires limit $1 for update skip locked
    )`,
};

/** Rows removed by one statement: few, so that nobody waits for its locks. */
const BATCH = 500;

export class PostgresStore implements Store {
  readonly #timer: NodeJS.Timeout;

  private constructor(
    private readonly connection: PostgresConnection,
    sweepEvery = 60_000,
  ) {
    this.#timer = setInterval(() => void this.sweep().catch(() => {}), sweepEvery);
    this.#timer.unref();
  }

  static async open(address: StoreAddress, options: PostgresOptions): Promise<PostgresStore> {
    return new PostgresStore(await PostgresConnection.open(address, table, options), options.sweepEvery);
  }

  async get(key: string): Promise<string | undefined> {
    const { rows } = await this.connection.query(sql.get, [key]);
    const value = rows[0]?.value;
    return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : undefined;
  }

  async put(key: string, value: string, seconds: number): Promise<void> {
    await this.connection.query(sql.put, [key, Buffer.from(value, 'utf8'), milliseconds(seconds)]);
  }

  async delete(key: string): Promise<boolean> {
    const { rows } = await this.connection.query(sql.delete, [key]);
    return rows[0]?.alive === true;
  }

  async check(): Promise<void> {
    await this.connection.query('select 1', []);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.connection.close();
  }

  /** Removes what is over, in small batches, as long as there is a full one. Gives how many rows went. */
  async sweep(batch = BATCH): Promise<number> {
    let removed = 0;
    for (;;) {
      const { count } = await this.connection.query(sql.sweep, [batch]);
      removed += count;
      if (count < batch) return removed;
    }
  }
}
