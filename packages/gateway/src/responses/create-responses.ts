// Stored responses: `previous_response_id`, `store` and `item_reference`, at the level of JSON values. A request is
// expanded before it is decoded, and its response is stored before it is written. The bridge between them has no state.
//
//   body ──expand──> expanded.body ──the bridge──> response ──expanded.keep──> response, as the client sees it

import { ApiError } from '@dragoman/core';
import { isLongJson, isObject, jsonPieces } from '@dragoman/core/internal';
import type { Log, Store } from '../services.js';
import { type Expanded, type ExpandLimits, expand } from './expand.js';
import { type Body, listedItems } from './items.js';
import { type CountStored, isId, Records } from './records.js';
import { bad, nothingKept, refuse } from './refuse.js';

export interface ResponsesOptions {
  log?: Log;
  /** The most items in the whole input of one request, stored ones included. Default 10,000. */
  items?: number;
  /** The most characters that one request takes from the store, or one response with its input may have. Default 32 Mi. */
  characters?: number;
}

export interface Responses {
  /** Gives the responses of one client, named by its key; undefined where there are no keys. */
  of(client: string | undefined, count?: CountStored): ClientResponses;
}

export interface ClientResponses {
  /** Throws an ApiError with the path of the member if an id is unknown, or the store is missing or unreachable. */
  expand(body: unknown): Promise<ExpandedRequest>;
  /** GET /v1/responses/{id} */
  get(id: string): Promise<Body>;
  /** DELETE /v1/responses/{id} */
  delete(id: string): Promise<Body>;
  /** GET /v1/responses/{id}/input_items */
  inputItems(id: string, query?: URLSearchParams): Promise<Body>;
}

/** A request with every id replaced by the items it refers to; its answer can be stored. */
export interface ExpandedRequest {
  /** The body without references. */
  body: unknown;
  /**
   * Stores the response with its whole input, unless `store` is false or the response failed, and gives it as the client
   * is to see it. Never throws: a response that could not be stored has `store: false`, and the log has the reason.
   */
  keep(response: Body): Promise<Body>;
  /** Gives a response that is not complete yet, or has failed, as the client is to see it. */
  show(response: Body): Body;
}

const DEFAULTS = { items: 10_000, characters: 32 * 1024 * 1024 };

/** Without a store, every request that needs one is refused, with a message on what to configure. */
export function createResponses(
  store: Store | undefined,
  seconds: number,
  options: ResponsesOptions = {},
): Responses {
  if (store === undefined) return { of: () => keepsNothing };
  const limits = { ...DEFAULTS, ...options };
  return {
    of: (client, count) => new KeptResponses(new Records(store, seconds, client, count), limits, store),
  };
}

const keepsNothing: ClientResponses = {
  async expand(body) {
    refuse(body);
    return unkeptRequest(body);
  },
  get: () => Promise.reject(nothingKept()),
  delete: () => Promise.reject(nothingKept()),
  inputItems: () => Promise.reject(nothingKept()),
};

function unkeptRequest(body: unknown): ExpandedRequest {
  return { body, keep: async (response) => response, show: (response) => response };
}

class KeptResponses implements ClientResponses {
  constructor(
    private readonly records: Records,
    private readonly limits: ExpandLimits & ResponsesOptions,
    private readonly store: Pick<Store, 'check'>,
  ) {}

  async expand(body: unknown): Promise<ExpandedRequest> {
    if (!isObject(body)) return unkeptRequest(body);
    if (body.store === true) await this.#promise();
    const expanded = await expand(body, this.records, this.limits);
    return new KeptRequest(expanded, this.records, this.limits);
  }

  async get(id: string): Promise<Body> {
    return (await this.#found(id)).response;
  }

  async delete(id: string): Promise<Body> {
    if (!(await this.records.delete(id))) throw notFound();
    return { id, object: 'response', deleted: true };
  }

  async inputItems(id: string, query = new URLSearchParams()): Promise<Body> {
    return listItems(listedItems((await this.#found(id)).input, id), query);
  }

  /** Throws before the model is asked if the store is down. Only for `store: true`: by default storing may fail. */
  async #promise(): Promise<void> {
    try {
      await this.store.check();
    } catch (cause) {
      const message =
        'store: true was given, but the store of this gateway cannot be reached; try again later, or with store: false.';
      throw new ApiError('overloaded', message, { path: 'store', retryAfter: 1, cause });
    }
  }

  async #found(id: string) {
    const record = await this.records.response(id);
    if (record === undefined) throw notFound();
    return record.value;
  }
}

class KeptRequest implements ExpandedRequest {
  readonly body: Body;
  readonly #wanted: boolean;

  constructor(
    private readonly expanded: Expanded,
    private readonly records: Records,
    private readonly limits: ExpandLimits & ResponsesOptions,
  ) {
    const { body } = expanded;
    this.#wanted = (body.store ?? true) === true;
    // Given explicitly, so that the answer has it as well.
    this.body = this.#wanted ? { ...body, store: true } : body;
  }

  async keep(response: Body): Promise<Body> {
    const shown = this.show(response);
    if (!this.#wanted || shown.status === 'failed') return shown;
    const reason = await this.#put({ ...shown, store: true });
    if (reason === undefined) return { ...shown, store: true };
    this.limits.log?.warn({ response: response.id, reason }, 'A response was not stored.');
    return { ...shown, store: false };
  }

  show(response: Body): Body {
    const { previous } = this.expanded;
    return {
      ...response,
      ...(previous !== undefined && { previous_response_id: previous }),
      ...(this.#wanted && response.status === 'failed' && { store: false }),
    };
  }

  /** Stores the response. Gives the reason if it could not be stored. */
  async #put(response: Body): Promise<string | undefined> {
    const { id } = response;
    const { input } = this.expanded;
    if (!isId(id) || input === undefined) return 'it has no id, or no input';
    const record = { response, input };
    // JSON.stringify would make a long text of thousands of pieces, and join them later.
    const text = isLongJson(record) ? [...jsonPieces(record)].join('') : JSON.stringify(record);
    if (text.length > this.limits.characters) return `it is longer than ${this.limits.characters} characters`;
    try {
      await this.records.put(id, record, text);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}

function notFound(): ApiError {
  const why = 'it may have expired or been deleted, been made with store: false, or belong to another key';
  return new ApiError('not-found', `No such response is kept here; ${why}.`);
}

const DEFAULT_LIMIT = 20;
const MOST = 100;

/** `limit` (1 to 100, default 20), `order` (`desc`, the default, or `asc`), `after` (an id). */
function listItems(items: Body[], query: URLSearchParams): Body {
  const limit = limitOf(query.get('limit'));
  const ordered = orderOf(query.get('order')) === 'asc' ? items : items.toReversed();
  const from = startOf(ordered, query.get('after'));
  const data = ordered.slice(from, from + limit);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: from + limit < ordered.length,
  };
}

function limitOf(text: string | null): number {
  if (text === null) return DEFAULT_LIMIT;
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MOST) return limit;
  throw bad('limit', `expected a whole number from 1 to ${MOST}`);
}

function orderOf(text: string | null): 'asc' | 'desc' {
  if (text === null || text === 'desc') return 'desc';
  if (text === 'asc') return 'asc';
  throw bad('order', "expected 'asc' or 'desc'");
}

function startOf(items: Body[], after: string | null): number {
  if (after === null) return 0;
  const at = items.findIndex((item) => item.id === after);
  if (at >= 0) return at + 1;
  throw bad('after', 'expected the id of an item in this list');
}
