// A sample in a dialect: the prompt that the model is served, and what it is to write behind it.

import { type Dialect, dialects } from '@dragoman/core';
import type { PromptPiece } from '@dragoman/local';
import { answerPieces, formOf, type PromptForm, type PromptOptions, promptPieces } from '@dragoman/tiny';
import { makeSample, type Sample, type SampleOptions } from './conversation.js';
import { Random } from './random.js';

export interface Example {
  dialect: string;
  form: PromptForm;
  sample: Sample;
  prompt: PromptPiece[];
  answer: PromptPiece[];
  /** The prompt has opened reasoning, which the answer ends first. */
  isThinking: boolean;
}

export interface Spelling {
  dialect: Dialect;
  options: PromptOptions;
}

/** Draws a dialect and a spelling of its prompts: mostly the one it is served by. */
export function drawSpelling(random: Random, only?: Dialect): Spelling {
  const dialect = only ?? random.pick(dialects);
  const form: PromptForm = random.chance(0.75) ? formOf(dialect) : 'messages';
  const thinking = random.chance(0.75) ? { thinking: false } : {};
  if (form === 'prompt') return { dialect, options: { form, ...thinking } };
  const language = random.chance(0.1) ? { language: 'zh' as const } : {};
  return {
    dialect,
    options: { form, ...thinking, short: random.chance(0.85), closers: random.chance(0.85), ...language },
  };
}

export function spell(sample: Sample, { dialect, options }: Spelling): Example {
  const { tools, messages, answer } = sample;
  const prompt = promptPieces(dialect, { tools, messages }, options);
  const answered = { tools, messages: [...messages, answer] };
  const written = answerPieces(dialect, answered, options);
  const first = endOfReasoning(dialect, prompt);
  return {
    dialect: dialect.name,
    form: options.form ?? formOf(dialect),
    sample,
    prompt,
    answer: [...first, ...written],
    isThinking: first.length > 0,
  };
}

/** A prompt may begin reasoning that no answer of ours has: the answer then ends it first. */
function endOfReasoning({ traits: { reasoning } }: Dialect, prompt: readonly PromptPiece[]): PromptPiece[] {
  const last = prompt.at(-1);
  const open = reasoning?.open.trimEnd();
  if (!reasoning || !open || last?.origin !== 'ours' || !last.text.trimEnd().endsWith(open)) return [];
  return [{ text: `${reasoning.close}\n\n`, origin: 'ours' }];
}

/** Gives the example of a seed. */
export function makeExample(seed: number, options: SampleOptions, only?: Dialect): Example {
  const random = new Random(seed ^ 0x5bd1e995);
  return spell(makeSample(seed, options), drawSpelling(random, only));
}
