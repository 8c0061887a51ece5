import type { ExchangeSummary, InspectorEvent } from '@dragoman/gateway';
import { describe, expect, it } from 'vitest';
import { bounded, filtered, valuesIn, withEvent } from './exchange-list.js';
import { type InspectState, toInspectState } from './state.js';

const one = (id: string, more: Partial<ExchangeSummary> = {}): ExchangeSummary => ({
  id,
  time: '2026-01-01T00:00:00.000Z',
  api: 'chat',
  open: true,
  received: 0,
  calls: 0,
  issues: 0,
  repairs: 0,
  reasks: 0,
  ...more,
});
const event = (type: 'begin' | 'progress' | 'end', exchange: ExchangeSummary): InspectorEvent => ({
  type: `exchange-${type}`,
  id: exchange.id,
  exchange,
});
const ids = ({ exchanges }: { exchanges: ExchangeSummary[] }) => exchanges.map(({ id }) => id);

describe('the list of exchanges', () => {
  it('has the newest first, and no more than the gateway keeps', () => {
    let list = { keep: 3, exchanges: [one('a')] };
    for (const id of ['b', 'c', 'd']) list = withEvent(list, event('begin', one(id)));
    expect(ids(list)).toEqual(['d', 'c', 'b']);
  });

  it('changes an exchange where it stands while it goes on', () => {
    const list = { keep: 3, exchanges: [one('b'), one('a')] };
    const next = withEvent(list, event('progress', one('a', { received: 40, calls: 1 })));
    expect(ids(next)).toEqual(['b', 'a']);
    expect(next.exchanges[1]).toMatchObject({ received: 40, calls: 1 });
    expect(list.exchanges[1]?.received).toBe(0);
  });

  it('does not bring back one that is no longer kept, and passes over what is not for it', () => {
    const list = { keep: 1, exchanges: [one('b')] };
    expect(withEvent(list, event('end', one('a', { open: false })))).toBe(list);
    expect(withEvent(list, { type: 'dropped', count: 2 })).toBe(list);
  });

  it('is right in the end where the stream tells again what the list already says', () => {
    const events = [
      event('begin', one('b')),
      event('progress', one('b', { received: 5 })),
      event('end', one('b', { received: 9, open: false })),
      event('begin', one('c')),
    ];
    const live = events.reduce(withEvent, { keep: 5, exchanges: [one('a')] });
    for (let seen = 0; seen <= events.length; seen++) {
      const fetched = events.slice(0, seen).reduce(withEvent, { keep: 5, exchanges: [one('a')] });
      expect(events.reduce(withEvent, fetched)).toEqual(live);
    }
  });

  it('is bounded, however many the gateway keeps', () => {
    const many = Array.from({ length: 5000 }, (_, at) => one(`e${at}`));
    const list = withEvent(bounded({ keep: 5000, exchanges: many }), event('begin', one('new')));
    expect(list.exchanges).toHaveLength(500);
    expect(list.exchanges[0]?.id).toBe('new');
  });

  it('is filtered by model, key, words, slowness, and by whether something was wrong', () => {
    const list = [
      one('a', { model: 'x', key: 'team' }),
      one('b', { model: 'y', repairs: 1, firstByte: 7000 }),
      one('c', { model: 'x', error: { code: 'upstream-failed', message: 'gone' } }),
      one('d'),
    ];
    const found = (more: Partial<InspectState>) =>
      filtered(list, { ...toInspectState({}), ...more }).map(({ id }) => id);
    expect(found({})).toEqual(['a', 'b', 'c', 'd']);
    expect(found({ model: 'x' })).toEqual(['a', 'c']);
    expect(found({ issues: true })).toEqual(['b', 'c']);
    expect(found({ by: 'team' })).toEqual(['a']);
    expect(found({ slow: true })).toEqual(['b']);
    expect(found({ search: ' UPSTREAM-failed ' })).toEqual(['c']);
    expect(found({ search: 'nothing like it' })).toEqual([]);
    expect(valuesIn(list, 'model')).toEqual(['x', 'y']);
    expect(valuesIn(list, 'key')).toEqual(['team']);
  });
});
