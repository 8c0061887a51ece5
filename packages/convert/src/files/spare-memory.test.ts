import { describe, expect, it } from 'vitest';
import { SpareMemory } from './block-output.js';

describe('spare memory', () => {
  it('is given again where it is large enough, and once', () => {
    const spare = new SpareMemory();
    const memory = new ArrayBuffer(1000);
    spare.give(memory);
    expect(spare.take(1001)).toBeUndefined();
    expect(spare.take(900)?.buffer).toBe(memory);
    expect(spare.take(900)).toBeUndefined();
  });

  it('is not wasted on what needs a fraction of it', () => {
    const spare = new SpareMemory();
    spare.give(new ArrayBuffer(1000));
    expect(spare.take(100)).toBeUndefined();
    expect(spare.take(250)).toBeDefined();
  });

  it('is kept for a few, and the oldest goes', () => {
    const spare = new SpareMemory();
    for (let size = 11; size <= 20; size++) spare.give(new ArrayBuffer(size));
    for (let size = 13; size <= 20; size++) expect(spare.take(size)?.length).toBe(size);
    expect(spare.take(11)).toBeUndefined();
  });
});
