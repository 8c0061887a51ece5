// A body that is read by comparing its text with earlier ones is what JSON.parse makes of it.

import { describe, expect, it } from 'vitest';
import { isConstant } from './constants.js';
import { RepeatedBodies } from './repeated-bodies.js';

const lists = { whole: ['tools'], items: 'messages' };
const bodies = (most = 1_000_000) => new RepeatedBodies(most, (list) => list);

/** What a reading gives, as text: keys in their order, and `__proto__` as a key; or the error. */
function outcome(read: () => unknown): string {
  try {
    return JSON.stringify(read());
  } catch (error) {
    return String(error);
  }
}

/** Reads the texts one after the other, and compares each with JSON.parse. */
function expectAsParsed(texts: readonly string[], known = bodies()): RepeatedBodies {
  for (const text of texts)
    expect(
      outcome(() => known.read(text, lists)),
      text,
    ).toBe(outcome(() => JSON.parse(text)));
  return known;
}

const step = (count: number, tail = ',"tools":[{"a":1}],"stream":true}') =>
  `{"model":"m","messages":[${Array.from({ length: count }, (_, at) => `{"role":"user","content":"t ${at} \\" \\\\"}`)}]${tail}`;

/** A request of a session: a system prompt that all share, a task of its own, and more. */
const sessionStep = (session: number, count: number) =>
  bodyOf(['You help.', ...Array.from({ length: count - 1 }, (_, at) => `${session}: ${at}`)]);
const bodyOf = (texts: string[]) =>
  JSON.stringify({ model: 'm', messages: texts.map((content) => ({ role: 'user', content })), tools: [] });

describe('a body whose text continues another', () => {
  it('is read as it is, and shares what is equal', () => {
    const known = bodies();
    const read = (text: string) => known.read(text, lists) as Record<string, object[]>;
    read(step(2));
    const [one, two, three] = [read(step(3)), read(step(4)), read(step(7, ',"tools":[{"a":2}]}'))];
    expectAsParsed([step(2), step(4), step(7, ',"tools":[{"a":2}]}')], known);
    expect([two.messages?.[1], three.messages?.[3]]).toEqual([one.messages?.[1], two.messages?.[3]]);
    expect(two.messages?.[1]).toBe(one.messages?.[1]);
    expect(three.messages?.[3]).toBe(two.messages?.[3]);
    expect(two.tools).toBe(one.tools);
    expect(two.messages?.every(isConstant)).toBe(true);
    expect(Object.isFrozen(two) || Object.isFrozen(two.messages)).toBe(false);
  });

  it('of another owner is read by itself', () => {
    const known = bodies();
    const read = (owner: string) => known.read(step(9), lists, undefined, owner) as { messages: object[] };
    read('one');
    const [one, other] = [read('one'), read('other')];
    expect(known.hits).toBe(10);
    expect(read('one').messages[0]).toBe(one.messages[0]);
    expect(read('other').messages[0]).not.toBe(one.messages[0]);
    expect(other).toEqual(one);
  });

  it('of another owner takes no place among those that begin alike', () => {
    const hits = (others: number) => {
      const known = bodies();
      for (let run = 0; run < 8; run++) known.read(sessionStep(run, 3), lists, undefined, 'one');
      for (let run = 0; run < others; run++) known.read(sessionStep(100 + run, 3), lists, undefined, 'other');
      const before = known.hits;
      for (let run = 0; run < 8; run++) known.read(sessionStep(run, 5), lists, undefined, 'one');
      return known.hits - before;
    };
    expect(hits(0)).toBeGreaterThanOrEqual(8 * 3);
    for (const others of [1, 8, 100]) expect(hits(others)).toBe(hits(0));
  });

  it.each([5, 8, 20, 100])('shares its items beside %i sessions with the same system prompt', (sessions) => {
    const known = bodies();
    for (const count of [3, 5, 7])
      for (let run = 0; run < sessions; run++) known.read(sessionStep(run, count), lists);
    expect(known.hits).toBeGreaterThanOrEqual(sessions * (3 + 5));
  });

  it('that came once is frozen, and no constant before it is continued', () => {
    const known = bodies();
    const once = known.read(step(2), lists) as { messages: object[] };
    expect(once.messages.map((message) => [Object.isFrozen(message), isConstant(message)])).toEqual([
      [true, false],
      [true, false],
    ]);
    known.read(step(3), lists);
    expect(once.messages.map(isConstant)).toEqual([true, true]);
  });

  it('is not kept where its value takes many times the memory of its text', () => {
    const known = bodies();
    const dense = (count: number) => `{"messages":[{"a":[${Array(count).fill('{}')}]}]}`;
    expect(known.read(dense(1000), lists)).toEqual(JSON.parse(dense(1000)));
    expect(known.characters).toBe(0);
    known.read(step(20), lists);
    expect(known.characters).toBeGreaterThan(0);
  });

  it('shares the items after one that was changed', () => {
    const known = bodies();
    known.read(step(4), lists);
    const first = known.read(step(5), lists) as { messages: object[] };
    const changed = step(6).replace('t 2', 'another text');
    const second = known.read(changed, lists) as { messages: object[] };
    expect(second.messages.map((message, at) => message === first.messages[at])).toEqual([
      ...[true, true, false, true, true],
      false,
    ]);
  });

  it('that comes again is kept once, and its items are the same', () => {
    const known = bodies();
    const read = () => known.read(step(5), lists) as { messages: unknown[] };
    const first = read();
    expect(read()).toEqual(first);
    const { characters } = known;
    const [second, third] = [read(), read()];
    expect(third.messages).not.toBe(second.messages);
    expect(third.messages.every((item, at) => item === second.messages[at] && isConstant(item))).toBe(true);
    expect([known.count, known.characters]).toEqual([1, characters]);
    // One that cannot be continued, as a member comes twice.
    const doubled = step(5, ',"tools":[],"model":"n"}');
    expect(expectAsParsed([doubled, doubled, doubled]).count).toBe(1);
  });

  it('is found among several that begin alike', () => {
    const known = bodies();
    const run = (name: string, count: number) => step(count).replace('t 2', name).replace('t 3', name);
    for (const name of ['a', 'b', 'c', 'd']) for (const count of [4, 5]) known.read(run(name, count), lists);
    const before = known.misses;
    for (const name of ['a', 'b', 'c', 'd']) expectAsParsed([run(name, 6)], known);
    expect(known.misses - before).toBe(4);
  });
});

describe('every body is what JSON.parse makes of it', () => {
  const odd: string[][] = [
    ['{"messages":[1],"a":1}', '{"messages":[12],"a":1}', '{"messages":[1.5,2],"a":1}'],
    ['{"messages":[{}],"messages":[{"b":1}]}', '{"messages":[{},{}],"messages":[{"b":1}]}'],
    ['{"messages":[{}],"messages":3}', '{"messages":[{},{}],"messages":3}'],
    ['{"messages":[{}],"mess\\u0061ges":[1,2]}', '{"messages":[{},{}],"mess\\u0061ges":[1,2]}'],
    ['{"tools":[1],"messages":[{}],"tools":[2]}', '{"tools":[1],"messages":[{}]}'],
    ['{"x":{"a":1},"messages":[{}],"x":{"a":2}}', '{"x":{"a":1},"messages":[{},{}],"y":1}'],
    [
      '{"messages":[{}],"__proto__":{"a":1}}',
      '{"messages":[{},{}],"__proto__":{"a":1}}',
      '{"messages":[{}]}',
    ],
    ['{"__proto__":[5],"messages":[{}]}', '{"__proto__":[5],"messages":[{},{}],"1":0}'],
    [
      '{"b":1,"messages":[{}],"7":1,"3":2}',
      '{"b":1,"messages":[{},{}],"7":1,"3":2}',
      '{"b":1,"messages":[{}],"2":0}',
    ],
    [
      '{"messages":[{}]}',
      '{"messages":[{},]}',
      '{"messages":[{}{}]}',
      '{"messages":[{}],}',
      '{"messages":[{}]}}',
    ],
    [
      '{"messages":[{}]}',
      '{"messages":[{}]',
      '{"messages":[{}',
      '{"messages":[{},\u000b{}]}',
      '{"messages":[{}] ]',
    ],
    ['{"messages":[{"a":"x"}]}', '{"messages":[{"a":"x"},{"a":"\n"}]}', '{"messages":[{"a":"x"},[}]]}'],
    [
      ' { "messages" : [ {} , {} ] , "a" : 1 } ',
      ' { "messages" : [ {} , {} , [ ] ] , "a" : 1 } ',
      '{}',
      '[]',
      '"messages"',
    ],
    [
      '{"messages":"[1]"}',
      '{"messages":[]}',
      '{"messages":[],"a":1}',
      '{"messages":[[]]}',
      '{"messages":[[],[1,2]]}',
    ],
    ['{"a":"{\\"messages\\":[1]}","messages":[{}]}', '{"a":"{\\"messages\\":[1]}","messages":[{},{}]}'],
    [
      '{"messages":["a\\\\","b"]}',
      '{"messages":["a\\\\","b","c\\\\\\""]}',
      '{"messages":["a\\\\","b","c\\\\""]}',
    ],
  ];
  it.each(odd)('such as %s', (...texts) => {
    expectAsParsed(texts);
    expectAsParsed([...texts, ...texts, ...texts.toReversed()]);
  });

  it('however a session goes on', () => {
    const random = seeded(17);
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ',',
      ':',
      ' ',
      '1',
      '{}',
      '"messages"',
      '"tools":[',
      ',{"role":"x"}',
    ];
    const known = bodies();
    let text = step(3);
    for (let turn = 0; turn < 1000; turn++) {
      const at = Math.floor(random() * text.length);
      const end = at + Math.floor(random() * 3);
      const piece = pieces[Math.floor(random() * pieces.length)] as string;
      expectAsParsed([text.slice(0, at) + piece + text.slice(end)], known);
      if (turn % 10 === 0) text = step(1 + (turn % 9), random() < 0.5 ? ',"n":1}' : undefined);
      expectAsParsed([text], known);
    }
  });

  it('also if it is too deep to be frozen', () => {
    const deep = `{"messages":[${'['.repeat(5000)}${']'.repeat(5000)}]`;
    const known = bodies();
    for (const text of [`${deep}}`, `${deep},"a":${'['.repeat(5000)}${']'.repeat(5000)}}`])
      expect(known.read(text, lists)).toHaveProperty('messages');
  });
});

it('what is kept stays within its limit, however many sessions there are and however they change', () => {
  const known = bodies(20_000);
  for (let session = 0; session < 300; session++)
    for (let turn = 1; turn < 8; turn++)
      known.read(step(turn, `,"user":"${session % 7} ${turn}"}`).replace('t 0', `s ${session % 40}`), lists);
  expect(known.characters).toBeLessThanOrEqual(20_000);
  expect(known.count).toBeLessThan(200);
  const long = step(2000);
  known.read(long, lists);
  expect(known.characters).toBeLessThanOrEqual(20_000);
});

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
