import { describe, expect, it } from 'vitest';
import { all, dialects, findDialect } from './all.js';
import * as each from './each.js';
import { small } from './small.js';

/** As `find` compares: case, `-`, `_` and `.` make no difference. */
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

describe('the lists', () => {
  it('of all holds each dialect that is exported, once', () => {
    expect(new Set(dialects)).toEqual(new Set(Object.values(each)));
    expect(dialects.length).toBe(Object.values(each).length);
  });

  it('of few is a part of it, in the same order', () => {
    expect(small.dialects).toEqual(all.dialects.filter((dialect) => small.dialects.includes(dialect)));
  });
});
