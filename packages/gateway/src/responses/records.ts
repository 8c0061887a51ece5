// Responses and their items in a store. Every store key contains the client it belongs to, so that no client can read
// another's.

import { isObject } from '@dragoman/core/internal';
import type { Store } from '../services.js';
import { type Body, idOf, listedItems, responseOfItem } from './items.js';

/** A response with its whole input, earlier responses included: one read is enough to continue from it. */
export interface ResponseRecord {
  response: Body;
  input: unknown[];
}

/** A stored value, and the length of its text. */
export interface Loaded<T> {
  value: T;
  length: number;
}

/**
 * Called with the key and the text of each stored value before it is parsed, which takes time and memory. Throws an
 * ApiError to refuse it.
 */
export type CountStored = (key: string, text: string) => void;

export class Records {
  readonly #scope: string;

  constructor(
    private readonly store: Store,
    private readonly seconds: number,
    client: string | undefined,
    private readonly count: CountStored = () => {},
  ) {
    this.#scope = client === undefined ? '' : `@${encodeURIComponent(client.toWellFormed())}`;
  }

  async response(id: string): Promise<Loaded<ResponseRecord> | undefined> {
    const loaded = await this.#load(this.#key('response', id), id);
    const { response, input } = loaded?.value ?? {};
    if (loaded === undefined || !isObject(response) || !Array.isArray(input)) return undefined;
    return { value: { response, input }, length: loaded.length };
  }

  async item(id: string): Promise<Loaded<Body> | undefined> {
    return (await this.#load(this.#key('item', id), id)) ?? this.#listed(id);
  }

  /** Stores the items first: once the response can be found, its items can be found, too. */
  async put(id: string, record: ResponseRecord, text: string): Promise<void> {
    const items = outputOf(record.response).filter((item) => isId(idOf(item)));
    await Promise.all(
      items.map((item) =>
        this.store.put(this.#key('item', idOf(item) as string), JSON.stringify(item), this.seconds),
      ),
    );
    await this.store.put(this.#key('response', id), text, this.seconds);
  }

  async delete(id: string): Promise<boolean> {
    const record = await this.response(id);
    if (record === undefined) return false;
    const ids = outputOf(record.value.response).map(idOf).filter(isId);
    const deleted = await this.store.delete(this.#key('response', id));
    await Promise.all(ids.map((item) => this.store.delete(this.#key('item', item))));
    return deleted;
  }

  #key(kind: 'response' | 'item', id: string): string {
    return `${kind}:${this.#scope}:${id}`;
  }

  async #load(key: string, id: string): Promise<Loaded<Body> | undefined> {
    if (!isId(id)) return undefined;
    const text = await this.store.get(key);
    if (text === undefined) return undefined;
    this.count(key, text);
    const value = parsed(text);
    return value && { value, length: text.length };
  }

  /** Gives an item of an input by the id under which it was listed. */
  async #listed(id: string): Promise<Loaded<Body> | undefined> {
    const from = responseOfItem(id);
    const record = from === undefined ? undefined : await this.response(from);
    if (from === undefined || record === undefined) return undefined;
    const at = listedItems(record.value.input, from).findIndex((item) => item.id === id);
    const value = record.value.input.filter(isObject)[at];
    return value && { value, length: record.length };
  }
}

export function outputOf(response: Body): unknown[] {
  return Array.isArray(response.output) ? response.output : [];
}

/** Whether this can be an id of ours. Others are not looked up. */
export function isId(id: unknown): id is string {
  return typeof id === 'string' && /^[A-Za-z0-9_-]{1,200}$/.test(id);
}

/** Parses a stored value; undefined if it is not one of ours. */
function parsed(text: string): Body | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
