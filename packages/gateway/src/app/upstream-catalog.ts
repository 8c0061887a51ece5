// What an upstream tells of itself: the list of its models, and by it and by other paths its engine. Both are asked for
// when they are needed and kept for a while; neither is waited for longer than a moment.

import {
  detectEngine,
  type EngineName,
  getJson,
  type UpstreamAddress,
  type UpstreamOptions,
} from '@dragoman/core/bridge';
import type { UpstreamConfig } from '../config/config.js';

export interface ListedModel {
  id: string;
  owner: string;
  /** Seconds since 1970; 0: unknown. */
  created: number;
}

interface UpstreamCatalog {
  /** The models of the upstream; undefined if it gives no list. */
  models(): Promise<ListedModel[] | undefined>;
  /** One of them, also by a name that is not in the list; undefined if the upstream has none of this name. */
  find(id: string): Promise<ListedModel | undefined>;
  /** The engine, as far as it is known. If it is not, it is looked for, and known later. */
  engine(): EngineName | undefined;
  /** Looks for the engine. */
  detect(): Promise<EngineName | undefined>;
}

export interface UpstreamCatalogs {
  /** `clientKey` is sent where the upstream has `passKey`. */
  of(upstream: UpstreamConfig, clientKey?: string): UpstreamCatalog;
}

export interface CatalogOptions {
  transport?: ((upstream: UpstreamConfig) => Partial<UpstreamOptions>) | undefined;
  /** Whether engines are looked for. Default false. */
  detect?: boolean | undefined;
}

/** Catalogs that are kept; each client has its own where an upstream has `passKey`. */
const MOST = 200;

export function createCatalogs(options: CatalogOptions = {}): UpstreamCatalogs {
  const made = new Map<string, UpstreamCatalog>();
  return {
    of(upstream, clientKey) {
      const key = upstream.passKey ? clientKey : upstream.key;
      const name = JSON.stringify([upstream.url, upstream.api, key, upstream.headers]);
      const found = made.get(name) ?? new Catalog(upstream, key, options);
      made.delete(name);
      made.set(name, found);
      const [oldest] = made.keys();
      if (made.size > MOST && oldest !== undefined) made.delete(oldest);
      return found;
    },
  };
}

/** Milliseconds that a list is kept, and the time after which an upstream that gave none is asked again. */
const FRESH = 30_000;
const AGAIN = 5_000;

class Catalog implements UpstreamCatalog {
  readonly #address: UpstreamAddress;
  #list: ListedModel[] | undefined;
  #asking: Promise<unknown> | undefined;
  #next = 0;
  #engine: EngineName | undefined;
  #looking: Promise<EngineName | undefined> | undefined;
  #looks = 0;

  constructor(
    readonly upstream: UpstreamConfig,
    key: string | undefined,
    readonly options: CatalogOptions,
  ) {
    const { url = '', api, headers } = upstream;
    this.#address = {
      url,
      api: api as NonNullable<UpstreamAddress['api']>,
      ...(key !== undefined && { key }),
      headers: { ...headers },
      ...options.transport?.(upstream),
    };
  }

  async models(): Promise<ListedModel[] | undefined> {
    await this.#read();
    return this.#list;
  }

  async find(id: string): Promise<ListedModel | undefined> {
    const listed = (await this.models())?.find((model) => model.id === id);
    // Neither is a name; in an address they mean another place.
    if (listed || id === '.' || id === '..') return listed;
    const found = await getJson(this.#address, `/models/${encodeURIComponent(id)}`);
    const [model] = found ? modelsIn([found.value], this.upstream.name) : [];
    if (model) return model;
    // An upstream that gives no list takes any name, as far as we know.
    return this.#list || found?.status === 404 ? undefined : { id, owner: this.upstream.name, created: 0 };
  }

  engine(): EngineName | undefined {
    if (this.#engine === undefined && this.options.detect && Date.now() >= this.#looks) void this.detect();
    return this.#engine;
  }

  detect(): Promise<EngineName | undefined> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(): Promise<EngineName | undefined> {
    this.#looks = Number.POSITIVE_INFINITY;
    const models = await this.#read();
    const root = { ...this.#address, url: rootOf(this.#address.url) };
    // An upstream that is not up yet is looked at again with a later request.
    if (models === undefined) this.#looks = Date.now() + FRESH;
    else
      this.#engine = (await detectEngine(models, async (path) => (await getJson(root, path))?.value))?.name;
    return this.#engine;
  }

  /** Gives what the upstream answered; undefined if it did not, or failed: engines give 503 while they load a model. */
  #read(): Promise<unknown> {
    if (this.#asking && Date.now() < this.#next) return this.#asking;
    this.#next = Date.now() + FRESH;
    this.#asking = getJson(this.#address, '/models').then((found) => {
      const isList = found?.value !== undefined;
      if (!isList) this.#next = Date.now() + AGAIN;
      // The last list that is known is better than none.
      else this.#list = modelsIn(itemsOf(found.value), this.upstream.name);
      return found && found.status < 500 ? (found.value ?? {}) : undefined;
    });
    return this.#asking;
  }
}

/** The address without the version: engines have their own paths beside it. */
function rootOf(url: string): string {
  return url.replace(/\/v\d+\/?(?=\?|$)/, '');
}

/** The most models of one list, and the longest name. */
const MOST_MODELS = 1000;
const LONGEST_ID = 256;

function itemsOf(value: unknown): unknown[] {
  const { data } = Object(value) as { data?: unknown };
  return Array.isArray(data) ? data.slice(0, MOST_MODELS) : [];
}

function modelsIn(items: readonly unknown[], upstream: string): ListedModel[] {
  return items.flatMap((item) => {
    const { id, owned_by: owner, created } = Object(item) as Record<string, unknown>;
    if (typeof id !== 'string' || id === '' || id.length > LONGEST_ID) return [];
    const seconds = typeof created === 'number' && created >= 0 && created < 1e11 ? Math.floor(created) : 0;
    return [
      { id, owner: typeof owner === 'string' ? owner.slice(0, LONGEST_ID) : upstream, created: seconds },
    ];
  });
}
