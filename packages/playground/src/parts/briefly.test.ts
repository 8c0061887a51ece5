import { parseExact } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { briefly } from './briefly.js';

describe('a JSON value in one line', () => {
  it.each([
    ['{"city":"Rome","days":[1],"deep":{}}', '{city: "Rome", days: […], deep: {}} 3 members'],
    ['["a"]', '["a"] 1 item'],
    ['12345678901234567890', '12345678901234567890'],
    ['{"__proto__":1.0}', '{__proto__: 1.0} 1 member'],
  ])('%s is %s', (json, line) => {
    expect(briefly(parseExact(json), false)).toBe(line);
  });

  it('counts where the members stand below', () => {
    expect(briefly({ a: 1, b: 2 }, true)).toBe('2 members');
    expect(briefly([], true)).toBe('0 items');
  });

  it('stays short, however much there is', () => {
    const many = Array.from({ length: 100_000 }, () => 'x'.repeat(1000));
    expect(briefly(many, false).length).toBeLessThan(200);
    expect(briefly(many, false)).toContain('…] 100000 items');
  });
});
