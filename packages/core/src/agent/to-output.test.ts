import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutMiddle, cutOutput } from './run-calls.js';
import { toJson } from './to-json.js';
import { type Output, type OutputContext, toOutput } from './to-output.js';
import { ToolError } from './tool.js';

const context = (more: Partial<OutputContext> = {}): OutputContext => ({
  limit: 1000,
  signal: new AbortController().signal,
  emit: () => {},
  ...more,
});

const outputOf = async (value: unknown): Promise<unknown> => (await toOutput(value, context())).output;

class Point {
  #secret = 1;
  constructor(readonly x: number) {}
  get sum(): number {
    return this.x + this.#secret;
  }
}
class Sealed {
  #secret = 1;
  reveal(): number {
    return this.#secret;
  }
}

describe('what a tool returns', () => {
  const circular: Record<string, unknown> = { name: 'loop' };
  circular.self = circular;

  it.each<[string, unknown, unknown]>([
    ['a text', 'as it is', 'as it is'],
    ['an empty text', '', ''],
    ['nothing', undefined, '(the tool returned nothing)'],
    ['null', null, null],
    ['a number', 12, 12],
    ['no number', Number.NaN, 'NaN'],
    ['a small big integer', 12n, 12],
    ['a big integer', 12345678901234567890n, '12345678901234567890'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['a function', () => 1, '[a function]'],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['a date that is none', new Date(Number.NaN), null],
    ['a URL', new URL('http://localhost/a'), 'http://localhost/a'],
    ['a regular expression', /a+/g, '/a+/g'],
    ['a map', new Map([['a', 1]]), { a: 1 }],
    ['a map of other keys', new Map([[1, 'a']]), [[1, 'a']]],
    ['a set', new Set([1, 2]), [1, 2]],
    ['an instance', new Point(2), { x: 2 }],
    ['an instance that shows nothing', new Sealed(), '[an instance of Sealed]'],
    ['a cycle', circular, { name: 'loop', self: '[circular]' }],
    ['what is shared, not circular', [circular.name, circular.name], ['loop', 'loop']],
    ['holes', Object.assign([1, undefined], { 3: 2 }), [1, null, null, 2]],
    ['undefined members', { a: undefined, b: 1 }, { b: 1 }],
    ['an error inside', { error: new RangeError('far') }, { error: 'RangeError: far' }],
    ['a promise inside', { later: Promise.resolve(1) }, { later: '[an instance of Promise]' }],
    ['bytes inside', { data: new Uint8Array(3) }, { data: '[3 bytes]' }],
    ['bytes that are text', new TextEncoder().encode('hé'), 'hé'],
    ['bytes that are none', new Uint8Array([0xff, 0xfe]), '[2 bytes that are no text, left out]'],
    ['__proto__', JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":1}}')],
    [
      'a getter that throws',
      {
        get a() {
          throw new Error('no');
        },
      },
      { a: '[unreadable: Error: no]' },
    ],
    [
      'a toJSON that throws',
      {
        toJSON() {
          throw new Error('no');
        },
      },
      '[unreadable: Error: no]',
    ],
    [
      'a toJSON that gives itself',
      {
        toJSON() {
          return this;
        },
      },
      '[circular]',
    ],
  ])('as %s is clear', async (_, value, output) => {
    expect(await toOutput(value, context())).toEqual({ output, isError: false });
  });

  it('as an error is an error result', async () => {
    expect(await toOutput(new ToolError('no'), context())).toEqual({ output: 'no', isError: true });
  });

  it('is whatever it is, JSON behind', () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withSet: true,
          withTypedArray: true,
          withNullPrototype: true,
          withSparseArray: true,
        }),
        (value) => {
          const json = toJson(value);
          expect(JSON.parse(JSON.stringify(json))).toEqual(json);
        },
      ),
      { seed: 3, numRuns: 500 },
    );
  });

  it('is itself where it was JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain = JSON.parse(JSON.stringify(value));
        expect(toJson(plain)).toEqual(plain);
      }),
      { seed: 4, numRuns: 300 },
    );
  });

  it('cannot grow without end: shared members, depth, proxies', () => {
    let tower: unknown = 'x';
    for (let level = 0; level < 60; level++) tower = [tower, tower];
    expect(JSON.stringify(toJson(tower)).length).toBeLessThan(20_000_000);
    let deep: unknown = 'x';
    for (let level = 0; level < 100_000; level++) deep = { deep };
    expect(JSON.stringify(toJson(deep))).toContain('nested too deep');
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no');
        },
      },
    );
    expect(toJson(hostile)).toBe('[unreadable: Error: no]');
  });
});

describe('streams and generators', () => {
  const bytes = (...pieces: string[]) =>
    new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
        controller.close();
      },
    });

  it('are read as text', async () => {
    expect(await outputOf(bytes('one ', 'two'))).toBe('one two');
    expect(
      await outputOf(Readable.from([Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1), 'x'])),
    ).toBe('éx');
    expect(await outputOf(Readable.from([{ a: 1 }, { a: 2 }]))).toBe('{"a":1}\n{"a":2}\n');
  });

  it('are answers of fetch, too', async () => {
    expect(await toOutput(new Response('hello'), context())).toEqual({ output: 'hello', isError: false });
    const missing = new Response('nothing here', { status: 404 });
    expect(await toOutput(missing, context())).toEqual({ output: 'HTTP 404\nnothing here', isError: true });
    expect(await outputOf(new Response(null))).toBe('');
  });

  it('without an end are read as far as a result goes', async () => {
    let made = 0;
    let cancelled = false;
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(`${made++} `),
      cancel: () => {
        cancelled = true;
      },
    });
    const text = (await outputOf(endless)) as string;
    expect(text.length).toBeLessThanOrEqual(1000);
    expect(text).toContain('not read further');
    expect(made).toBeLessThan(500);
    expect(cancelled).toBe(true);
  });

  it('that are silent are left when they are no longer wanted', async () => {
    const controller = new AbortController();
    let cancelled = false;
    const silent = new ReadableStream({
      cancel: () => {
        cancelled = true;
      },
    });
    const output = toOutput(silent, context({ signal: controller.signal }));
    controller.abort();
    await output;
    expect(cancelled).toBe(true);
  });

  it('that yield states give the last one, and tell the others', async () => {
    const told: unknown[] = [];
    async function* states() {
      yield { percent: 10 };
      yield { percent: 100 };
    }
    const result: Output = await toOutput(states(), context({ emit: (data) => told.push(data) }));
    expect(result.output).toEqual({ percent: 100 });
    expect(told).toEqual([{ percent: 10 }, { percent: 100 }]);
  });
});

describe('cutting', () => {
  it('keeps both ends, says how much is gone, and keeps the limit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 300 }),
        fc.string({ unit: 'binary', minLength: 0, maxLength: 2000 }),
        (limit, text) => {
          const cut = cutMiddle(text, limit);
          expect(cut.length).toBeLessThanOrEqual(limit);
          if (text.length <= limit) {
            expect(cut).toBe(text);
            return;
          }
          const [head = '', count, tail = ''] = cut.split(/\n\[(\d+) characters left out here: .*\]\n/);
          expect(text.startsWith(head)).toBe(true);
          expect(text.endsWith(tail)).toBe(true);
          expect(head.length + Number(count) + tail.length).toBe(text.length);
        },
      ),
      { seed: 5, numRuns: 300 },
    );
  });

  it('splits no pair', () => {
    for (const limit of [100, 101, 102, 103])
      expect(cutMiddle('😀'.repeat(500), limit).isWellFormed()).toBe(true);
  });

  it('leaves a value that fits a value', () => {
    expect(cutOutput({ a: [1] }, 100)).toEqual({ a: [1] });
    expect(cutOutput({ a: 'x'.repeat(200) }, 100)).toMatch(/^\{"a":"x+\n\[.*\]\nx*"\}$/);
  });
});
