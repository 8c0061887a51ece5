import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { countedSignal } from './counted-signal.fixture.js';
import { Patience, type Timeouts } from './timeouts.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const parent = new AbortController().signal;
const never: Timeouts = { firstByte: 0, idle: 0, total: 0 };
const patienceOf = (timeouts: Partial<Timeouts>) => new Patience({ ...never, ...timeouts }, parent);

describe('a wait that takes too long', () => {
  it.each(['firstByte', 'idle'] as const)('%s ends the request, then and not before', (what) => {
    const patience = patienceOf({ [what]: 1000 });
    patience.await(what);
    vi.advanceTimersByTime(999);
    expect(patience.signal.aborted).toBe(false);
    vi.advanceTimersByTime(2);
    expect(patience.signal.reason).toBe(patience.error);
    expect(patience.error?.message).toContain('within 1 s');
  });

  it('is counted anew for each', () => {
    const patience = patienceOf({ idle: 1000 });
    for (let n = 0; n < 50; n++) {
      patience.await('idle');
      vi.advanceTimersByTime(990);
      patience.pause();
    }
    expect(patience.error).toBeUndefined();
    patience.await('idle');
    vi.advanceTimersByTime(1001);
    expect(patience.error?.code).toBe('upstream-timeout');
  });

  it('is not that of a reader who takes his time', () => {
    const patience = patienceOf({ firstByte: 500, idle: 1000 });
    patience.await('firstByte');
    patience.pause();
    vi.advanceTimersByTime(3_600_000);
    patience.await('idle');
    vi.advanceTimersByTime(999);
    expect(patience.error).toBeUndefined();
    vi.advanceTimersByTime(2);
    expect(patience.error?.message).toContain('fell silent');
  });

  it('is found also if it is shorter than the one before it', () => {
    const patience = patienceOf({ firstByte: 60_000, idle: 100 });
    patience.await('firstByte');
    vi.advanceTimersByTime(10);
    patience.await('idle');
    vi.advanceTimersByTime(101);
    expect(patience.error?.message).toContain('fell silent');
  });
});

describe('the whole', () => {
  it('is over at its time, whether the upstream or the client is slow', () => {
    const patience = patienceOf({ idle: 400, total: 1000 });
    for (let n = 0; n < 3; n++) {
      patience.await('idle');
      vi.advanceTimersByTime(300);
      patience.pause();
    }
    vi.advanceTimersByTime(101);
    expect(patience.error?.message).toContain('was not done');
  });
});

describe('times', () => {
  it.each([0, -1, Number.NaN])('of %s wait for ever, and need no timer', (time) => {
    const patience = patienceOf({ firstByte: time, idle: time, total: time });
    patience.await('firstByte');
    patience.await('idle');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that are longer than a timer can wait do not ring at once', () => {
    const year = 365 * 24 * 3_600_000;
    const patience = patienceOf({ firstByte: year, total: 2 * year });
    patience.await('firstByte');
    vi.advanceTimersByTime(year - 1000);
    expect(patience.error).toBeUndefined();
    vi.advanceTimersByTime(1001);
    expect(patience.error?.message).toContain('did not begin');
  });

  it('are kept by one timer, however many pieces come', () => {
    const patience = patienceOf({ idle: 1000, total: 100_000 });
    for (let n = 0; n < 100; n++) {
      patience.await('idle');
      vi.advanceTimersByTime(10);
      patience.pause();
      expect(vi.getTimerCount()).toBe(1);
    }
  });
});

describe('a clock that is stopped', () => {
  it('leaves no timer behind, and does not follow any more', () => {
    const { aborter, signal } = countedSignal();
    const patience = new Patience(undefined, signal);
    patience.await('firstByte');
    expect(vi.getTimerCount()).toBe(1);
    patience.stop();
    expect(vi.getTimerCount()).toBe(0);
    aborter.abort();
    expect(patience.signal.aborted).toBe(false);
  });

  it('ends when the caller aborts, without an error of its own', () => {
    const { aborter, signal } = countedSignal();
    const patience = new Patience(undefined, signal);
    aborter.abort('gone');
    expect([patience.signal.reason, patience.error]).toEqual(['gone', undefined]);
    patience.stop();
  });
});
