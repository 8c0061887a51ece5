import { describe, expect, it } from 'vitest';
import { ModelMemory } from './model-memory.js';

describe('the memory of models', () => {
  it('forgets the model that was not used for the longest time, and no other', () => {
    const memory = new ModelMemory<number>();
    for (let at = 0; at < 1000; at++) memory.set(`model-${at}`, at);
    expect(memory.get('model-0')).toBe(0);
    memory.set('model-1000', 1000);
    expect(memory.get('model-1')).toBeUndefined();
    expect([...memory.values()]).toHaveLength(1000);
    expect([memory.get('model-0'), memory.get('model-2'), memory.get('model-1000')]).toEqual([0, 2, 1000]);
  });

  it('keeps the last of what it was told of a model', () => {
    const memory = new ModelMemory<string>();
    memory.set('m', 'first');
    memory.set('m', 'second');
    expect([memory.get('m'), [...memory.values()]]).toEqual(['second', ['second']]);
  });

  it('learns nothing of a model with a very long name', () => {
    const memory = new ModelMemory<boolean>();
    memory.set('m'.repeat(100_000), true);
    expect([...memory.values()]).toEqual([]);
  });
});
