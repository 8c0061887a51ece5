import { describe, expect, it } from 'vitest';
import { cutLines, padTo, visibleLine, visibleText, widthOf, wrapWords } from './visible-text.js';

describe('visible text', () => {
  it('holds nothing that acts on a terminal', () => {
    expect(visibleText('a\u001b]0;title\u0007b\r\u007f\u009b')).toBe('a␛]0;title␇b␍␡\\u009b');
    expect(visibleText('\u202etxt.exe')).toBe('\\u202etxt.exe');
    expect(visibleText('a\n\tb')).toBe('a\n\tb');
    expect(visibleLine('a\n\tb')).toBe('a⏎⇥b');
  });

  it('leaves text of every language alone', () => {
    expect(visibleText('héllo 日本 😀 👩‍🚀 שלום')).toBe('héllo 日本 😀 👩‍🚀 שלום');
  });

  it('knows its columns', () => {
    expect(widthOf('abc')).toBe(3);
    expect(widthOf('日本')).toBe(4);
    expect(widthOf('<｜tool▁sep｜>')).toBe(14);
    expect(widthOf('e\u0301')).toBe(1);
    expect(widthOf('😀')).toBe(2);
    expect(padTo('日', 4)).toBe('日  ');
  });
});

describe('lines', () => {
  it('are cut where they are full', () => {
    expect(cutLines('abcdef\n\nx', 4)).toEqual(['abcd', 'ef', '', 'x']);
    expect(cutLines('日本語', 5)).toEqual(['日本', '語']);
    expect(cutLines('日', 1)).toEqual(['日']);
  });

  it('of prose are wrapped between words', () => {
    expect(wrapWords('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrapWords('immeasurable', 4)).toEqual(['immeasurable']);
  });
});
