import { describe, expect, it } from 'vitest';
import { answeredArguments } from './call-arguments.js';

describe('the arguments that a client gets', () => {
  it('have a key once, with the last value, and all digits of numbers', () => {
    const raw = '{"id": 12345678901234567890, "city": "Rome", "city": "Oslo"}';
    const input = JSON.parse(raw);
    expect(answeredArguments({ raw, input })).toBe('{"id":12345678901234567890,"city":"Oslo"}');
  });

  it('are as the model wrote them otherwise', () => {
    const raw = '{"id": 12345678901234567890, "at": {"id": 1.0}}';
    expect(answeredArguments({ raw, input: JSON.parse(raw) })).toBe(raw);
  });
});
