import { describe, expect, it } from 'vitest';
import { hideKeys } from './hide-keys.js';

describe('hideKeys', () => {
  it.each([
    ['Incorrect key sk-ant-api03-Abc123456789_x for it', 'Incorrect key [key] for it'],
    ['("sk-proj-abcdef0123456789")', '("[key]")'],
    ["api_key='gsk_abcdef0123456789'", "api_key='[key]'"],
    ['?key=AIzaSyABCDEF0123456789&x=1', '?key=[key]&x=1'],
    ['Authorization: Bearer 0123456789abcdef', 'Authorization: Bearer [key]'],
    ['(bearer eyJhbGciOi.abc)', '(bearer [key])'],
    ['provided: sk-canary-do-not-leak.', 'provided: [key].'],
    ['sk-abcd********wxyz is wrong', '[key] is wrong'],
  ])('hides the key in %s', (text, hidden) => {
    expect(hideKeys(text)).toBe(hidden);
  });

  it.each([
    'The model claude-sonnet-4-5-20250929 does not exist.',
    'Use a task-list-with-a-long-name, or a disk-image-of-some-size.',
    'bearer of bad news',
    'max_tokens must be at most 4096; see https://example.com/docs/errors#key-management',
    '',
  ])('leaves %j alone', (text) => {
    expect(hideKeys(text)).toBe(text);
  });
});
