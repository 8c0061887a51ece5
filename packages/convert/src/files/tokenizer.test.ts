// Tokenizers that add a space to each text between special tokens. The ids and places are those of the library
// `tokenizers` 0.23.2, in UTF-16 and in the text as the normalizer gives it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { addingTokenizers, writeAddingTokenizer } from '../../../../test/masks/adding-tokenizers.js';
import { loadTokenizer } from './tokenizer.js';
import { hashTokenizer } from './tokenizer-file.js';

const folder = mkdtempSync(join(tmpdir(), 'dragoman-tokenizer-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const known = new Map(
  await Promise.all(
    addingTokenizers.map(
      async (name) => [name, await loadTokenizer(hashTokenizer(writeAddingTokenizer(name, folder)))] as const,
    ),
  ),
);

type Name = (typeof addingTokenizers)[number];

function encode(name: Name, text: string): string[] {
  return (known.get(name)?.encode(text) ?? []).map(({ id, start, end }) => `${id}: ${start}-${end}`);
}

describe('a tokenizer that adds a space to each text', () => {
  it('has one behind each special token, in the place of the character behind it', () => {
    const text = 'Hi<|im_end|>\n<|im_start|>assistant\n';
    const spaced = [
      ...['384: 0-1', '295: 0-1', '324: 1-2', '904: 2-12', '384: 12-13', '257: 12-13', '924: 13-25'],
      ...['474: 25-26', '334: 26-27', '605: 27-33', '335: 33-34', '257: 34-35'],
    ];
    expect(encode('metaspace', text)).toEqual(spaced);
    expect(encode('prepend', text)).toEqual(spaced);
    expect(encode('prefix-space', text)).toEqual([
      ...['220: 0-1', '39: 0-1', '72: 1-2', '704: 2-12', '220: 12-13', '198: 12-13', '724: 13-25'],
      ...['697: 25-27', '391: 27-34', '198: 34-35'],
    ]);
  });

  it('has none in front of a space, but where a normalizer adds it', () => {
    const text = 'Hi<|im_end|> Hi<|im_end|>  Hi';
    const begin = ['384: 0-1', '295: 0-1', '324: 1-2', '904: 2-12'];
    const middle = ['295: 13-14', '324: 14-15', '904: 15-25'];
    const end = ['295: 27-28', '324: 28-29'];
    expect(encode('metaspace', text)).toEqual([...begin, '384: 12-13', ...middle, '460: 25-27', ...end]);
    expect(encode('prepend', text)).toEqual([
      ...begin,
      '460: 12-13',
      ...middle,
      '460: 25-26',
      '384: 26-27',
      ...end,
    ]);
  });

  it('gives characters of several bytes and of two units their places', () => {
    const bytes = ['241: 1-3', '160: 1-3', '153: 1-3', '129: 1-3'];
    const at = (tokens: readonly string[], move: number) =>
      tokens.map((token) =>
        token.replace(/(\d+)-(\d+)/, (_, a, b) => `${Number(a) + move}-${Number(b) + move}`),
      );
    expect(encode('metaspace', '<|im_end|>é😀')).toEqual([
      '904: 0-10',
      '384: 10-11',
      '350: 10-11',
      ...at(bytes, 10),
    ]);
    expect(encode('metaspace', 'a<|im_end|>😀')).toEqual([
      '474: 0-1',
      '904: 1-11',
      '384: 11-13',
      ...at(bytes, 10),
    ]);
  });

  it('keeps places where the normalizer changes the text', () => {
    const text = 'e\u0301<|im_end|>e\u0301 b';
    expect(encode('prepend', text)).toEqual([
      ...['384: 0-1', '350: 0-1', '904: 1-11', '384: 11-12', '350: 11-12', '384: 12-13', '317: 13-14'],
    ]);
    expect(known.get('prepend')?.place(text, 2)).toBe(1);
    expect(known.get('prepend')?.place(text, text.length)).toBe(14);
    expect(encode('prepend', '<|im_end|>e\u0301')).toEqual(['904: 0-10', '384: 10-11', '350: 10-11']);
  });

  it('takes text that has the sign of a space itself', () => {
    for (const name of addingTokenizers)
      expect(encode(name, '\u2581a<|im_end|>\u2581 a').at(-1), name).toMatch(/-15$/);
  });
});
