import { describe, expect, it } from 'vitest';
import { LONGEST_CALLS, MOST_IN_CALLS } from '../../model/call-limits.js';
import type { AnswerEvent } from '../../model/index.js';
import { ArgumentCount, inPortions } from './portions.js';

const textOf = (events: AnswerEvent[]) => events.map((event) => ('text' in event ? event.text : '')).join('');

describe('portions of what an upstream sends', () => {
  it('are one, the same, for a usual piece', () => {
    const events: AnswerEvent[] = [{ type: 'text-delta', text: 'a' }];
    expect(inPortions(events)).toEqual([events]);
    expect(inPortions([])).toEqual([[]]);
  });

  it('hold all of a long text, in order, with no pair cut in two', () => {
    const text = `a${'😀'.repeat(60_000)}`;
    const events: AnswerEvent[] = [
      { type: 'reasoning-delta', text, member: 'thoughts', choice: 1 },
      { type: 'call-start', id: 'c', name: 'f' },
      { type: 'call-delta', id: 'c', text },
      { type: 'finish', reason: 'stop' },
    ];
    const portions = inPortions(events);
    expect(portions.length).toBeGreaterThan(4);
    for (const portion of portions) {
      expect(portion.length).toBeGreaterThan(0);
      expect(textOf(portion).length).toBeLessThanOrEqual(32 * 1024);
    }
    const all = portions.flat();
    expect(textOf(all)).toBe(text + text);
    for (const event of all) if ('text' in event) expect(event.text.isWellFormed()).toBe(true);
    expect(all.filter((event) => 'member' in event)).toHaveLength(1);
    expect(all.at(-1)?.type).toBe('finish');
    for (const event of all) if (event.type === 'reasoning-delta') expect(event.choice).toBe(1);
  });

  it('hold thousands of events that have no text', () => {
    const events: AnswerEvent[] = Array.from({ length: 9000 }, (_, at) => ({
      type: 'call-end',
      id: `${at}`,
    }));
    const portions = inPortions(events);
    expect(portions.length).toBeGreaterThan(3);
    expect(portions.flat()).toEqual(events);
  });
});

it('the elements of all calls are counted together', () => {
  const count = new ArgumentCount();
  const half = `[${'1,'.repeat(MOST_IN_CALLS / 2)}`;
  expect(count.add({ type: 'text-delta', text: half + half + half })).toBeUndefined();
  expect(count.add({ type: 'call-delta', id: 'a', text: half })).toBeUndefined();
  expect(count.add({ type: 'call-delta', id: 'b', text: `"${half}` })).toBeUndefined();
  expect(count.add({ type: 'call-delta', id: 'b', text: `${half}"` })).toBeUndefined();
  expect(count.add({ type: 'call-delta', id: 'b', text: half })?.message).toContain('12000 elements');
});

it('the characters of all calls are counted together, up to what the options allow one', () => {
  const count = new ArgumentCount();
  const half = 'x'.repeat(LONGEST_CALLS / 2);
  expect(count.add({ type: 'call-delta', id: 'a', text: half })).toBeUndefined();
  expect(count.add({ type: 'call-delta', id: 'b', text: half })).toBeUndefined();
  expect(count.add({ type: 'call-delta', id: 'b', text: 'x' })?.message).toContain('1572864 characters');
  const wide = new ArgumentCount({ members: 2 * MOST_IN_CALLS, argumentLength: 2 * LONGEST_CALLS });
  expect(wide.add({ type: 'call-delta', id: 'a', text: half + half })).toBeUndefined();
  expect(wide.add({ type: 'call-delta', id: 'b', text: `[${'1,'.repeat(MOST_IN_CALLS)}` })).toBeUndefined();
});
