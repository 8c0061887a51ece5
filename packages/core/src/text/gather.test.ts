import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Gather, type GatherMark } from './gather.js';

/** A plain string, and what it was at each mark. */
class Model {
  text = '';
  marks: { text: string; mark: GatherMark }[] = [];
}

type Step = fc.Command<Model, Gather>;

function step(name: string, take: (model: Model, gather: Gather) => void): Step {
  return {
    check: () => true,
    run: (model, gather) => {
      take(model, gather);
      expect(gather.length).toBe(model.text.length);
      expect(gather.toString()).toBe(model.text);
    },
    toString: () => name,
  };
}

const add = (piece: string) =>
  step(`add(${piece.length} characters)`, (model, gather) => {
    model.text += piece;
    gather.add(piece);
  });
const mark = step('mark()', (model, gather) => {
  model.marks.push({ text: model.text, mark: gather.mark() });
});
const reset = step('reset()', (model, gather) => {
  const last = model.marks.pop();
  if (!last) return;
  model.text = last.text;
  gather.reset(last.mark);
});
/** Goes back and keeps the mark: it may be needed again. */
const resetAgain = step('reset(), mark kept', (model, gather) => {
  const last = model.marks.at(-1);
  if (!last) return;
  model.text = last.text;
  gather.reset(last.mark);
});

const steps = fc.commands(
  [
    fc.string({ unit: 'binary' }).map(add),
    // Around the length at which pieces are joined for good.
    fc.constantFrom(1000, 4095, 4096, 4097, 9000).map((length) => add('x'.repeat(length))),
    fc.constantFrom(mark, mark, reset, resetAgain),
  ],
  { maxCommands: 40, size: '+2' },
);

describe('a gathered text', () => {
  it('is like a string that is added to, marked and reset', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        fc.modelRun(() => ({ model: new Model(), real: new Gather() }), taken);
      }),
      { numRuns: 500 },
    );
  });

  it('is empty at first', () => {
    expect(new Gather().toString()).toBe('');
    expect(new Gather().length).toBe(0);
  });

  it('is the same from single characters as from one piece', () => {
    const text = 'añ\ud83d\ude00'.repeat(5000);
    const gather = new Gather();
    for (let at = 0; at < text.length; at++) gather.add(text.charAt(at));
    expect(gather.toString()).toBe(text);
    expect(gather.length).toBe(text.length);
  });
});
