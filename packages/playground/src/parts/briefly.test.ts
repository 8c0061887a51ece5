import { describe, expect, it } from 'vitest';
import { briefly } from './briefly.js';
import { jsonTree } from './json-tree.js';

const folded = (json: string) => briefly(json, jsonTree(json)!, false);
const unfolded = (json: string) => briefly(json, jsonTree(json)!, true);

describe('a JSON value in one line', () => {
  it.each([
    ['{"city":"Rome","days":[1],"deep":{}}', '{city: "Rome", days: […], deep: {}} 3 members'],
    ['["a"]', '["a"] 1 item'],
    ['12345678901234567890', '12345678901234567890'],
    ['{"__proto__":1.0}', '{__proto__: 1.0} 1 member'],
    ['{"city":"Ro', '{city: "Ro} 1 member so far'],
  ])('%s is %s', (json, line) => {
    expect(folded(json)).toBe(line);
  });

  it('counts where the members stand below', () => {
    expect(unfolded('{"a":1,"b":2}')).toBe('2 members');
    expect(unfolded('[')).toBe('0 items so far');
    expect(unfolded('[1,')).toBe('1 item so far');
  });

  it('shows what is empty as it is', () => {
    expect(unfolded('[]')).toBe('[]');
    expect(folded('{ }')).toBe('{}');
  });

  it('stays short, however much there is', () => {
    const many = JSON.stringify(Array.from({ length: 10_000 }, () => 'x'.repeat(1000)));
    expect(folded(many).length).toBeLessThan(200);
    expect(folded(many)).toContain('…] 10,000 items');
  });
});
