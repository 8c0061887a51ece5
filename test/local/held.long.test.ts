// A thousand samples at a temperature of 1.5 in every dialect that has a grammar, by a real model: required and named
// calls of strict tools, and structured output. Each has to be right; none may be repaired or asked for again. Answers
// of the tiny model are drawn as a tree (answer-tree.mjs), half a minute a dialect; those of another, DRAGOMAN_GGUF, one
// by one by the engine. Forty more are free to answer in words, always by the engine: a call has to be right there,
// too.

import { dialects } from '@dragoman/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { findSetup, type LocalSetup } from './gguf-gateway.js';
import { sampleHeld } from './held-samples.js';

const SAMPLES = 1000;
const FREE_SAMPLES = 40;
/** Of all dialects. */
let faults = 0;
const BY = process.env.DRAGOMAN_GGUF ? 'engine' : 'tree';

let setup: LocalSetup | undefined;
beforeAll(async () => {
  setup = await findSetup('a thousand samples that a grammar holds');
}, 180_000);

describe.each(dialects.filter(({ constrain }) => constrain).map(({ name }) => name))('%s', (name) => {
  it('is written right every time', async (context) => {
    if (!setup) context.skip();
    else {
      const [found] = await sampleHeld(setup, [name], SAMPLES, BY);
      console.log(JSON.stringify(found));
      // Bytes that are no UTF-8 and that llama.cpp's grammar takes for one character (docs/local-models.md).
      const others = found?.faults.filter((fault) => !fault.includes('\ufffd'));
      expect(others).toEqual([]);
      faults += SAMPLES - (found?.valid ?? 0);
      expect(faults, 'in all dialects so far').toBeLessThanOrEqual(1);
    }
  }, 3_600_000);

  it('is written right where the model is free to call or not', async (context) => {
    if (!setup) context.skip();
    else {
      const [found] = await sampleHeld(setup, [name], FREE_SAMPLES, 'free');
      console.log(JSON.stringify(found));
      expect(found?.faults).toEqual([]);
    }
  }, 3_600_000);
});
