// A store in the memory of this process: for one gateway, lost when it stops.

import { ApiError, UsageError } from '@dragoman/core';
import type { Store } from '../services.js';
import { storeClosed } from './connection.js';

export interface MemoryOptions {
  /** Default 100,000. */
  entries?: number;
  /** Of keys and values together, counted as two a character, which is the most they take. Default 256 MiB. */
  bytes?: number;
  /** Milliseconds since any fixed point. Default: the machine's clock. */
  now?: () => number;
}

interface MemoryEntry {
  value: string;
  bytes: number;
  expires: number;
}

export class MemoryStore implements Store {
  /** The oldest first. */
  readonly #entries = new Map<string, MemoryEntry>();
  readonly #most: Required<MemoryOptions>;
  #bytes = 0;
  #closed = false;

  constructor(options: MemoryOptions = {}) {
    const { entries = 100_000, bytes = 256 * 1024 * 1024, now = Date.now } = options;
    this.#most = { entries, bytes, now };
  }

  async get(key: string): Promise<string | undefined> {
    this.#open();
    return this.#alive(key)?.value;
  }

  async put(key: string, value: string, seconds: number): Promise<void> {
    this.#open();
    const bytes = 2 * (key.length + value.length);
    if (bytes > this.#most.bytes) throw tooLarge(bytes, this.#most.bytes);
    this.#drop(key);
    this.#entries.set(key, { value, bytes, expires: this.#most.now() + seconds * 1000 });
    this.#bytes += bytes;
    this.#makeRoom();
  }

  async delete(key: string): Promise<boolean> {
    this.#open();
    const alive = this.#alive(key) !== undefined;
    this.#drop(key);
    return alive;
  }

  async check(): Promise<void> {
    this.#open();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#entries.clear();
    this.#bytes = 0;
  }

  #open(): void {
    if (this.#closed) throw storeClosed();
  }

  #alive(key: string): MemoryEntry | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.expires > this.#most.now()) return entry;
    this.#drop(key);
    return undefined;
  }

  /** Moves the entries that expire first to the front, so that they are evicted first. */
  #makeRoom(): void {
    for (const [key, { expires }] of this.#entries) {
      const full = this.#entries.size > this.#most.entries || this.#bytes > this.#most.bytes;
      if (!full && expires > this.#most.now()) return;
      this.#drop(key);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}

/** `memory:?entries=1000&bytes=1000000`. */
export function memoryOptionsOf(url: string): MemoryOptions {
  const options: MemoryOptions = {};
  for (const [name, text] of new URL(url).searchParams) {
    const value = Number(text);
    const known = name === 'entries' || name === 'bytes';
    if (!known || !Number.isSafeInteger(value) || value < 1) {
      const message = `expected 'memory:' with entries=… and bytes=… as whole numbers, found ${name}=${text}`;
      throw new UsageError('bad-options', message, 'store.url');
    }
    options[name] = value;
  }
  return options;
}

function tooLarge(bytes: number, most: number): ApiError {
  const message = `A value of ${bytes} bytes does not fit the store of this gateway, which holds ${most}.`;
  return new ApiError('too-large', message);
}
