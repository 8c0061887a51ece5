import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Cursor } from './cursor.js';

/** The same, over the whole text: what a cursor must be indistinguishable from. */
class Model {
  fed = '';
  position = 0;
  marks: number[] = [];
  ended = false;

  get rest(): string {
    return this.fed.slice(this.position);
  }
}

type Step = fc.Command<Model, Cursor>;

function agree(model: Model, cursor: Cursor): void {
  expect(cursor.text.slice(cursor.at)).toBe(model.rest);
  expect(cursor.position).toBe(model.position);
  expect(cursor.depth).toBe(model.marks.length);
  expect(cursor.ended).toBe(model.ended);
}

/** A step that may always be taken: does it in both, and compares all that can be seen. */
function step(name: string, take: (model: Model, cursor: Cursor) => void, may = (_: Model) => true): Step {
  return {
    check: may,
    run: (model, cursor) => {
      take(model, cursor);
      agree(model, cursor);
    },
    toString: () => name,
  };
}

const push = (chunk: string) =>
  step(
    `push(${JSON.stringify(chunk)})`,
    (model, cursor) => {
      model.fed += chunk;
      cursor.push(chunk);
    },
    (model) => !model.ended,
  );
const read = (share: number) =>
  step(`read(${share})`, (model, cursor) => {
    const length = Math.round(model.rest.length * share);
    model.position += length;
    cursor.at += length;
  });
const mark = step('mark()', (model, cursor) => {
  model.marks.push(model.position);
  cursor.mark();
});
const release = step('release()', (model, cursor) => {
  model.marks.pop();
  cursor.release();
});
const rewind = step('rewind()', (model, cursor) => {
  model.position = model.marks.pop() ?? model.position;
  cursor.rewind();
});
const end = step('end()', (model, cursor) => {
  model.ended = true;
  cursor.end();
});

const steps = fc.commands(
  [
    fc.string({ maxLength: 8 }).map(push),
    fc.string({ maxLength: 8, unit: 'binary' }).map(push),
    fc.constantFrom(0.2, 0.5, 1, 1).map(read),
    fc.constantFrom(0.2, 0.5, 1, 1).map(read),
    fc.constantFrom(mark, release, rewind),
    fc.constantFrom(mark, rewind, end),
  ],
  { maxCommands: 60, size: '+2' },
);

describe('a cursor', () => {
  it('is a place in the whole text: marks, nested marks and ways back, whatever was pushed between', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        fc.modelRun(() => ({ model: new Model(), real: new Cursor() }), taken);
      }),
      { numRuns: 1000 },
    );
  });

  it('stands at the same place in any cutting of the text', () => {
    const text = 'one <two> three';
    for (let a = 0; a <= text.length; a++) {
      for (let b = a; b <= text.length; b++) {
        const cursor = new Cursor();
        cursor.mark();
        let seen = '';
        for (const piece of [text.slice(0, a), text.slice(a, b), text.slice(b)]) {
          cursor.push(piece);
          seen += cursor.text.slice(cursor.at);
          cursor.at = cursor.text.length;
        }
        expect(seen).toBe(text);
        expect(cursor.position).toBe(text.length);
        cursor.rewind();
        expect(cursor.text.slice(cursor.at)).toBe(text);
        expect(cursor.position).toBe(0);
      }
    }
  });

  it('forgets what was read when nothing marks it', () => {
    const cursor = new Cursor();
    for (let n = 0; n < 1000; n++) {
      cursor.push('0123456789');
      cursor.at = cursor.text.length;
      expect(cursor.text.length).toBe(10);
    }
    expect(cursor.position).toBe(10_000);
  });

  it('keeps what stands before an inner mark for the outer one', () => {
    const cursor = new Cursor();
    cursor.push('ab');
    cursor.at = 1;
    cursor.mark();
    cursor.at = 2;
    cursor.push('cd');
    cursor.at = 1;
    cursor.mark();
    cursor.at = 2;
    cursor.push('ef');
    cursor.rewind();
    expect(cursor.text.slice(cursor.at)).toBe('def');
    cursor.rewind();
    expect(cursor.text.slice(cursor.at)).toBe('bcdef');
    expect(cursor.position).toBe(1);
  });

  it('without a mark goes nowhere', () => {
    const cursor = new Cursor();
    cursor.push('abc');
    cursor.at = 2;
    cursor.rewind();
    cursor.release();
    expect(cursor.position).toBe(2);
  });
});

describe('going back', () => {
  /** Goes over the text again and again, in pieces of a length, until it may no more. */
  function roundsAllowed(text: string, size: number): number {
    const cursor = new Cursor();
    cursor.mark();
    for (let at = 0; at < text.length; at += size) {
      cursor.at = cursor.text.length;
      cursor.push(text.slice(at, at + size));
    }
    for (let rounds = 0; ; rounds++) {
      if (!cursor.mayGoBack) return rounds;
      cursor.at = cursor.text.length;
      cursor.rewind();
      cursor.mark();
    }
  }

  it('is allowed as long as all that is read again is a small multiple of the text', () => {
    expect(new Cursor().mayGoBack).toBe(true);
    const rounds = roundsAllowed('x'.repeat(100_000), 100_000);
    expect(rounds).toBeGreaterThan(0);
    expect(rounds).toBeLessThan(12);
  });

  it('is allowed the same number of times in any cutting', () => {
    const text = 'x'.repeat(50_000);
    const rounds = [50_000, 10_000, 777, 10].map((size) => roundsAllowed(text, size));
    expect(new Set(rounds).size).toBe(1);
  });

  it('over nothing costs nothing', () => {
    const cursor = new Cursor();
    for (let n = 0; n < 100_000; n++) {
      cursor.mark();
      cursor.rewind();
    }
    expect(cursor.mayGoBack).toBe(true);
  });
});
