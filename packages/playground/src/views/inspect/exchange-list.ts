// The list of exchanges as it changes: newest first, no longer than the gateway keeps it.

import type { ExchangeSummary, InspectorEvent } from '@dragoman/gateway';
import type { ExchangeList } from '../../gateway/gateway.js';
import type { InspectState } from './state.js';

/** The most exchanges that are drawn, however many the gateway keeps. */
const MAX_SHOWN = 500;

export function withEvent(list: ExchangeList, event: InspectorEvent): ExchangeList {
  if (!('exchange' in event)) return list;
  const { id, exchange } = event;
  const at = list.exchanges.findIndex((one) => one.id === id);
  if (at >= 0) return { ...list, exchanges: list.exchanges.with(at, exchange) };
  // Another event of an exchange that is no longer kept.
  if (event.type !== 'exchange-begin') return list;
  return { ...list, exchanges: [exchange, ...list.exchanges].slice(0, Math.min(list.keep, MAX_SHOWN)) };
}

/** Cuts the list to the exchanges that are drawn. */
export function bounded({ keep, exchanges }: ExchangeList): ExchangeList {
  return { keep, exchanges: exchanges.slice(0, MAX_SHOWN) };
}

/** Milliseconds to the first byte from which an answer counts as slow. */
const SLOW = 5000;

/** Gives the exchanges that pass all filters. '' passes everything; the search looks in names and ids. */
export function filtered(
  exchanges: readonly ExchangeSummary[],
  { model, by, search, issues, slow }: Omit<InspectState, 'id'>,
): ExchangeSummary[] {
  const wanted = search.trim().toLowerCase();
  return exchanges.filter(
    (one) =>
      (model === '' || one.model === model) &&
      (by === '' || one.key === by) &&
      (!issues || hasIssues(one)) &&
      (!slow || (one.firstByte ?? one.duration ?? 0) >= SLOW) &&
      (wanted === '' || wordsIn(one).includes(wanted)),
  );
}

function wordsIn({ id, model, dialect, upstream, key, api, error }: ExchangeSummary): string {
  return [id, model, dialect, upstream, key, api, error?.code, error?.message].join(' ').toLowerCase();
}

function hasIssues({ issues, repairs, reasks, error }: ExchangeSummary): boolean {
  return issues + repairs + reasks > 0 || error !== undefined;
}

/** Gives the values of a member that occur, sorted. */
export function valuesIn(exchanges: readonly ExchangeSummary[], name: 'model' | 'key'): string[] {
  return [...new Set(exchanges.flatMap((one) => one[name] ?? []))].sort();
}

export type ExchangeTone = 'good' | 'mended' | 'bad' | 'calm';

export function toneOf(exchange: ExchangeSummary): ExchangeTone {
  if (exchange.open) return 'calm';
  if (exchange.error || exchange.issues > 0) return 'bad';
  return hasIssues(exchange) ? 'mended' : 'good';
}
