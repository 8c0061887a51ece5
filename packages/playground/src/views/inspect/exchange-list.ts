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

/** Gives the exchanges of a model, '' for any; with `issues` only those with issues, repairs or re-asks. */
export function filtered(
  exchanges: readonly ExchangeSummary[],
  { model, issues }: Pick<InspectState, 'model' | 'issues'>,
): ExchangeSummary[] {
  return exchanges.filter((one) => (model === '' || one.model === model) && (!issues || hasIssues(one)));
}

export function hasIssues({ issues, repairs, reasks, error }: ExchangeSummary): boolean {
  return issues + repairs + reasks > 0 || error !== undefined;
}

export function modelsIn(exchanges: readonly ExchangeSummary[]): string[] {
  return [...new Set(exchanges.flatMap(({ model }) => (model === undefined ? [] : [model])))].sort();
}
