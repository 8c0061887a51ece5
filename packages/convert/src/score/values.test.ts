import { parseExact } from '@dragoman/core/internal';
import { describe, expect, it } from 'vitest';
import { differenceOf } from './values.js';

describe('the difference of two values', () => {
  it('shows numbers with all of their digits', () => {
    const found = parseExact('{"a": 9007199254740993}');
    const expected = parseExact('{"a": 9007199254740992}');
    expect(differenceOf(found, expected)).toBe('a: expected 9007199254740992, found 9007199254740993');
  });
});
