import type { ExchangeSummary, InspectorEvent } from '@dragoman/gateway';
import { describe, expect, it } from 'vitest';
import { LiveOutput } from './live-output.js';

const place = (id: string, attempt = 1) => ({ id, at: 0, choice: 0, attempt });
const asked = (id: string, attempt = 1): InspectorEvent => ({
  type: 'upstream-request',
  sent: { prompt: '' },
  settings: {},
  ...place(id, attempt),
});
const wrote = (id: string, text: string, attempt = 1): InspectorEvent => ({
  type: 'upstream-text',
  ...place(id, attempt),
  text,
});
const told = (type: 'exchange-model' | 'exchange-end', id: string): InspectorEvent => ({
  type,
  id,
  exchange: { id, dialect: 'hermes' } as ExchangeSummary,
});

function after(...events: InspectorEvent[]) {
  const output = new LiveOutput();
  for (const event of events) output.add(event);
  return output.state();
}

describe('what a model writes now', () => {
  it('grows, with the dialect and the tools of its exchange', () => {
    const request = { conversation: { tools: [{ name: 'look' }] } };
    const state = after(
      { type: 'request', id: 'a', at: 0, request },
      told('exchange-model', 'a'),
      asked('a'),
      wrote('a', 'Hel'),
      wrote('a', 'lo'),
    );
    expect(state).toMatchObject({ text: 'Hello', dialect: 'hermes', thinking: false });
    expect(JSON.parse(state?.tools ?? '')).toEqual([{ name: 'look' }]);
  });

  it('is still being written until its exchange ends, and keeps the ends of its pieces', () => {
    const begun = [asked('a'), wrote('a', 'Hel'), wrote('a', 'lo')];
    expect(after(...begun)).toMatchObject({ growing: true, ends: [3, 5] });
    expect(after(...begun, told('exchange-end', 'a'))).not.toHaveProperty('growing');
  });

  it('is one answer at a time: another one waits until it is over', () => {
    const both = [asked('a'), asked('b'), wrote('b', 'B'), wrote('a', 'A')];
    expect(after(...both)?.text).toBe('A');
    expect(after(...both, told('exchange-end', 'a'), wrote('b', 'B'))?.text).toBe('A');
    expect(after(...both, told('exchange-end', 'a'), asked('c'), wrote('c', 'C'))?.text).toBe('C');
  });

  it('begins anew where the model is asked again', () => {
    expect(after(asked('a'), wrote('a', 'wrong'), asked('a', 2), wrote('a', 'right', 2))?.text).toBe('right');
  });

  it('begins inside reasoning where its first character was read so', () => {
    const event = { type: 'reasoning-delta', range: [0, 3], text: 'Hm.' };
    expect(after(asked('a'), { type: 'parse', ...place('a'), event })?.thinking).toBe(true);
    const later = { type: 'reasoning-delta', range: [7, 10], text: 'Hm.' };
    expect(after(asked('a'), { type: 'parse', ...place('a'), event: later })?.thinking).toBe(false);
  });

  it('passes over what it does not know', () => {
    expect(after(asked('a'), { type: 'answer', id: 'a' } as never, wrote('a', 'A'))?.text).toBe('A');
  });

  it('is nothing before a model was asked', () => {
    expect(after(told('exchange-model', 'a'), wrote('a', 'late'))).toBeUndefined();
  });
});
