import { describe, expect, expectTypeOf, it } from 'vitest';
import { hermes } from '../dialects/hermes/hermes.js';
import { xnl } from '../dialects/xnl/xnl.js';
import { UsageError } from '../model/index.js';
import { createRegistry } from './registry.js';

const two = createRegistry([hermes, xnl]);

describe('a registry', () => {
  it('finds a dialect by its name and its aliases, whatever the case, dashes and dots', () => {
    for (const name of ['hermes', 'Hermes', 'qwen25', 'qwen-2.5'])
      expect(createRegistry<string>([hermes]).find(name)).toBe(hermes);
    expect(two.has('QWEN_3')).toBe(true);
    expect(two.has('glm-4.5')).toBe(false);
  });

  it('lists the names where there is none', () => {
    const find = () => createRegistry<string>([hermes, xnl]).find('hermez');
    expect(find).toThrow(UsageError);
    expect(find).toThrow('no dialect is called "hermez"; there are hermes, xnl');
  });

  it('says in its type which names it has', () => {
    expectTypeOf(two.find).parameter(0).toEqualTypeOf<'hermes' | 'xnl'>();
  });
});

describe('a registry with more dialects', () => {
  const gull = { ...hermes, name: 'gull', aliases: ['tern'] };

  it('is another: the first stays what it was', () => {
    const three = two.with(gull);
    expect(three.find('tern')).toBe(gull);
    expect(three.dialects).toEqual([hermes, xnl, gull]);
    expect(two.has('gull')).toBe(false);
    expect(two.dialects).toEqual([hermes, xnl]);
  });

  it('has the new one of two with the same name', () => {
    const mine = { ...hermes, about: 'Mine.' };
    const changed = two.with(mine);
    expect(changed.find('hermes')).toBe(mine);
    expect(changed.find('qwen25')).toBe(mine);
    expect(changed.dialects).toEqual([xnl, mine]);
  });

  it('refuses a name that is an alias of another', () => {
    const add = () => two.with({ ...gull, name: 'qwen-3' });
    expect(add).toThrow(UsageError);
    expect(add).toThrow('hermes has this name, too');
  });

  it('leaves an alias to the dialect that had it first', () => {
    expect(two.with({ ...gull, aliases: ['qwen3'] }).find('qwen3')).toBe(hermes);
    expect(two.with({ ...gull, aliases: ['xnl'] }).find('xnl')).toBe(xnl);
  });
});
