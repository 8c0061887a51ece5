import { describe, expect, it } from 'vitest';
import { ageWords, durationWords, prefixWords, resultWords, statusWords } from './words.js';

describe('times as people read them', () => {
  it.each([
    [undefined, '–'],
    [0.4, '0.4 ms'],
    [276.2, '276 ms'],
    [1540, '1.5 s'],
    [125_000, '2 min 5 s'],
  ])('%s milliseconds are %s', (ms, words) => {
    expect(durationWords(ms)).toBe(words);
  });

  it.each([
    [-500, 'now'],
    [900, 'now'],
    [59_999, '59 s ago'],
    [61_000, '1 min ago'],
    [7_300_000, '2 h ago'],
    [200_000_000, '2 d ago'],
  ])('%s milliseconds before now is %s', (ms, words) => {
    const time = '2026-01-01T00:00:00.000Z';
    expect(ageWords(time, Date.parse(time) + ms)).toBe(words);
  });

  it('says how much of a prompt stays, and what broke it', () => {
    expect(prefixWords({ of: 'a', known: 200, stable: 200 })).toBe('100 % of exchange a stay');
    expect(prefixWords({ of: 'a', known: 200, stable: 50, was: '<think>', is: 'Hi' })).toBe(
      '25 % of exchange a stay; then it was "<think>", and is "Hi"',
    );
  });

  it('says what an exchange came to', () => {
    expect(resultWords({ api: 'chat', calls: 2 })).toBe('2 calls');
    expect(resultWords({ api: 'messages', calls: 0 })).toBe('text only');
    expect(resultWords({ api: 'count-tokens', calls: 0 })).toBe('tokens counted, no model asked');
  });

  it('says how an exchange ended', () => {
    expect(statusWords({ open: true })).toBe('open');
    expect(statusWords({ open: false, status: 200 })).toBe('200');
    expect(statusWords({ open: false, status: 502, error: { code: 'upstream-failed' } })).toBe(
      '502 upstream-failed',
    );
    expect(statusWords({ open: false, status: 200, left: true })).toBe('client left');
  });
});
