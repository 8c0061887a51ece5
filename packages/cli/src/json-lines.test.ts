import { describe, expect, it } from 'vitest';
import { LineSplitter } from './json-lines.js';

function split(pieces: string[], limit?: number): string[] {
  const splitter = new LineSplitter(limit);
  const lines = pieces.flatMap((piece) => [...splitter.push(Buffer.from(piece))]);
  return [...lines, ...splitter.end()].map(String);
}

describe('lines', () => {
  it('end with a line break, wherever the stream is cut', () => {
    expect(split(['ab\ncd\n'])).toEqual(['ab', 'cd']);
    expect(split(['a', 'b\nc', 'd\n'])).toEqual(['ab', 'cd']);
    expect(split(['ab', '\n', 'cd', '\n'])).toEqual(['ab', 'cd']);
    expect(split(['\n\na\n'])).toEqual(['', '', 'a']);
  });

  it('include the last one without a line break', () => {
    expect(split(['ab\ncd'])).toEqual(['ab', 'cd']);
    expect(split([''])).toEqual([]);
  });

  it('are not kept when they are too long, and the next one is', () => {
    expect(split(['abc', 'def\nab\n'], 4)).toEqual(['too-long', 'ab']);
    expect(split(['ab\nabcde'], 4)).toEqual(['ab', 'too-long']);
    expect(split(['abcd\n'], 4)).toEqual(['abcd']);
  });
});
