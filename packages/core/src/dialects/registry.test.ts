import { describe, expect, it } from 'vitest';
import { dialects, findDialect } from './index.js';

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
});
