import { describe, expect, it } from 'vitest';
import { type Balance, createBalance, type RoutePolicy } from './balance.js';

const none: ReadonlySet<number> = new Set();

function clock() {
  const time = { now: 0 };
  return { time, now: () => time.now };
}

function pooled(route: RoutePolicy, count = 2, window = 50) {
  const { time, now } = clock();
  return { time, balance: createBalance(count, { route, window, now }) };
}

/** Sends requests; `isBroken` gives whether an endpoint's answer has a fault. Gives how many each endpoint got. */
function send(balance: Balance, requests: number, isBroken: (endpoint: number) => boolean): number[] {
  const got = balance.shares().map(() => 0);
  for (let n = 0; n < requests; n++) {
    const at = balance.pick(none) ?? -1;
    got[at] = (got[at] ?? 0) + 1;
    balance.worked(at);
    balance.answered(at, isBroken(at));
  }
  return got;
}

describe('route: order', () => {
  it('asks the first, whatever its error rate', () => {
    const { balance } = pooled('order');
    expect(send(balance, 100, () => true)).toEqual([100, 0]);
    expect(balance.shares()).toEqual([1, 0]);
  });

  it('skips an endpoint that is down, and lets one request probe it after a pause', () => {
    const { balance, time } = pooled('order');
    balance.failed(0);
    expect([balance.pick(none), balance.shares()]).toEqual([1, [0, 1]]);
    time.now = 999;
    expect(balance.pick(none)).toBe(1);
    time.now = 1000;
    expect([balance.pick(none), balance.pick(none)]).toEqual([0, 1]);
    balance.worked(0);
    expect([balance.pick(none), balance.pick(none)]).toEqual([0, 0]);
  });

  it('doubles the pause with each failed probe, up to a minute, but not with requests that fail together', () => {
    const { balance, time } = pooled('order');
    const pauses: number[] = [];
    for (let n = 0; n < 9; n++) {
      for (let together = 0; together < 5; together++) balance.failed(0);
      const from = time.now;
      while (balance.shares()[0] === 0) time.now += 500;
      pauses.push((time.now - from) / 1000);
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('waits as long as an endpoint asks, up to ten minutes', () => {
    const { balance, time } = pooled('order');
    balance.failed(0, 30);
    time.now = 29_999;
    expect(balance.pick(none)).toBe(1);
    time.now = 30_000;
    expect(balance.pick(none)).toBe(0);
    balance.failed(0, 1e9);
    time.now = 630_000;
    expect(balance.pick(none)).toBe(0);
  });

  it('asks the endpoint whose pause ends first when all are down, and then no other', () => {
    const { balance } = pooled('order');
    balance.failed(0, 60);
    balance.failed(1, 30);
    expect(balance.pick(none)).toBe(1);
    expect(balance.hasOther(new Set([1]))).toBe(false);
    expect(balance.pick(new Set([1]))).toBe(undefined);
  });
});

describe('route: error-rate', () => {
  it('divides evenly among endpoints that do equally well, or equally badly', () => {
    expect(send(pooled('error-rate').balance, 100, () => false)).toEqual([50, 50]);
    expect(send(pooled('error-rate', 3).balance, 99, () => true)).toEqual([33, 33, 33]);
  });

  it('leaves an endpoint that breaks its calls with less than a tenth within a window', () => {
    const { balance } = pooled('error-rate');
    send(balance, 400, () => false);
    // A window of each.
    const shed = send(balance, 100, (at) => at === 1);
    expect(shed[1]).toBeLessThan(25);
    expect(balance.shares()[1]).toBeLessThan(0.1);
    expect(send(balance, 1000, (at) => at === 1)[1]).toBe(48);
  });

  it('leaves an endpoint that breaks every third call with less than a tenth', () => {
    const { balance } = pooled('error-rate');
    let calls = 0;
    send(balance, 600, (at) => at === 1 && calls++ % 3 === 0);
    expect(balance.shares()[1]).toBeLessThan(0.1);
  });

  it('gives the traffic back after ten right probes in a row', () => {
    const { balance } = pooled('error-rate');
    send(balance, 400, (at) => at === 1);
    expect(balance.shares()[1]).toBeLessThan(0.05);
    send(balance, 190, () => false);
    expect(balance.shares()[1]).toBeLessThan(0.05);
    send(balance, 30, () => false);
    expect(balance.shares()).toEqual([0.5, 0.5]);
  });

  it('forgets results after ten minutes, so that one with little traffic is tried again', () => {
    const { balance, time } = pooled('error-rate');
    send(balance, 100, (at) => at === 0);
    expect(balance.shares()[0]).toBeLessThan(0.1);
    time.now = 600_001;
    expect(balance.shares()).toEqual([0.5, 0.5]);
  });

  it('does not shed an endpoint for a single fault', () => {
    const { balance } = pooled('error-rate');
    balance.answered(0, true);
    expect(balance.shares()[0]).toBeGreaterThan(0.25);
  });

  it('gives an endpoint that is down nothing, and a request that failed elsewhere to the best', () => {
    const { balance } = pooled('error-rate', 3);
    for (let n = 0; n < 50; n++) balance.answered(1, true);
    expect(balance.pick(new Set([0]))).toBe(2);
    balance.failed(2);
    expect(balance.shares()[2]).toBe(0);
    expect(balance.pick(new Set([0]))).toBe(1);
  });
});

it('a window that is no window is refused', () => {
  for (const window of [0, -1, 1.5, 10_001, Number.NaN]) {
    expect(() => createBalance(2, { window })).toThrow('window: expected a whole number from 1 to 10000');
  }
});
