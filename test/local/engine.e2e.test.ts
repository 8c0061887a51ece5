// The engine itself, in a process of its own: special tokens, grammars that begin with an opener, stops, the end of a
// context. And a few samples of every dialect that has a grammar; held.long.test.ts draws a thousand.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { dialects } from '@dragoman/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { oneOf } from '../effort.js';
import { findSetup, type LocalSetup } from './gguf-gateway.js';
import { type HeldSamples, sampleHeld } from './held-samples.js';

interface Checked {
  count: number;
  ours: string[];
  outside: string[];
  changed: string[];
  hostile: { by: string; dialect: string; count: number; isSame: boolean }[];
  holds: Record<string, { isHeld: boolean; replaced: (string | null)[] }>;
  beginnings: Record<string, { isHeld: boolean; replaced: (string | null)[] }>;
  answers: Record<string, { text: string; reason: string; held: boolean; usage: Record<string, number> }>;
  aborted: string;
  tooLong: { code: string; message: string };
}

interface Written {
  text: string;
  pieces: string[];
  reason: string;
  tokens: number;
}

interface SampledAnswers {
  greedy: Written;
  likeliest: Record<string, Written>;
  hot: string[];
  again: string[];
  penalties: Record<string, Written>;
  stop: string;
  stopped: Written;
  abort: Record<string, { outcome: string; pieces: number; later: number }>;
  afterwards: Written;
}

let setup: LocalSetup | undefined;
let checked: Checked;
let sampled: SampledAnswers;
let samples: HeldSamples[] = [];
let freeSamples: HeldSamples[] = [];

const SAMPLES = 4;
/** Of those that are free to answer in words. The tiny model calls in each of them. */
const FREE = ['hermes', 'glm-4.5', 'deepseek-v3'];
const drawn = oneOf(
  6,
  dialects.filter(({ constrain }) => constrain).map(({ name }) => name),
);

beforeAll(async () => {
  setup = await findSetup('the engine of models in the process');
  if (!setup) return;
  checked = await resultOf('check-tokens.mjs', setup);
  sampled = await resultOf('check-sampling.mjs', setup);
  samples = await sampleHeld(setup, drawn, SAMPLES);
  freeSamples = await sampleHeld(setup, FREE, SAMPLES, 'free');
}, 300_000);

async function resultOf<Result>(script: string, { llama, model }: LocalSetup): Promise<Result> {
  const child = spawn(process.execPath, [join(import.meta.dirname, script)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, DRAGOMAN_NODE_LLAMA_CPP: llama },
  });
  child.stdin.end(JSON.stringify({ model }));
  return JSON.parse(await text(child.stdout)) as Result;
}

const here = (name: string, run: () => void) =>
  it(name, (context) => {
    if (!setup) context.skip();
    run();
  });

describe('the special tokens of a model', () => {
  here('are tokens in our text, and none of them is one in text from outside', () => {
    expect(checked.count).toBeGreaterThan(0);
    expect(checked.ours).toEqual([]);
    expect(checked.outside).toEqual([]);
    expect(checked.changed).toEqual([]);
  });

  here('are those of the prompt alone, whatever a conversation spells, here and in the tiny runtime', () => {
    expect(checked.hostile.filter(({ isSame }) => !isSame)).toEqual([]);
    expect(new Set(checked.hostile.map(({ by }) => by))).toEqual(new Set(['llama', 'runtime']));
    expect(checked.hostile.every(({ count }) => count > 0)).toBe(true);
  });
});

describe('a grammar that begins with the opener of a call', () => {
  here('leaves words alone, and holds from the opener on, however it was cut', () => {
    const { free, opened, cut } = checked.holds;
    expect(free).toEqual({ isHeld: false, replaced: [null, null] });
    expect(opened).toEqual({ isHeld: true, replaced: [null, null] });
    expect(cut).toEqual({ isHeld: true, replaced: [null, null] });
  });

  here('replaces what a token has behind the opener and the grammar does not allow', () => {
    expect(checked.holds.wrong).toEqual({ isHeld: true, replaced: [null, 'x<call>ab'] });
  });

  here('does not begin in reasoning', () => {
    expect(checked.holds.thought?.isHeld).toBe(false);
    expect(checked.holds.behind).toEqual({ isHeld: true, replaced: [null, null, null] });
  });
});

describe('a grammar whose opener the prompt has begun', () => {
  here('holds from the rest of it on, as the first text of an answer', () => {
    expect(checked.beginnings.first).toEqual({ isHeld: true, replaced: [null, null] });
    expect(checked.beginnings.wrong).toEqual({ isHeld: true, replaced: [' to=ab'] });
    expect(checked.beginnings.lead).toEqual({ isHeld: true, replaced: [null, null, null] });
  });

  here('holds from there on behind reasoning, too, and nowhere else', () => {
    expect(checked.beginnings.later?.isHeld).toBe(false);
    expect(checked.beginnings.thought).toEqual({ isHeld: true, replaced: [null, null, null, null] });
    expect(checked.beginnings.behind?.isHeld).toBe(false);
  });
});

describe('an answer of the engine', () => {
  here('is what its grammar says', () => {
    expect(checked.answers.held).toMatchObject({ text: 'one two three four', reason: 'stop', held: true });
  });

  here('ends before a text that stops it, and after so many tokens', () => {
    expect(checked.answers.stopped).toMatchObject({ text: 'one ', reason: 'stop' });
    expect(checked.answers.cut).toMatchObject({ reason: 'length', usage: { outputTokens: 1 } });
  });

  here('is kept with its prompt for the next turn', () => {
    const { held, again } = checked.answers;
    const before = (held?.usage.inputTokens ?? 0) + (held?.usage.outputTokens ?? 0);
    expect(again?.usage.cachedTokens).toBe(before);
  });

  here('ends at once when nobody waits for it, within its prompt, too', () => {
    expect(checked.aborted).toBe('left');
  });

  here('is refused where the conversation is longer than the context', () => {
    expect(checked.tooLong.code).toBe('context-too-long');
    expect(checked.tooLong.message).toMatch(/has \d+ tokens; the context of .* holds \d+/);
  });
});

describe('sampling', () => {
  here('takes the likeliest token where top_p, top_k or min_p leave no other', () => {
    const { greedy, likeliest, hot } = sampled;
    expect(greedy.tokens).toBeGreaterThan(20);
    for (const { text } of Object.values(likeliest)) expect(text).toBe(greedy.text);
    // They had an effect: without them it goes astray.
    expect(hot).not.toContain(greedy.text);
  });

  here('gives the same text for the same seed, and another for another', () => {
    expect(sampled.again).toEqual(sampled.hot);
    expect(new Set(sampled.hot).size).toBe(sampled.hot.length);
  });

  here('never repeats a token with a strong penalty of any kind', () => {
    const repeated = ({ pieces }: Written) => pieces.length - new Set(pieces).size;
    expect(repeated(sampled.greedy)).toBeGreaterThan(2);
    for (const penalised of Object.values(sampled.penalties)) {
      expect(repeated(penalised)).toBe(0);
      expect(penalised.text).not.toBe(sampled.greedy.text);
    }
  });

  here('ends before a text that stops a free answer', () => {
    const { greedy, stop, stopped } = sampled;
    expect(stopped).toMatchObject({ text: greedy.text.slice(0, greedy.text.indexOf(stop)), reason: 'stop' });
    expect(stopped.tokens).toBeLessThan(greedy.tokens);
  });

  here('stops at once when it is aborted, and the model goes on to serve', () => {
    for (const { outcome, pieces, later } of Object.values(sampled.abort)) {
      expect(outcome).toBe('left');
      expect(pieces).toBeGreaterThanOrEqual(5);
      expect(pieces).toBeLessThan(100);
      // The token that was being evaluated.
      expect(later).toBeLessThanOrEqual(2);
    }
    expect(sampled.afterwards.text).toBe(sampled.greedy.text);
  });
});

describe('samples at a temperature of 1.5 that a grammar holds', () => {
  here('are valid, all of them', () => {
    expect(samples.map(({ dialect, valid, faults }) => ({ dialect, valid, faults }))).toEqual(
      drawn.map((dialect) => ({ dialect, valid: SAMPLES, faults: [] })),
    );
  });
});

describe('samples at a temperature of 1.5 that are free until a call is begun', () => {
  here('have calls, and none that is invalid', () => {
    expect(freeSamples.map(({ dialect, valid, faults }) => ({ dialect, valid, faults }))).toEqual(
      FREE.map((dialect) => ({ dialect, valid: SAMPLES, faults: [] })),
    );
    for (const { calls, unread } of freeSamples) {
      expect(calls).toBeGreaterThan(0);
      expect(unread).toBe(0);
    }
  });
});
