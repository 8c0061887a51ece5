import { describe, expect, it } from 'vitest';
import { Places } from './places.js';

describe('a place', () => {
  const places = new Places('one\ntwo 😀 three\n');

  it.each([
    [0, 1, 1],
    [3, 1, 4],
    [4, 2, 1],
    [8, 2, 5],
    [10, 2, 6],
    [17, 3, 1],
  ])('at %i is line %i, column %i', (offset, line, column) => {
    expect(places.of(offset)).toEqual({ line, column });
  });
});

describe('an excerpt', () => {
  const excerpt = (text: string, start: number, end: number, width = 40) =>
    new Places(text).excerpt([start, end], width);

  it('has carets under the range', () => {
    expect(excerpt('{"a": 1,}', 7, 8)).toEqual(['{"a": 1,}', '       ^']);
    expect(excerpt('one\ntwo three', 8, 13)).toEqual(['two three', '    ^^^^^']);
  });

  it('has one caret where the range is empty, also behind the end', () => {
    expect(excerpt('abc', 1, 1)).toEqual(['abc', ' ^']);
    expect(excerpt('abc', 3, 3)).toEqual(['abc', '   ^']);
    expect(excerpt('', 0, 0)).toEqual(['', '^']);
  });

  it('marks the first line of a range of several', () => {
    expect(excerpt('ab cd\nef', 3, 8)).toEqual(['ab cd', '   ^^']);
  });

  it('counts the columns of wide characters', () => {
    expect(excerpt('日本 x', 3, 4)).toEqual(['日本 x', '     ^']);
    expect(excerpt('<｜DSML｜>', 1, 2)).toEqual(['<｜DSML｜>', ' ^^']);
  });

  it('shows control characters, so that nothing moves', () => {
    expect(excerpt('\u001b[31m\tx', 6, 7)).toEqual(['␛[31m x', '      ^']);
  });

  it('cuts long lines around the place', () => {
    const [text, carets] = excerpt(`${'a'.repeat(100)}HERE${'b'.repeat(100)}`, 100, 104, 30);
    expect(text).toBe('…aaaaaaaaaaHEREbbbbbbbbbbbbbb…');
    expect(carets).toBe('           ^^^^');
  });

  it('never cuts a character in two', () => {
    const [text] = excerpt('😀'.repeat(50), 61, 62, 21);
    expect(text.isWellFormed()).toBe(true);
  });

  it('is never wider than asked', () => {
    for (let start = 0; start <= 120; start += 7) {
      const lines = excerpt('x'.repeat(120), start, start + 50, 33);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(33);
    }
  });
});
