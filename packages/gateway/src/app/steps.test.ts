import { describe, expect, it } from 'vitest';
import { atOnce, inSlices, type Steps } from './steps.js';

function* counted(count: number, seen: { steps: number }): Steps<string> {
  for (; seen.steps < count; seen.steps++) yield;
  return 'done';
}

function* unnamed(count: number, seen: { steps: number }): Steps {
  yield* counted(count, seen);
}

describe('work in steps', () => {
  it('is done at once where that is asked for', () => {
    const seen = { steps: 0 };
    expect(atOnce(counted(10_000, seen))).toBe('done');
    expect(seen.steps).toBe(10_000);
  });

  it('is done at once where there is little of it', () => {
    const seen = { steps: 0 };
    const over = inSlices(
      unnamed(100, seen),
      async () => {},
      () => true,
    );
    expect(over).toBeUndefined();
    expect(seen.steps).toBe(100);
  });

  it('pauses where there is much of it, and goes on to its end', async () => {
    const seen = { steps: 0 };
    let pauses = 0;
    const pause = async () => void pauses++;
    const over = inSlices(unnamed(10_000, seen), pause, () => true);
    expect(seen.steps).toBeLessThan(10_000);
    await over;
    expect(seen.steps).toBe(10_000);
    expect(pauses).toBeGreaterThan(0);
  });

  it('is left undone where something else has taken its place', async () => {
    const seen = { steps: 0 };
    await inSlices(
      unnamed(10_000, seen),
      async () => {},
      () => false,
    );
    expect(seen.steps).toBeLessThan(10_000);
  });

  it('tells what went wrong, at once and later', async () => {
    function* failing(after: number): Steps {
      for (let step = 0; step < after; step++) yield;
      throw new Error('it is broken');
    }
    const run = (after: number) =>
      inSlices(
        failing(after),
        async () => {},
        () => true,
      );
    expect(() => run(10)).toThrow('it is broken');
    await expect(run(10_000)).rejects.toThrow('it is broken');
  });
});
