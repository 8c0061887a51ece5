// What is surely valid is valid.

import { createValidator, type JsonObject, type JsonValue } from '@dragoman/core/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isSurelyValid } from './surely-valid.js';

const leaf = fc.constantFrom<JsonValue>('metric', 'x', '', 1, -0, 1.5, 1e300, true, false, null);
const key = fc.constantFrom('a', 'b', 'constructor', '__proto__');
const value = fc.letrec<{ any: JsonValue }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('any'), { maxLength: 2 }),
    fc.dictionary(key, tie('any'), { maxKeys: 2 }) as fc.Arbitrary<JsonValue>,
  ),
})).any;

const type = fc.constantFrom<JsonValue>('string', 'integer', 'number', 'boolean', 'array', 'object', 'text', [
  'null',
]);
const schema = fc.letrec<{ any: JsonObject }>((tie) => ({
  any: fc.record(
    {
      type,
      description: fc.constant('d'),
      enum: fc.constantFrom<JsonValue>(['metric', 'x'], [1], 'x', []),
      properties: fc.oneof({ maxDepth: 2 }, fc.constant({}), fc.dictionary(key, tie('any'), { maxKeys: 2 })),
      required: fc.constantFrom<JsonValue>([], ['a'], ['__proto__'], 'a', [1]),
      additionalProperties: fc.constantFrom<JsonValue>(true, false, { type: 'string' }, 'no'),
      items: fc.oneof({ maxDepth: 2 }, fc.constantFrom<JsonValue>(true, []), tie('any')),
    },
    { requiredKeys: ['type'] },
  ) as fc.Arbitrary<JsonObject>,
})).any;

describe('an input that surely fulfils its schema', () => {
  it('is one in which the validator finds nothing wrong', () => {
    let sure = 0;
    for (const [one, inputs] of fc.sample(fc.tuple(schema, fc.array(value, { minLength: 9, maxLength: 9 })), {
      numRuns: 4000,
      seed: 5,
    })) {
      const input = inputs.find((each) => isSurelyValid(one, each));
      if (input === undefined) continue;
      sure++;
      expect({ one, input, problems: createValidator(one).check(input) }).toEqual({
        one,
        input,
        problems: [],
      });
    }
    expect(sure).toBeGreaterThan(200);
  });

  it('is known for schemas as tools have them', () => {
    const weather: JsonObject = {
      type: 'object',
      properties: {
        city: { type: 'string', description: 'Where.' },
        days: { type: 'integer', default: 1 },
        unit: { type: 'string', enum: ['metric', 'imperial'] },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['city'],
      additionalProperties: false,
    };
    expect(isSurelyValid(weather, { city: 'Paris', days: 2, unit: 'metric', tags: ['a'] })).toBe(true);
    for (const input of [
      {},
      { city: 1 },
      { city: 'P', unit: 'x' },
      { city: 'P', tags: [1] },
      { city: 'P', z: 1 },
    ])
      expect(isSurelyValid(weather, input)).toBe(false);
  });

  it('is not guessed where a schema says what is not understood here', () => {
    for (const more of [{ pattern: 'x' }, { minLength: 2 }, { $ref: '#/x' }, { oneOf: [] }])
      expect(isSurelyValid({ type: 'string', ...more }, 'xx')).toBe(false);
  });
});
