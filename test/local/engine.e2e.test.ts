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
  holds: Record<string, { isHeld: boolean; replaced: (string | null)[] }>;
  answers: Record<string, { text: string; reason: string; held: boolean; usage: Record<string, number> }>;
  aborted: string;
  tooLong: { code: string; message: string };
}

let setup: LocalSetup | undefined;
let checked: Checked;
let samples: HeldSamples[] = [];

const SAMPLES = 4;
const drawn = oneOf(
  6,
  dialects.filter(({ constrain }) => constrain).map(({ name }) => name),
);

beforeAll(async () => {
  setup = await findSetup('the engine of models in the process');
  if (!setup) return;
  const child = spawn(process.execPath, [join(import.meta.dirname, 'check-tokens.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, DRAGOMAN_NODE_LLAMA_CPP: setup.llama },
  });
  child.stdin.end(JSON.stringify({ model: setup.model }));
  checked = JSON.parse(await text(child.stdout));
  samples = await sampleHeld(setup, drawn, SAMPLES);
}, 300_000);

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

describe('samples at a temperature of 1.5 that a grammar holds', () => {
  here('are valid, all of them', () => {
    expect(samples.map(({ dialect, valid, faults }) => ({ dialect, valid, faults }))).toEqual(
      drawn.map((dialect) => ({ dialect, valid: SAMPLES, faults: [] })),
    );
  });
});
