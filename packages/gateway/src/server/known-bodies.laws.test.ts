import { CallSize } from '@dragoman/core/bridge';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { KnownBodies } from './known-bodies.js';

const draws = Math.ceil(3000 * Number(process.env.DRAGOMAN_EFFORT ?? 1));

const pad = (text: string, length: number) => text.repeat(Math.ceil(length / text.length));
const message = (at: number, length = 700) => ({
  role: at % 2 ? 'assistant' : 'user',
  content: `${at} ${pad('Sée "this" \\ {"a": [1, {"b": []}]} 你好😀\n', length)}`,
  ...(at % 3 === 0 && {
    tool_calls: [{ function: { name: 't', arguments: `{"n": [${at}, "{\\"x\\": [1]}"]}` } }],
  }),
});
const tools = Array.from({ length: 60 }, (_, at) => ({
  type: 'function',
  function: {
    name: `tool_${at}`,
    description: pad(`Tool ${at} does things. `, 500),
    parameters: { type: 'object', properties: { a: { type: 'string' }, b: { enum: ['x', 'y'] } } },
  },
}));
const bodyOf = (messages: object[], more: object = { tools }) =>
  JSON.stringify({ model: 'm', messages, ...more });
const history = (count: number) => Array.from({ length: count }, (_, at) => message(at));

/** What the bytes hold when they are read by themselves. */
function plainly(bytes: Uint8Array) {
  const size = new CallSize();
  size.add(bytes);
  const { elements, levels, inStrings, brokenBytes } = size;
  return { elements, levels, inStrings, brokenBytes };
}

function read(known: KnownBodies, bytes: Uint8Array) {
  const { elements, levels, inStrings, brokenBytes } = known.size(bytes);
  return { elements, levels, inStrings, brokenBytes };
}

describe('a body that goes on with another', () => {
  it('is counted as by itself, at every step of an agent', () => {
    const known = new KnownBodies();
    for (let step = 0; step < 30; step++) {
      const bytes = Buffer.from(bodyOf(history(20 + 2 * step)));
      expect(read(known, bytes)).toEqual(plainly(bytes));
    }
  });

  it('is counted only where it differs, also where several sessions share their tools', () => {
    const known = new KnownBodies();
    const session = (name: string, count: number) =>
      Buffer.from(bodyOf([{ role: 'user', content: pad(`${name} `, 40_000) }, ...history(count)]));
    for (const name of ['one', 'two', 'three']) read(known, session(name, 40));
    const add = vi.spyOn(CallSize.prototype, 'add');
    for (const name of ['two', 'one', 'three']) {
      const bytes = session(name, 42);
      add.mockClear();
      const found = read(known, bytes);
      const counted = add.mock.calls.reduce((sum, [{ length }]) => sum + length, 0);
      expect(counted).toBeLessThan(bytes.length / 3);
      expect(found).toEqual(plainly(bytes));
    }
    add.mockRestore();
  });

  it('is counted as a whole where the other one is of another owner', () => {
    const known = new KnownBodies();
    const bytes = Buffer.from(bodyOf(history(40)));
    const add = vi.spyOn(CallSize.prototype, 'add');
    const counted = (owner: string) => {
      add.mockClear();
      known.size(bytes, owner);
      return add.mock.calls.reduce((sum, [{ length }]) => sum + length, 0);
    };
    const all = counted('one');
    expect(all).toBe(bytes.length);
    expect(counted('other')).toBe(all);
    expect(counted('one')).toBeLessThan(all / 3);
    add.mockRestore();
  });

  it('is divided into few parts, however it came to be', () => {
    const known = new KnownBodies();
    const whole = Buffer.from(bodyOf(history(90), {}));
    const cut = whole.indexOf('{"', 16 * 1024);
    const withMore = (more: string) =>
      Buffer.concat([whole.subarray(0, cut), Buffer.from(more), whole.subarray(cut)]);
    for (let count = 0; count < 500; count++) known.size(withMore(' '.repeat(count)));
    // Another depth behind it: each part is counted by itself.
    const deeper = withMore(`[${' '.repeat(499)}`);
    const add = vi.spyOn(CallSize.prototype, 'add');
    const size = read(known, deeper);
    const parts = add.mock.calls.length;
    add.mockRestore();
    expect(size).toEqual(plainly(deeper));
    expect(parts).toBeGreaterThan(2);
    expect(parts).toBeLessThan(deeper.length / 1024);
  });

  it('is counted as by itself, however it was changed', () => {
    // What divides JSON, what ends strings and begins arguments, and halves of characters.
    const pieces = fc.constantFrom(
      ...[
        '{"',
        '"',
        '\\',
        '\\"',
        ',',
        '[',
        ']',
        '{',
        '}',
        ':',
        '"arguments":',
        '"arguments":"',
        '{"a":"',
        '\n',
        ' ',
      ],
      ...['é', '你', '😀', 'word '.repeat(2000), '{"a":1},'.repeat(3000), '[['.repeat(100)],
    );
    const odd = fc.constantFrom(
      Buffer.from([0xff]),
      Buffer.from([0xe4, 0xbd]),
      Buffer.from([0xef, 0xbb, 0xbf]),
    );
    const part = fc.oneof({ weight: 9, arbitrary: pieces.map((text) => Buffer.from(text)) }, odd);
    const edit = fc.record({
      from: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.oneof(fc.constant(0), fc.nat(40), fc.nat(50_000)),
      by: fc.array(part, { maxLength: 4 }),
    });
    const start = Buffer.from(bodyOf(history(90)));
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), (edits) => {
        const known = new KnownBodies();
        let bytes = start;
        expect(read(known, bytes)).toEqual(plainly(bytes));
        for (const { from, length, by } of edits) {
          const at = Math.floor(from * bytes.length);
          bytes = Buffer.concat([bytes.subarray(0, at), ...by, bytes.subarray(at + length)]);
          expect(read(known, bytes)).toEqual(plainly(bytes));
        }
      }),
      { numRuns: draws },
    );
  });
});

describe('the memory of bodies', () => {
  it('is bounded, and used', () => {
    const most = 1024 * 1024;
    const known = new KnownBodies(most);
    for (let session = 0; session < 200; session++) {
      const first = { role: 'user', content: pad(`${session} `, 20_000) };
      read(known, Buffer.from(bodyOf([first, ...history(9)], {})));
      expect(known.bytes).toBeLessThanOrEqual(most);
    }
    expect(known.bytes).toBeGreaterThan(most / 2);
  });

  it('holds those that others were counted by longer than those that nobody asked for', () => {
    const known = new KnownBodies(100_000);
    const of = (name: string) =>
      Buffer.from(bodyOf([{ role: 'user', content: pad(`${name} `, 29_000) }], {}));
    const shared = of('shared');
    for (const body of [shared, of('left'), of('other')]) read(known, body);
    // Shorter, so that it does not take the place of the other.
    read(known, Buffer.concat([shared.subarray(0, 9000), shared.subarray(-9)]));
    read(known, of('new'));
    const add = vi.spyOn(CallSize.prototype, 'add');
    known.size(shared);
    const counted = add.mock.calls.length;
    add.mockRestore();
    expect(counted).toBe(0);
  });

  it('holds a conversation once, however long it grows', () => {
    const known = new KnownBodies();
    let last = 0;
    for (let step = 0; step < 50; step++) {
      const bytes = Buffer.from(bodyOf(history(20 + step)));
      read(known, bytes);
      last = bytes.length;
    }
    expect(known.bytes).toBe(last);
  });

  it('knows sixty sessions that begin alike, and keeps what comes again as it is', () => {
    const known = new KnownBodies();
    const sessions = Array.from({ length: 60 }, (_, at) =>
      Buffer.from(bodyOf([...history(10), { role: 'user', content: `task ${at + 100}` }, ...history(10)])),
    );
    for (const body of sessions) read(known, body);
    expect(known.bytes).toBe(sessions.reduce((sum, { length }) => sum + length, 0));
    const add = vi.spyOn(CallSize.prototype, 'add');
    for (const body of sessions) {
      const copy = Buffer.from(body);
      known.size(copy);
      // The one that came first is kept.
      copy.fill(0);
    }
    for (const body of sessions) known.size(body);
    const counted = add.mock.calls.length;
    add.mockRestore();
    expect(counted).toBe(0);
    expect(known.bytes).toBe(sessions.reduce((sum, { length }) => sum + length, 0));
  });

  it('keeps no body that breaks off in a string', () => {
    const known = new KnownBodies();
    const bytes = Buffer.from(bodyOf(history(40))).subarray(0, 20_100);
    expect(read(known, bytes)).toEqual(plainly(bytes));
    expect(known.bytes).toBe(0);
  });

  it('takes bodies that are worth it and that this thread answers', () => {
    const known = new KnownBodies();
    expect([0, 1000, 8 * 1024, 512 * 1024, 513 * 1024, Number.NaN].map((bytes) => known.fits(bytes))).toEqual(
      [...[false, false, true, true, false, false]],
    );
  });
});
