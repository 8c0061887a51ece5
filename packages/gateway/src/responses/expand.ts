// Expands a request that refers to stored items into one that contains them, so that the bridge needs no state.

import { ApiError } from '@dragoman/core';
import { type Body, idOf, isCutCall, isReference, itemsOf } from './items.js';
import { type Loaded, outputOf, type Records } from './records.js';
import { bad, isSaid, refuseUnsupported } from './refuse.js';

export interface ExpandLimits {
  /** The most items in the whole input. */
  items: number;
  /** The most characters that may be taken from the store for one request. */
  characters: number;
}

export interface Expanded {
  body: Body;
  /** The whole input, as items. Undefined if it cannot be read: decoding the request then reports the fault. */
  input?: unknown[];
  previous?: string;
}

/** Instructions and tools are not carried over: each request gives its own, as at OpenAI. */
export async function expand(body: Body, records: Records, limits: ExpandLimits): Promise<Expanded> {
  refuseUnsupported(body);
  const { previous_response_id: previous, ...rest } = body;
  const given = itemsOf(body.input);
  if (given === undefined) return { body: rest };
  const budget = new Budget(limits);
  budget.addItems(given.length, 'input');
  const before = isSaid(previous) ? await itemsBefore(previous, records, budget) : [];
  const input = [...before, ...(await resolved(given, before, records, budget))];
  const changed = isSaid(previous) || given.some(isReference);
  return {
    body: { ...rest, ...(changed && { input }) },
    input,
    ...(typeof previous === 'string' && { previous }),
  };
}

class Budget {
  #items = 0;
  #characters = 0;

  constructor(readonly limits: ExpandLimits) {}

  addItems(count: number, path: string): void {
    this.#items += count;
    if (this.#items > this.limits.items) throw tooLong(path, `${this.limits.items} items`);
  }

  take<T>({ value, length }: Loaded<T>, path: string): T {
    this.#characters += length;
    if (this.#characters > this.limits.characters) {
      throw tooLong(path, `${this.limits.characters} characters of what was kept`);
    }
    return value;
  }
}

async function itemsBefore(id: unknown, records: Records, budget: Budget): Promise<unknown[]> {
  const path = 'previous_response_id';
  if (typeof id !== 'string') throw bad(path, 'expected the id of a response');
  const found = await records.response(id);
  if (found === undefined) {
    const why = 'it may have expired or been deleted, been made with store: false, or belong to another key';
    throw bad(path, `no response with the id ${shown(id)} is kept here; ${why}`);
  }
  const { input, response } = budget.take(found, path);
  const items = [...input, ...outputOf(response).filter((item) => !isCutCall(item))];
  budget.addItems(items.length, path);
  return items;
}

/** References that are looked up at once: few, so that one request does not use up a pool of connections. */
const AT_ONCE = 8;

/** Replaces references by their items. An item that is already in the input is not added again. */
async function resolved(
  given: unknown[],
  before: unknown[],
  records: Records,
  budget: Budget,
): Promise<unknown[]> {
  const present = new Set([...before, ...given.filter((item) => !isReference(item))].map(idOf));
  const wanted = new Map<string, number>();
  for (const [at, item] of given.entries()) {
    if (!isReference(item)) continue;
    if (typeof item.id !== 'string') throw bad(`input[${at}].id`, 'expected the id of an item');
    if (!present.has(item.id) && !wanted.has(item.id)) wanted.set(item.id, at);
  }
  const found = await lookUp([...wanted], records, budget);
  return given.flatMap((item, at) => {
    if (!isReference(item)) return [item];
    return wanted.get(item.id as string) === at ? [found.get(item.id as string)] : [];
  });
}

async function lookUp(
  wanted: [id: string, at: number][],
  records: Records,
  budget: Budget,
): Promise<Map<string, Body>> {
  const found = new Map<string, Body>();
  for (let from = 0; from < wanted.length; from += AT_ONCE) {
    const some = wanted.slice(from, from + AT_ONCE).map(async ([id, at]) => {
      const item = await records.item(id);
      if (item === undefined) {
        const why =
          'send the item itself: it may have expired, been made with store: false, or belong to another key';
        throw bad(`input[${at}].id`, `no item with the id ${shown(id)} is kept here; ${why}`);
      }
      found.set(id, budget.take(item, `input[${at}].id`));
    });
    await Promise.all(some);
  }
  return found;
}

function shown(id: string): string {
  return JSON.stringify(id.length > 80 ? `${id.slice(0, 80)}…` : id);
}

function tooLong(path: string, most: string): ApiError {
  const message = `${path}: the whole input would be longer than ${most}; begin a new conversation, or shorten it`;
  return new ApiError('too-large', message, { path });
}
