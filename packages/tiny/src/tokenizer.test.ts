import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { randomModel } from './gguf.fixture.js';
import { readGguf } from './gguf.js';
import { readVocabulary, Tokenizer } from './tokenizer.js';
import { randomTexts, vocabularyHash } from './tokens.fixture.js';
import recorded from './tokens.fixture.json' with { type: 'json' };

type Vector = [text: string, ours: number[], outside: number[]];

const small = readVocabulary(readGguf(randomModel()));
const tokenizer = new Tokenizer(small);
const textOf = (ids: readonly number[]) =>
  new TextDecoder().decode(join(ids.map((id) => tokenizer.bytesOf(id))));
const names = (ids: readonly number[]) => ids.map((id) => small.texts[id]);

function join(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** llama.cpp lets a merge give a control token; ours does not. */
const isForged = ([, , outside]: Vector, { types }: { types: readonly number[] }) =>
  outside.some((id) => types[id] === 3 || types[id] === 2);

describe('the tokens of llama.cpp', () => {
  it('are those of a small vocabulary', () => {
    const { vocabulary, vectors } = recorded.small;
    expect(vocabulary).toBe(vocabularyHash(small));
    expect(vectors.length).toBeGreaterThan(150);
    let forged = 0;
    for (const vector of vectors as Vector[]) {
      const [text, ours, outside] = vector;
      if (isForged(vector, small)) forged++;
      else {
        expect(names(tokenizer.encode(text, 'ours'))).toEqual(names(ours));
        expect(names(tokenizer.encode(text, 'outside'))).toEqual(names(outside));
      }
    }
    expect(forged).toBeLessThan(vectors.length / 10);
  });

  const weights = new URL('../model/tiny.gguf', import.meta.url);

  it.runIf(existsSync(weights))('are those of the tiny model', () => {
    const vocabulary = readVocabulary(readGguf(readFileSync(weights)));
    const found = new Tokenizer(vocabulary);
    // Another vocabulary needs other vectors: test/tiny/record-tokens.mjs.
    expect(recorded.tiny.vocabulary).toBe(vocabularyHash(vocabulary));
    for (const [text, ours, outside] of recorded.tiny.vectors as Vector[]) {
      expect(found.encode(text, 'ours')).toEqual(ours);
      expect(found.encode(text, 'outside')).toEqual(outside);
    }
  });
});

describe('a tokenizer', () => {
  it('finds control tokens in text of ours only', () => {
    expect(names(tokenizer.encode('<tool_call>', 'ours'))).toEqual(['<tool_call>']);
    expect(tokenizer.encode('<tool_call>', 'outside').some((id) => tokenizer.isControl(id))).toBe(false);
  });

  it('gives no control token by a merge of text from outside', () => {
    expect(names(tokenizer.encode('<x>', 'outside'))).toEqual(['<x', '<0x3E>']);
    expect(names(tokenizer.encode('<x>', 'ours'))).toEqual(['<x>']);
  });

  it('gives tokens that spell the text again', () => {
    for (const text of randomTexts(small, 300))
      for (const origin of ['ours', 'outside'] as const) {
        const ids = tokenizer.encode(text, origin);
        // A mark that stands for spaces in a file cannot be told from one, unless a fixed text has it.
        const spelled = origin === 'ours' ? text.replaceAll('<｜tool▁calls▁begin｜>', '') : text;
        const found = origin === 'ours' ? textOf(ids).replaceAll('<｜tool▁calls▁begin｜>', '') : textOf(ids);
        expect(found).toBe(spelled.replaceAll('\u2581', ' '));
      }
  });

  it('takes time in proportion to the text', () => {
    const time = (text: string) => {
      const start = performance.now();
      tokenizer.encode(text, 'outside');
      return performance.now() - start;
    };
    time('aaaa the '.repeat(1000));
    expect(time('aaaa the '.repeat(20_000))).toBeLessThan(5_000);
  });
});
