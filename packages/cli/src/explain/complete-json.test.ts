import { describe, expect, it } from 'vitest';
import { completeJson } from './complete-json.js';

describe('JSON that was cut', () => {
  it.each([
    ['{"a": 1}', '{"a": 1}'],
    ['{"city": "Par', '{"city": "Par"}'],
    ['{"city": "Paris", "days": [1, 2', '{"city": "Paris", "days": [1]}'],
    ['{"a": 1, "b"', '{"a": 1}'],
    ['{"a": 1, "b": ', '{"a": 1}'],
    ['{"a": 12', '{}'],
    ['{"a": tru', '{}'],
    ['{"a": "x\\', '{"a": "x"}'],
    ['{"a": "x\\\\', '{"a": "x\\\\"}'],
    ['{"a": "x\\u00', '{"a": "x"}'],
    ['{"a": {"b": "c"}', '{"a": {"b": "c"}}'],
    ['{', '{}'],
  ])('%s is closed as %s', (text, whole) => {
    expect(completeJson(text)).toBe(whole);
  });

  it.each(['', '[1', '"x', 'nonsense', '}{'])('%j gives nothing', (text) => {
    expect(completeJson(text)).toBeUndefined();
  });

  it('is an object wherever a whole one is cut', () => {
    const whole = '{"a": {"b": ["x\\"y", -1.5e3, null, {"c": ""}]}, "d": "\\u00e9\\\\", "e": true}';
    for (let end = 1; end <= whole.length; end++) {
      const text = completeJson(whole.slice(0, end));
      expect(text?.startsWith('{')).toBe(true);
      expect(() => JSON.parse(text ?? '')).not.toThrow();
    }
  });
});
