import { describe, expect, it } from 'vitest';
import { validateInput } from './validate-input.js';

const schema = {
  type: 'object',
  properties: { days: { type: 'integer' }, city: { type: 'string' } },
  required: ['city'],
};

describe('validateInput', () => {
  it('finds nothing wrong with an input that fits', () => {
    expect(validateInput(schema, { city: 'Rome', days: 3 })).toEqual([]);
  });

  it('says where and what is wrong', () => {
    expect(validateInput(schema, { city: 'Rome', days: 'three' })).toEqual([
      'days: expected integer, got string',
    ]);
    expect(validateInput(schema, {}).join()).toContain('city');
  });
});
