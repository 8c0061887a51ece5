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
  cursor.ended = true;
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
});
