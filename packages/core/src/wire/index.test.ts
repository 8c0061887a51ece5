import { describe, expect, it } from 'vitest';
import { type ApiName, apiNames, wireOf, wires } from './index.js';

describe('the list of APIs', () => {
  it('finds each by its name', () => {
    const names: ApiName[] = ['openai-chat', 'openai-completions', 'openai-responses', 'anthropic-messages'];
    expect(wires.map(({ name }) => name)).toEqual(names);
    expect(apiNames).toEqual(names);
    for (const name of names) expect(wireOf(name).name).toBe(name);
  });

  it('says so where there is none', () => {
    expect(() => wireOf('soap')).toThrow("no API named 'soap'");
  });
});
