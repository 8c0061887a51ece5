import { describe, expect, it } from 'vitest';
import { timesTheCost } from '../../../../test/cost.js';
import type { JsonSchema } from '../model/conversation.js';
import type { JsonValue } from '../model/json.js';
import { createValidator } from './validate.js';

describe('what a check costs', () => {
  /** A check, by the measure of reading a million numbers. */
  const cost = (schema: unknown, value: unknown, limit: number) => {
    const validator = createValidator(schema as JsonSchema);
    const numbers = JSON.stringify(list(1_000_000));
    return timesTheCost(
      () => validator.check(value as JsonValue),
      () => JSON.parse(numbers),
      { limit, inARow: 3 },
    );
  };

  it.each([
    ['a schema that doubles at every level', doubling(), 'x'],
    ['a wide object under many schemas', { allOf: Array.from({ length: 5_000 }, () => ({})) }, wide(50_000)],
    [
      'a long list under many schemas',
      { items: { allOf: Array.from({ length: 5_000 }, () => ({})) } },
      list(50_000),
    ],
    ['a long list under a long enum', { items: { enum: list(5_000).map(String) } }, list(50_000)],
    [
      'a long text measured often',
      { allOf: Array.from({ length: 5_000 }, () => ({ minLength: 1 })) },
      'x'.repeat(1e6),
    ],
    ['a long list of unique items', { uniqueItems: true }, list(50_000)],
  ])('is bounded for %s', (_, schema, value) => {
    expect(cost(schema, value, 40)).toBeLessThan(40);
  });
});

function doubling(): unknown {
  const $defs: Record<string, unknown> = { L0: { type: 'string' } };
  for (let level = 1; level <= 40; level++) {
    const $ref = `#/$defs/L${level - 1}`;
    $defs[`L${level}`] = { allOf: [{ $ref }, { $ref }] };
  }
  return { $defs, $ref: '#/$defs/L40' };
}

function list(length: number): number[] {
  return Array.from({ length }, (_, n) => n);
}

function wide(length: number): Record<string, number> {
  return Object.fromEntries(list(length).map((n) => [`key ${n}`, n]));
}
