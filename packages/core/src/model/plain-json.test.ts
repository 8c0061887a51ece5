import { describe, expect, it } from 'vitest';
import type { JsonValue } from './json.js';
import { plainPython } from './plain-json.js';
import { stringifyJson } from './stringify-json.js';

const values: JsonValue[] = [
  null,
  true,
  false,
  0,
  -0,
  1.5,
  1e21,
  1e-7,
  123456789012,
  '',
  'object',
  'a "b" \\ \n \u0001 \u2028',
  'short"',
  '\ud800',
  '你好😀',
  [],
  {},
  [[], {}, [[]], [{}]],
  { '': {}, a: [], 'k"\n': [1, 'two', null, { b: 1e-9 }], '\ud800x': '\udc00' },
  { type: 'object', properties: { type: { type: 'string', enum: ['string', 'a'] } }, required: ['type'] },
];

describe('plain JSON in Python’s spelling', () => {
  it.each(values.map((value) => [JSON.stringify(value), value] as const))(
    'of %s is that of the long way',
    (_, value) => {
      expect(plainPython(value)).toBe(stringifyJson(value, 'python'));
      // Keys and words are kept.
      expect(plainPython([value, { k: value }])).toBe(stringifyJson([value, { k: value }], 'python'));
    },
  );

  it('is the same when many keys and words came before', () => {
    for (let n = 0; n < 3000; n++) {
      const value = { [`key ${n}`]: `w${n}`, ['k'.repeat(50)]: n };
      expect(plainPython(value)).toBe(stringifyJson(value, 'python'));
    }
  });
});
