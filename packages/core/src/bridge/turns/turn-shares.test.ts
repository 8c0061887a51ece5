import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { TurnMemory } from './turn-memory.js';

/** A twentieth of what all answers together may note. */
const PART = 200 * 1024;

function fill(memory: TurnMemory): void {
  for (let n = 0; n < 20; n++) expect(memory.share({}).take(PART)).toBe(true);
  expect(memory.share({}).take(PART)).toBe(false);
}

it('room for notes comes back when an answer is over', () => {
  const memory = new TurnMemory();
  const owner = {};
  for (let n = 0; n < 100; n++) {
    const share = memory.share(owner);
    expect(share.take(0)).toBe(true);
    expect(share.take(PART)).toBe(true);
    share.giveBack();
    share.giveBack();
  }
});

it('room for notes comes back when nobody holds the reader of an answer any more', async () => {
  const memory = new TurnMemory();
  fill(memory);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let turn = 0; turn < 50; turn++) {
    collect();
    await sleep(10);
    if (memory.share({}).take(1)) break;
  }
  expect(memory.share({}).take(PART)).toBe(true);
});
