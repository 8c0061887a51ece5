import { expect, it } from 'vitest';
import type { Drawing, Drawn } from './draw.js';
import { createTokenCounts, type TokensReply, type TokensRequest } from './tokens.js';

class FakeWorker {
  readonly asked: TokensRequest[] = [];
  terminated = false;
  #hear: (event: { data: TokensReply }) => void = () => {};

  postMessage(request: TokensRequest): void {
    this.asked.push(request);
  }
  addEventListener(type: string, hear: (event: { data: TokensReply }) => void): void {
    if (type === 'message') this.#hear = hear;
  }
  terminate(): void {
    this.terminated = true;
  }
  reply(data: TokensReply): void {
    this.#hear({ data });
  }
}

const drawing = (text: string): Drawing => ({
  column: { dialect: 'hermes', form: 'prompt' },
  drawn: { text, pieces: [{ role: 'prompt', from: 0, to: text.length }] } as unknown as Drawn,
});
const drawnOf = (given: Drawing) => ('drawn' in given ? given.drawn : undefined) as Drawn;
const file = { name: 'tokenizer.json' } as File;

it('counts the newest columns when the tokenizer is there, and what came meanwhile after them', () => {
  const worker = new FakeWorker();
  const counts = createTokenCounts(() => worker);
  const [old, first, skipped, last] = ['old', 'first', 'skipped', 'last'].map(drawing) as [
    Drawing,
    Drawing,
    Drawing,
    Drawing,
  ];
  counts.count([old]);
  counts.choose(file);
  counts.count([first]);
  expect(worker.asked).toEqual([{ file }]);
  worker.reply({ vocabulary: 9 });
  expect(counts.chosen()).toEqual({ name: 'tokenizer.json', state: 'ready', vocabulary: 9 });
  counts.count([skipped]);
  counts.count([last]);
  expect(worker.asked.slice(1)).toEqual([{ id: 1, texts: [['first']] }]);
  worker.reply({ id: 1, counts: [5] });
  expect(counts.of(drawnOf(first))).toBe(5);
  expect(worker.asked.slice(2)).toEqual([{ id: 2, texts: [['last']] }]);
  expect(counts.of(drawnOf(skipped))).toBeUndefined();
});

it('a file that fails says why, and another one can be chosen', () => {
  const workers: FakeWorker[] = [];
  const counts = createTokenCounts(() => {
    const worker = new FakeWorker();
    workers.push(worker);
    return worker;
  });
  counts.choose(file);
  workers[0]?.reply({ failed: 'it has no model' });
  expect(counts.chosen()).toMatchObject({ state: 'failed', problem: 'it has no model' });
  expect(workers[0]?.terminated).toBe(true);
  counts.choose(file);
  workers[0]?.reply({ vocabulary: 1 });
  expect(counts.chosen()).toMatchObject({ state: 'loading' });
  counts.remove();
  expect(counts.chosen()).toBeUndefined();
  expect(workers[1]?.terminated).toBe(true);
});
