import { describe, expect, it } from 'vitest';
import type { ApiName } from '../model/index.js';
import { wireOf, wires } from './index.js';

describe('the list of APIs', () => {
  it('finds each by its name', () => {
    const names: ApiName[] = ['openai-chat', 'openai-responses', 'anthropic-messages', 'openai-completions'];
    expect(wires.map(({ name }) => name)).toEqual(names);
    for (const name of names) expect(wireOf(name).name).toBe(name);
  });

  it('says so where there is none', () => {
    expect(() => wireOf('soap' as ApiName)).toThrow("no API named 'soap'");
  });
});
