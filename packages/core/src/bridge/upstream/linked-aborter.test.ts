import { expect, it } from 'vitest';
import { countedSignal } from './counted-signal.fixture.js';
import { LinkedAborter } from './on-abort.js';

it('is aborted by the other, with its reason', () => {
  const { aborter, signal } = countedSignal();
  const linked = new LinkedAborter(signal);
  expect(linked.signal.aborted).toBe(false);
  aborter.abort('why');
  expect(linked.signal.reason).toBe('why');
});

it('is aborted from the start by one that is', () => {
  expect(new LinkedAborter(AbortSignal.abort('before')).signal.reason).toBe('before');
});

it('does not abort the other, and keeps its own first reason', () => {
  const { aborter, signal } = countedSignal();
  const linked = new LinkedAborter(signal);
  linked.abort('mine');
  expect(signal.aborted).toBe(false);
  aborter.abort('late');
  expect(linked.signal.reason).toBe('mine');
});

it('is aborted with all others that follow the same one, which has one listener for all of them', () => {
  const { aborter, signal, listeners } = countedSignal();
  const linked = Array.from({ length: 100 }, () => new LinkedAborter(signal));
  expect(listeners()).toBe(1);
  aborter.abort('why');
  expect(linked.every((one) => one.signal.reason === 'why')).toBe(true);
});

it('is not aborted by the other once it has let go', () => {
  const { aborter, signal, listeners } = countedSignal();
  const linked = Array.from({ length: 100 }, () => new LinkedAborter(signal));
  for (const one of linked) one.letGo();
  expect(listeners()).toBe(1);
  aborter.abort();
  expect(linked.some((one) => one.signal.aborted)).toBe(false);
});
