// GET /v1/responses/{id}/input_items: one page of the list (pagination).

import type { Body } from './items.js';
import { bad } from './refuse.js';

const DEFAULT_LIMIT = 20;
const MOST = 100;

/** `limit` (1 to 100, default 20), `order` (`desc`, the default, or `asc`), `after` (an id). */
export function listItems(items: Body[], query: URLSearchParams): Body {
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
