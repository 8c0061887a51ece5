import { describe, expect, it } from 'vitest';
import { isConstant, makeConstant, onceConstant } from './constants.js';
import { stringifyConstants } from './json-parts.js';
import { RepeatedValues } from './repeated-values.js';

const tools = (name: string) => [{ type: 'function', function: { name, parameters: { type: 'object' } } }];

describe('repeated values', () => {
  it('are one value for each content', () => {
    const values = new RepeatedValues(10_000);
    const first = values.keep(tools('one'));
    expect(values.keep(tools('one'))).toBe(first);
    expect(values.keep(tools('two'))).not.toBe(first);
    expect(isConstant(first)).toBe(true);
    expect(values).toMatchObject({ hits: 1, misses: 2 });
  });

  it('differ by the order of members, which prompts show', () => {
    const values = new RepeatedValues(10_000);
    expect(values.keep({ a: 1, b: 2 })).not.toBe(values.keep({ b: 2, a: 1 }));
  });

  it('differ wherever they differ, also where their summaries do not', () => {
    const values = new RepeatedValues(100_000);
    const text = 'x'.repeat(40);
    const changed = `${text.slice(0, 20)}y${text.slice(21)}`;
    for (const [one, other] of [
      [[text], [changed]],
      [[{ a: text }], [{ a: changed }]],
      [[1, [2]], [[1, 2]]],
      [[0], [-0]],
      [['1'], [1]],
      [[null], ['null']],
      [[{}], [[]]],
      [[{ a: 1 }], [{ a: 1, b: 2 }]],
    ] as [object, object][]) {
      expect(values.keep(one)).toBe(one);
      expect(values.keep(other)).toBe(other);
      expect(JSON.stringify(values.keep(structuredClone(one)))).toBe(JSON.stringify(one));
      expect(JSON.stringify(values.keep(structuredClone(other)))).toBe(JSON.stringify(other));
    }
  });

  it('go when there are too many, those first that were used least lately', () => {
    const length = JSON.stringify(tools('t10')).length;
    const values = new RepeatedValues(5 * length);
    const [first, second] = [values.keep(tools('t10')), values.keep(tools('t11'))];
    for (let n = 12; n < 15; n++) values.keep(tools(`t${n}`));
    expect(values.keep(tools('t10'))).toBe(first);
    values.keep(tools('t15'));
    expect(values.keep(tools('t10'))).toBe(first);
    expect(values.keep(tools('t11'))).not.toBe(second);
    expect(values.size.characters).toBeLessThanOrEqual(5 * length);
  });

  it('stay within their limit, however many different tools and conversations come', () => {
    const values = new RepeatedValues(50_000);
    const lists = { whole: ['tools'], items: 'messages' };
    const messages = [{ role: 'user', content: 'Hi.' }];
    let [most, count] = [0, 0];
    for (let n = 0; n < 10_000; n++) {
      const body = {
        model: 'm',
        messages: [{ role: 'system', content: `s${n}` }, ...messages],
        tools: tools(`t${n}`),
      };
      for (const text of [
        JSON.stringify(body),
        JSON.stringify({ ...body, messages: [...body.messages, ...messages] }),
      ])
        values.read(text, lists);
      most = Math.max(most, values.size.characters);
      count = Math.max(count, values.size.values + values.size.bodies);
    }
    // Of bodies and of tools each.
    expect(most).toBeLessThanOrEqual(100_000);
    expect(count).toBeLessThan(2000);
    expect(values.misses).toBeGreaterThan(30_000);
  });

  it('are not kept when they are longer than the limit, or too deep to write', () => {
    const values = new RepeatedValues(100);
    const long = ['x'.repeat(200)];
    expect(values.keep(long)).toBe(long);
    const deep = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)) as object;
    expect(values.keep(deep)).toBe(deep);
    expect([isConstant(long), isConstant(deep), values.size.values]).toEqual([false, false, 0]);
  });
});

it('a function of a constant is computed once, that of any other value every time', () => {
  let count = 0;
  const once = onceConstant((list: readonly number[]) => ({ sum: list.length, count: ++count }));
  const constant = makeConstant([1, 2]);
  expect(once(constant)).toBe(once(constant));
  const changing = [1, 2];
  expect(once(changing)).not.toBe(once(changing));
});

it('a body with constants is written as JSON.stringify writes it', () => {
  const message = makeConstant({
    role: 'user',
    content: '\ud800 "x"',
    none: undefined,
    2: [undefined, 1e21],
  });
  const odd = JSON.parse('{"__proto__":{"b":[-0]},"2":1,"a":{}}') as Record<string, unknown>;
  const body = {
    ...odd,
    none: undefined,
    messages: [message, undefined, { b: 1 }, () => 1, null],
    tools: [],
  };
  const list = makeConstant([{ a: 1 }, message]);
  for (const each of [body, { list, text: 't', call: () => 1 }, {}])
    for (let turn = 0; turn < 3; turn++) expect(stringifyConstants(each)).toBe(JSON.stringify(each));
});
