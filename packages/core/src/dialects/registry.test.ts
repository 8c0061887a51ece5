import { describe, expect, it } from 'vitest';
import { addDialect, dialects, findDialect, knownDialects, rememberDialects } from './index.js';

/** As `findDialect` compares: case, `-`, `_` and `.` make no difference. */
const plain = (name: string) => name.toLowerCase().replaceAll(/[-_.]/g, '');

describe('the names of dialects', () => {
  it('are each claimed by one dialect alone', () => {
    const claims = new Map<string, Set<string>>();
    for (const { name, aliases } of dialects)
      for (const one of [name, ...aliases])
        claims.set(plain(one), (claims.get(plain(one)) ?? new Set()).add(name));
    expect([...claims].filter(([, claimed]) => claimed.size > 1)).toEqual([]);
  });

  it('and aliases all lead to it', () => {
    for (const dialect of dialects)
      for (const name of [dialect.name, ...dialect.aliases]) expect(findDialect(name), name).toBe(dialect);
  });

  it('are again what they were, for whoever added some and takes them back', () => {
    const known = knownDialects();
    const hermes = findDialect('hermes');
    const takeBack = rememberDialects();
    addDialect({ ...hermes, about: 'Another.' });
    addDialect({ ...hermes, name: 'registry-gull', aliases: ['registry-tern'] });
    expect(findDialect('hermes').about).toBe('Another.');
    expect(findDialect('registry-tern').name).toBe('registry-gull');
    takeBack();
    expect(knownDialects()).toBe(known);
    expect(findDialect('qwen25')).toBe(hermes);
    for (const name of ['registry-gull', 'registry-tern']) expect(() => findDialect(name)).toThrow(name);
  });
});
