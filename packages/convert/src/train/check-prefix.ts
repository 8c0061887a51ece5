// Whether every prompt of a conversation, with what the model wrote behind it, is a prefix of the next one: samples of
// whole conversations drift from what the model saw where it is not.

import { commonPrefix } from '@dragoman/core/internal';
import type { Note } from '../forms/form.js';
import type { TextTokenizer } from './training.js';
import type { TurnSample } from './turn-samples.js';

/**
 * The rule of the template that writes a prompt otherwise when the conversation goes on: it leaves out old reasoning,
 * begins a finished answer otherwise than a prompt does, ends it otherwise, or writes an earlier message otherwise.
 */
type PrefixRule = 'old-reasoning' | 'answer-start' | 'end-token' | 'earlier-text';

// Types and no interfaces, so that they are values of JSON.

type PrefixBreak = {
  /** The turn after which the prompt or the whole row differs, from 1. */
  turn: number;
  rule: PrefixRule;
  /** What stands behind the first difference. */
  characters: number;
  tokens?: number;
};

export type PrefixMember = { whole: boolean; breaks: PrefixBreak[] };

/**
 * Gives the member `prefix`. `behind`: what must go on from the last answer: the prompt behind it, or the whole row if it
 * ends there.
 */
export function prefixMember(
  samples: readonly TurnSample[],
  behind: string | undefined,
  tokenizer: TextTokenizer | undefined,
): PrefixMember {
  const breaks: PrefixBreak[] = [];
  let thoughts: Thought[] = [];
  for (const [at, sample] of samples.entries()) {
    const next = samples[at + 1]?.prompt ?? behind;
    if (next === undefined) break;
    const seen = sample.prompt + sample.completion;
    const stable = commonPrefix(seen, next);
    const known = [...thoughts, ...thoughtsIn(sample)];
    // Behind a difference, the places are others.
    thoughts = known.filter(({ end }) => end <= stable);
    if (stable === seen.length) continue;
    const rule = ruleOf(sample, known, stable);
    const tokens = tokenizer && tokensBehind(tokenizer, seen, stable);
    breaks.push({
      turn: sample.turn,
      rule,
      characters: codePointsBehind(seen, stable),
      ...(tokens !== undefined && { tokens }),
    });
  }
  return { whole: breaks.length === 0, breaks };
}

/** Notes a row with a break once, at its first one. */
export function noteBreak({ breaks: [first] }: PrefixMember, notes: Note[]): void {
  if (first) notes.push({ kind: 'issue', code: 'prefix-break', path: `turn ${first.turn}, ${first.rule}` });
}

interface Thought {
  start(): number;
  end: number;
}

/** Gives where the answers of a sample have reasoning, with its markup; the first with what the prompt writes of it. */
function thoughtsIn(sample: TurnSample): Thought[] {
  return sample.answers.flatMap(({ thinks, start, text }, at) => {
    const begin = () => (at === 0 ? sample.prompt.length - sample.head().length : start);
    return thinks ? [{ start: begin, end: text }] : [];
  });
}

/** `thoughts`: where the prompt and the answer have reasoning. */
function ruleOf(sample: TurnSample, thoughts: readonly Thought[], stable: number): PrefixRule {
  const { prompt, answers } = sample;
  if (thoughts.some(({ start, end }) => stable < end && stable >= start())) return 'old-reasoning';
  const close = answers.at(-1)?.close ?? Number.POSITIVE_INFINITY;
  if (stable >= close) return 'end-token';
  const text = answers[0]?.text ?? prompt.length;
  const isStart = stable <= text && stable >= prompt.length - sample.head().length;
  return isStart ? 'answer-start' : 'earlier-text';
}

/** Counts as masks do. A character of which only the second half differs counts whole. */
function codePointsBehind(text: string, stable: number): number {
  let count = 0;
  for (const _ of text.slice(stable)) count++;
  return count;
}

function tokensBehind(tokenizer: TextTokenizer, text: string, stable: number): number {
  const place = tokenizer.place(text, stable);
  return tokenizer.encode(text).filter(({ end }) => end > place).length;
}
