import { dialects } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { jsonTree } from '../parts/json-tree.js';
import { textRange } from './argument-map.js';
import { corpusOutputs } from './corpus.fixture.js';
import { type ReadInput, type ReadJob, readAll } from './jobs.js';

const outputs = corpusOutputs();

function run<T>(job: ReadJob<T>): { result: T; pauses: number } {
  for (let pauses = 0; ; pauses++) {
    const { done, value } = job.next();
    if (done) return { result: value, pauses };
  }
}

const inputOf = (text: string, dialect: string, more: Partial<ReadInput> = {}): ReadInput => ({
  text,
  dialect,
  tools: [],
  thinking: false,
  ...more,
});

describe('the map of arguments', () => {
  it('leads into the call for every argument of the corpus, and arguments follow one another', () => {
    for (const { name, dialect, text, options } of outputs) {
      const input = inputOf(text, dialect.name, {
        tools: options.tools,
        thinking: options.thinking ?? false,
      });
      for (const { raw, map, range } of run(readAll(input, dialects)).result.reading.calls) {
        let last = range[0];
        for (const { start, end } of jsonTree(raw)?.children ?? []) {
          const found = textRange(map, start, end);
          expect(found, name).toBeDefined();
          expect(found![0], name).toBeGreaterThanOrEqual(last);
          expect(found![1], name).toBeLessThanOrEqual(range[1]);
          last = found![0];
        }
      }
    }
  });
});
