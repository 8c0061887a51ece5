import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineOf, placeOf } from './json-place.js';

const valueAt = (json: string, path: string) => {
  const { from, to } = placeOf(json, path);
  return json.slice(from, to);
};

describe('placeOf', () => {
  const json =
    '{\n "messages": [ {"role":"user"}, {"role" : "x\\"]", "n": [1, 22 ,3]} ],\n "odd key": true, "a.b[0]": {"y": 7} }';

  it.each([
    ['messages[0].role', '"user"'],
    ['messages[1].role', '"x\\"]"'],
    ['messages[1].n[1]', '22'],
    ['messages[1].n[2]', '3'],
    ['messages[1].n', '[1, 22 ,3]'],
    ['["odd key"]', 'true'],
    ['["a.b[0]"].y', '7'],
    ['messages[7].role', '[ {"role":"user"}, {"role" : "x\\"]", "n": [1, 22 ,3]} ]'],
    ['', json.trim()],
  ])('finds %s', (path, found) => expect(valueAt(json, path)).toBe(found));

  it('finds every member of every object, however it is laid out', () => {
    const layouts = fc.constantFrom(undefined, 1, '\t');
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), layouts, (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        for (const [key, member] of Object.entries(JSON.parse(text) as object)) {
          expect(JSON.parse(valueAt(text, `[${JSON.stringify(key)}]`))).toEqual(member);
        }
      }),
      { seed: 6, numRuns: 300 },
    );
  });

  it('takes depth and length in its stride', () => {
    const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)},"b":1}`;
    expect(valueAt(nested(500), 'b')).toBe('1');
    // The library reads no JSON that is so deep.
    expect(() => valueAt(nested(100_000), 'b')).not.toThrow();
  });
});

it('lineOf counts from 1', () => {
  expect(lineOf('a\nb\nc', 0)).toBe(1);
  expect(lineOf('a\nb\nc', 4)).toBe(3);
});
