import { describe, expect, it } from 'vitest';
import { ExactNumber } from '../../model/index.js';
import { splitThinking, strip, stripBreaks, toPythonText } from './python-text.js';

describe('strip', () => {
  it('takes what Python takes and leaves what it leaves', () => {
    expect(strip('\x1c\u0085\u2003 a b \u3000\n')).toBe('a b');
    expect(strip('\ufeffa\ufeff')).toBe('\ufeffa\ufeff');
    expect(strip(' \n ')).toBe('');
  });

  it('stripBreaks takes line breaks alone', () => expect(stripBreaks('\n\n a \n')).toBe(' a '));

  it('is linear in white space that is not at the end', () => {
    expect(strip(`${' '.repeat(200_000)}a`.repeat(2))).toHaveLength(200_002);
  });
});

describe('splitThinking', () => {
  it.each([
    ['no thought', '', 'no thought'],
    ['<think>\nr\n</think>\n\nA', 'r', 'A'],
    ['r</think>A', 'r', 'A'],
    ['x<think>a<think>b</think>c</think>d', 'b', 'd'],
  ])('takes %j apart', (text, reasoning, answer) => {
    expect(splitThinking(text)).toEqual({ reasoning, text: answer });
  });
});

describe('toPythonText', () => {
  it.each([
    ['text', 'text'],
    [true, 'True'],
    [null, 'None'],
    [1e-5, '1e-05'],
    [new ExactNumber('1.0'), '1.0'],
    [['a', "it's", 'both \'"', '\n\\'], `['a', "it's", 'both \\'"', '\\n\\\\']`],
    [{ a: [false] }, "{'a': [False]}"],
  ])('prints %j as Python does', (value, expected) => expect(toPythonText(value)).toBe(expected));
});
