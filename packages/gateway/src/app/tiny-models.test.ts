import { all } from '@dragoman/core';
import { createTinyUpstream, tinyRender } from '@dragoman/tiny';
import { describe, expect, it } from 'vitest';
import { isTiny, tinyDialect, tinyModels, tinyOptions } from './tiny-models.js';

describe('the tiny model', () => {
  it('is called tiny, and tiny/<dialect>', () => {
    expect(tinyModels()).toHaveLength(all.dialects.length + 1);
    expect(tinyModels().every(isTiny)).toBe(true);
    expect(tinyDialect('tiny')?.name).toBe('hermes');
    for (const { name } of all.dialects) expect(tinyDialect(`tiny/${name}`)?.name).toBe(name);
    for (const name of ['tiny/none', 'tinyhermes', 'demo/hermes', 'hermes'])
      expect(tinyDialect(name)).toBeUndefined();
  });

  it('is asked as its package says', () => {
    for (const dialect of all.dialects) {
      const { upstream, render = {} } = tinyOptions(dialect, () => Promise.reject());
      const { ask: _, specialTokens, ...own } = createTinyUpstream({ dialect });
      expect(upstream).toMatchObject(own);
      expect(upstream.specialTokens?.()).toEqual(specialTokens?.());
      expect(render).toEqual(tinyRender(dialect));
    }
  });
});
