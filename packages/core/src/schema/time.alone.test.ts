import { expect, it } from 'vitest';
import { leastTime } from '../../../../test/cost.js';
import type { JsonSchema } from '../model/conversation.js';
import type { JsonValue } from '../model/json.js';
import { hostilePatterns } from './hostile-patterns.fixture.js';
import { acceptedTypes, propertySchema } from './schema.js';
import { createValidator } from './validate.js';

it('a schema that doubles at every level is answered within 200 ms', () => {
  const $defs: Record<string, unknown> = { L0: { type: 'string' } };
  for (let level = 1; level <= 31; level++) {
    const $ref = `#/$defs/L${level - 1}`;
    $defs[`L${level}`] = { allOf: [{ $ref }, { $ref }] };
  }
  const ask = () => {
    acceptedTypes({ $ref: '#/$defs/L31' }, { $defs } as JsonSchema);
    propertySchema({ $ref: '#/$defs/L31' }, 'key', { $defs } as JsonSchema);
  };
  expect(leastTime(ask, 200)).toBeLessThan(200);
});

it.each(hostilePatterns)('a pattern %s costs less than 100 ms (M18)', (_, schema, value) => {
  const validator = createValidator(schema as JsonSchema);
  const check = () => expect(validator.check(value as JsonValue)).toEqual([]);
  expect(leastTime(check, 100)).toBeLessThan(100);
});
