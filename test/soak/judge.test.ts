// The judges of the soak: each passes good records and fails bad ones.

import { describe, expect, it } from 'vitest';
import {
  type Attempt,
  type Exchange,
  HEALTHY,
  judgeAnswers,
  judgeAttempts,
  judgeDescriptors,
  judgeExchange,
  judgeExits,
  judgeFaults,
  judgeGrowth,
  judgeHealth,
  judgeStored,
  RECOVERY,
  spanOf,
  Times,
} from './judge.mjs';

const MB = 1024 ** 2;

function completed(calls: object[], store = true): string {
  const output = calls.map((call) => ({ type: 'function_call', arguments: JSON.stringify(call) }));
  const response = { id: 'resp_1', store, output };
  return `event: response.created\ndata: {}\n\nevent: response.completed\ndata: ${JSON.stringify({ response })}\n\n`;
}

const good = completed([{ n: 7, from: 'a' }]);
const exchange = (more: Partial<Exchange>): Exchange => ({
  number: 7,
  gateway: 'first',
  key: 'alice',
  model: 'm',
  start: 100,
  end: 200,
  meantToLeave: false,
  outcome: { status: 200, text: good },
  ...more,
});
const whole: Attempt[] = [{ from: 'a', end: 'whole' }];

/** Configuration `a` all the time, `b` from 1,000 to 2,000, where also the store was down and the gateway was gone. */
function times(): Times {
  const made = new Times();
  made.begin(spanOf.configuration('a', 'first'), 0);
  for (const what of [spanOf.configuration('b', 'first'), spanOf.store('first'), spanOf.gone('first')])
    made.begin(what, 1000)(2000);
  return made;
}

const judged = (more: Partial<Exchange>, attempts: Attempt[] = whole) =>
  judgeExchange(exchange(more), times(), attempts);
const inside = { start: 1900, end: 2100 };

describe('an exchange', () => {
  it('that is whole has its own answer once', () => {
    expect(judged({})).toEqual({ kind: 'whole', from: 'a', id: 'resp_1' });
    const unstored = completed([{ n: 7, from: 'a' }], false);
    expect(judged({ outcome: { status: 200, text: unstored } })).toEqual({ kind: 'whole', from: 'a' });
  });

  it.each([
    ['the answer of another', completed([{ n: 8, from: 'a' }]), /answer of 8/],
    ['no call', completed([]), /answer of nobody/],
    [
      'two calls',
      completed([
        { n: 7, from: 'a' },
        { n: 7, from: 'a' },
      ]),
      /2 calls/,
    ],
    ['two ends', good + good, /ended 2 times/],
    ['an answer and an error', `${good}event: response.failed\ndata: {}\n\n`, /ended 2 times/],
    ['no end', 'event: response.created\ndata: {}\n\n', /without its last event/],
    ['nothing at all', '', /without its last event/],
    ['a failure for no reason', 'event: response.failed\ndata: {}\n\n', /without a reason/],
    ['an error for no reason', 'event: error\ndata: {}\n\n', /without a reason/],
  ])('with %s is a fault', (_, text, fault) => {
    expect(judged({ outcome: { status: 200, text } }).fault).toMatch(fault);
  });

  it('that fails needs a reason of its own', () => {
    const failed = { outcome: { status: 503 } };
    expect(judged(failed).fault).toMatch(/without a reason \(status 503, whole\)/);
    expect(judged(failed, []).fault).toMatch(/never asked/);
    expect(judged(failed, [{ from: 'a', end: 'left' }]).fault).toBeDefined();
    // The model refused, then answered: that answer is owed.
    const again = [
      { from: 'a', end: 'refused' },
      { from: 'a', end: 'whole' },
    ];
    expect(judged(failed, again).fault).toBeDefined();
    for (const end of ['refused', 'reset', 'broken', 'cut', 'silent'])
      expect(judged(failed, [{ from: 'a', end }])).toEqual({ kind: 'failed' });
    expect(judged(failed, [{ from: 'a', end: 'left', slow: true }])).toEqual({ kind: 'failed' });
    expect(judged({ ...failed, ...inside }, [])).toEqual({ kind: 'failed' });
  });

  it('without an end is a fault, and so is a lost connection', () => {
    expect(judged({ outcome: { late: true } }).fault).toMatch(/no end/);
    expect(judged({ outcome: { late: true }, ...inside }).fault).toMatch(/no end/);
    const lost = { outcome: { error: 'ECONNRESET' } };
    expect(judged(lost).fault).toMatch(/lost its connection/);
    expect(judged({ ...lost, ...inside })).toEqual({ kind: 'cut' });
    expect(judged({ ...lost, meantToLeave: true })).toEqual({ kind: 'left' });
  });

  it('is of one configuration', () => {
    const ofB = { outcome: { status: 200, text: completed([{ n: 7, from: 'b' }]) } };
    const fromB: Attempt[] = [{ from: 'b', end: 'whole' }];
    expect(judged({ ...ofB, ...inside }, fromB)).toMatchObject({ from: 'b' });
    expect(judged(ofB, fromB).fault).toMatch(/not in use/);
    for (const mixed of [{ key: 'bob' }, { model: 'of-a' }])
      expect(judged({ ...ofB, ...inside, ...mixed }, fromB).fault).toMatch(/two configurations/);
    const twice = [{ from: 'a', end: 'refused' }, ...fromB];
    expect(judged({ ...ofB, ...inside }, twice).fault).toMatch(/two configurations/);
  });

  it('is refused only under a configuration that does not have its key or its model', () => {
    const refused = { key: 'bob', outcome: { status: 401 } };
    expect(judged({ ...refused, ...inside }, [])).toEqual({ kind: 'refused' });
    expect(judged(refused, []).fault).toMatch(/under a configuration/);
    expect(judged({ ...refused, ...inside }).fault).toMatch(/reached the model/);
    expect(judged({ outcome: { status: 404 }, ...inside }, []).fault).toMatch(/of both/);
    expect(judged({ model: 'of-b', outcome: { status: 404 } }, [])).toEqual({ kind: 'refused' });
  });
});

describe('a question', () => {
  const attempts = (...ends: string[]) => judgeAttempts(ends.map((end) => ({ from: 'a', end })));

  it('is asked again once, and only before the first byte of its answer', () => {
    for (const ends of [[], ['whole'], ['refused', 'whole'], ['reset', 'cut']])
      expect(attempts(...ends)).toBeUndefined();
    expect(attempts('refused', 'refused', 'whole')).toMatch(/3 times/);
    for (const first of ['whole', 'cut', 'broken', 'left']) expect(attempts(first, 'whole')).toMatch(/again/);
  });
});

describe('faults', () => {
  const fault = { kind: 'reload', end: 1000, gateways: ['first', 'second'] };
  const answered = new Map([
    ['first', [1500]],
    ['second', [900, 1000]],
  ]);
  const judge = (happened: object[], wholes = answered, least = 1) =>
    judgeFaults(['reload'], happened as (typeof fault)[], wholes, least)[1];

  it('come often enough, and all gateways answer behind each', () => {
    expect(judge([fault])).toBe(true);
    expect(judge([])).toBe(false);
    expect(judge([fault], answered, 2)).toBe(false);
    expect(judge([fault, { ...fault, kind: 'other', gateways: [] }], answered, 2)).toBe(false);
    expect(judge([fault], new Map([['first', [1500]]]))).toBe(false);
    expect(judge([fault], new Map([...answered, ['second', [999, 1001 + RECOVERY]]]))).toBe(false);
    expect(judge([{ ...fault, problem: 'was not taken' }])).toBe(false);
  });
});

describe('what a gateway holds', () => {
  const samples = (...sizes: number[]) => sizes.map((size) => ({ heap: size * MB }));
  const growth = (...sizes: number[]) => judgeGrowth('heap', samples(...sizes), 3 * MB)[1];

  it('does not grow from the second quarter of the rounds to the last', () => {
    expect(growth(40, 50, 60, 52)).toBe(true);
    expect(growth(40, 50, 60, 54)).toBe(false);
    // The least counts: garbage comes and goes.
    expect(growth(9, 9, 50, 90, 60, 60, 52, 80)).toBe(true);
    expect(growth(9, 9, 50, 90, 60, 60, 54, 80)).toBe(false);
    expect(growth(40, 50)).toBe(false);
  });

  it('has no descriptor more of any kind', () => {
    const judge = (before: Record<string, number>, after: Record<string, number>) =>
      judgeDescriptors('a gateway', before, after)[1];
    expect(judge({ socket: 4, pipe: 2 }, { socket: 3, pipe: 2 })).toBe(true);
    expect(judge({ socket: 4, pipe: 2 }, { socket: 5, pipe: 0 })).toBe(false);
    expect(judge({ socket: 4 }, { socket: 4, pipe: 1 })).toBe(false);
    expect(judge({}, {})).toBe(false);
  });
});

describe('health checks', () => {
  type Check = [from: number, to: number, status: number];
  const quick = Array.from({ length: 95 }, (_, at): Check => [10 * at, 10 * at + 8, 200]);
  const late = (count: number, time: number) =>
    Array.from({ length: count }, (): Check => [3000, 3000 + time, 200]);
  const { onItsPort, onHealthPort } = HEALTHY;
  const judge = (checks: Check[], limits = onItsPort) => judgeHealth('first', checks, times(), limits)[1];

  it('are answered, nearly all of them at once', () => {
    expect(judge(quick)).toBe(true);
    expect(judge([])).toBe(false);
    expect(judge([...quick, ...late(4, onItsPort.nearlyAll + 1)])).toBe(true);
    expect(judge([...quick, ...late(6, onItsPort.nearlyAll + 1)])).toBe(false);
    expect(judge([...quick, ...late(1, onItsPort.each + 1)])).toBe(false);
    expect(judge([...quick, [3000, 3001, 0]])).toBe(false);
    expect(judge([...quick, [3000, 3001, 503]])).toBe(false);
  });

  it('count unless their gateway was gone or measured', () => {
    expect(judge([...quick, [1500, 1501, 0], [900, 2900, 200]])).toBe(true);
    expect(judge([[1500, 1501, 200]])).toBe(false);
    const made = new Times();
    made.begin(spanOf.measured('first'), 3000)(3500);
    const slow: Check = [3400, 3400 + onItsPort.each + 1, 200];
    expect(judgeHealth('first', [...quick, slow], made, onItsPort)[1]).toBe(true);
    expect(judgeHealth('second', [...quick, slow], made, onItsPort)[1]).toBe(false);
    expect(judgeHealth('first', [...quick, slow], made, onHealthPort)[1]).toBe(false);
  });

  it('are answered at once on a healthPort, each of them', () => {
    expect(onHealthPort.each).toBe(100);
    expect(judge([...quick, ...late(1, 100)], onHealthPort)).toBe(true);
    expect(judge([...quick, ...late(1, 101)], onHealthPort)).toBe(false);
    expect(judge([...quick, [3000, 3001, 503]], onHealthPort)).toBe(false);
    expect(judge([...quick, [1500, 1501, 0]], onHealthPort)).toBe(true);
  });
});

describe('all together', () => {
  it('every exchange ends, enough of them whole, and without a fault', () => {
    const judge = (all: number, ends: Record<string, number>, faults: string[] = []) =>
      judgeAnswers(all, ends, faults, 5)[1];
    expect(judge(8, { whole: 5, failed: 3 })).toBe(true);
    expect(judge(9, { whole: 5, failed: 3 })).toBe(false);
    expect(judge(8, { whole: 4, failed: 4 })).toBe(false);
    expect(judge(8, { whole: 5, failed: 3 }, ['number 7 has 2 calls'])).toBe(false);
  });

  it('every stored answer is found by its owner and by nobody else', () => {
    const all = { confirmed: 9, found: 9, strangers: 3, shown: 0 };
    expect(judgeStored(all)[1]).toBe(true);
    for (const bad of [{ found: 8 }, { confirmed: 0, found: 0 }, { strangers: 0 }, { shown: 1 }])
      expect(judgeStored({ ...all, ...bad })[1]).toBe(false);
  });

  it('every process ends with 0', () => {
    expect(judgeExits([0, 0])[1]).toBe(true);
    for (const bad of [[], [0, 1], [0, 'SIGKILL']]) expect(judgeExits(bad)[1]).toBe(false);
  });
});
