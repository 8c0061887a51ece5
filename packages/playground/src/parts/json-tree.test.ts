import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type JsonNode, jsonTree, pathTo } from './json-tree.js';

/** Back to a value, from the places alone. */
function spelledBy(json: string, { type, children, valueStart, end }: JsonNode): unknown {
  if (type === 'object')
    return Object.fromEntries(children.map((child) => [child.key, spelledBy(json, child)]));
  if (type === 'array') return children.map((child) => spelledBy(json, child));
  return JSON.parse(json.slice(valueStart, end));
}

it('every value stands where the tree says', () => {
  const json = fc.jsonValue({ maxDepth: 5 }).map((value) => JSON.stringify(value, null, 1));
  fc.assert(
    fc.property(json, (text) => {
      expect(JSON.stringify(spelledBy(text, jsonTree(text)!))).toBe(JSON.stringify(plain(JSON.parse(text))));
    }),
    { seed: 6, numRuns: 300 },
  );
});

/** As `fromEntries` builds it: `__proto__` is a key like any other. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
}

it('a beginning of JSON is the beginning of its tree', () => {
  const json = '{"city": "Par\\"is", "days": [1, 22, {"a": null}], "b": true}';
  const whole = jsonTree(json)!;
  for (let length = 1; length < json.length; length++) {
    const root = jsonTree(json.slice(0, length))!;
    expect(root.open).toBe(true);
    expect(root.end).toBe(length);
    const complete = root.children.filter(({ open }) => !open);
    for (const [at, { key, end }] of complete.entries()) {
      expect(whole.children[at]).toMatchObject({ key, end });
    }
  }
});

it('the way to a place leads through its members', () => {
  const json = '{"a":{"b":[10,20]}}';
  const keys = pathTo(jsonTree(json), json.indexOf('20')).map(({ key }) => key);
  expect(keys).toEqual([undefined, 'a', 'b', '1']);
  expect(pathTo(jsonTree(json), json.length)).toEqual([]);
});

it('what is no JSON does not hold it up', () => {
  for (const text of ['', ' ', '}', '[}', '{1', '{"a"', '{"a":}', ':::', '{"a"::', '"\\']) {
    expect(() => jsonTree(text)).not.toThrow();
  }
});
