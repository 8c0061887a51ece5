// Values in Redis, or what speaks its protocol. Redis itself forgets them when their time is over.

import type { Store } from '../services.js';
import { type ConnectionOptions, milliseconds, type StoreAddress } from './connection.js';
import { RedisConnection } from './redis-connection.js';

const PREFIX = 'dragoman:';

export class RedisStore implements Store {
  private constructor(private readonly connection: RedisConnection) {}

  static async open(address: StoreAddress, options: ConnectionOptions): Promise<RedisStore> {
    return new RedisStore(await RedisConnection.open(address, options));
  }

  async get(key: string): Promise<string | undefined> {
    return (await this.connection.run((redis) => redis.get(PREFIX + key))) ?? undefined;
  }

  async put(key: string, value: string, seconds: number): Promise<void> {
    await this.connection.run((redis) => redis.set(PREFIX + key, value, 'PX', milliseconds(seconds)));
  }

  async delete(key: string): Promise<boolean> {
    return (await this.connection.run((redis) => redis.del(PREFIX + key))) > 0;
  }

  async check(): Promise<void> {
    await this.connection.run((redis) => redis.ping());
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}
