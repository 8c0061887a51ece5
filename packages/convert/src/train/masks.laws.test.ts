// Every masked character is one that the model would have to write, and only those: what stands before an answer is the
// prompt that `renderPrompt` gives up to that turn, and what is masked is what it then adds, to the end token.

import {
  type Conversation,
  callsOf,
  type Dialect,
  dialects,
  type RenderOptions,
  renderPrompt,
  type TracedAnswer,
  type TracedPrompt,
  textOf,
  tracePrompt,
} from '@dragoman/core/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFull, oneOf } from '../../../../test/effort.js';
import { anyTranscript, corpusTranscripts, plainTranscript } from '../forms/conversations.fixture.js';

const prompting = dialects.filter(({ render }) => render.prompt);

/** What templates write behind an answer where the model writes none of its stop strings. */
const unlearnt: Readonly<Record<string, readonly string[]>> = {
  gemma4: ['<|tool_response>'],
  'solar-open': ['<|end|>'],
};

const modelsOf = ({ render: { variants = [] } }: Dialect) => [undefined, ...variants.map(({ name }) => name)];

function optionsOf(dialect: Dialect): RenderOptions[] {
  return modelsOf(dialect).flatMap((model) =>
    [undefined, true, false].map((thinking) => ({
      ...(model !== undefined && { model }),
      ...(thinking !== undefined && { thinking }),
    })),
  );
}

function upTo(conversation: Conversation, end: number): Conversation {
  return { ...conversation, messages: conversation.messages.slice(0, end) };
}

function check(dialect: Dialect, conversation: Conversation, options: RenderOptions): void {
  const settings = { ...options, generate: false };
  const whole = renderPrompt(dialect, conversation, settings);
  const traced = tracePrompt(dialect, conversation, settings);
  expect([traced.text, traced.spans]).toEqual([whole.text, whole.spans]);
  const answers = conversation.messages.filter(({ role }) => role === 'assistant');
  expect(traced.answers).toHaveLength(answers.length);
  let before = 0;
  for (const answer of traced.answers) {
    const { start, text, calls, close, end } = answer;
    expect([before, start, text, calls, close, end]).toEqual(
      [before, start, text, calls, close, end].sort((a, b) => a - b),
    );
    before = end;
    checkAnswer(dialect, conversation, options, traced, answer);
  }
}

function checkAnswer(
  dialect: Dialect,
  conversation: Conversation,
  options: RenderOptions,
  { text: whole, stop }: TracedPrompt,
  { message, start, close }: TracedAnswer,
): void {
  // Of two messages of the assistant in a row the second has no prompt of its own.
  if (conversation.messages[message - 1]?.role === 'assistant') return;
  const prompt = renderPrompt(dialect, upTo(conversation, message), options).text;
  if (!whole.startsWith(prompt)) return;
  expect(start).toBe(prompt.length);
  const then = renderPrompt(dialect, upTo(conversation, message + 1), { ...options, generate: false }).text;
  if (!then.startsWith(prompt)) return;
  const added = then.slice(prompt.length);
  const mine = whole.slice(start, close);
  const rest = added.slice(mine.length);
  const ends = ['', ...stop, ...(unlearnt[dialect.name] ?? [])];
  const isWhole =
    added.startsWith(mine) && ends.some((end) => (end === '' ? rest === '' : rest.startsWith(end)));
  if (isWhole) return;
  // Only reasoning may be missing, which a later prompt leaves out: what stands behind it is as it was.
  const cut = ends.find((end) => end !== '' && added.trimEnd().endsWith(end)) ?? '';
  const body = added.trimEnd().slice(0, added.trimEnd().length - cut.length);
  const closers = [dialect.traits.reasoning?.close ?? '', '</think>'].filter((closer) =>
    added.includes(closer),
  );
  expect(closers, JSON.stringify([mine, added])).not.toEqual([]);
  const behind = (answer: string) =>
    closers.reduce(
      (left, closer) => left.slice(left.includes(closer) ? left.lastIndexOf(closer) + closer.length : 0),
      answer,
    );
  expect(behind(mine).trim()).toBe(behind(body).trim());
}

describe.each(prompting)('the mask of $name', (dialect) => {
  it('has what the model writes of every conversation of the corpus', () => {
    for (const { transcript } of oneOf(5, corpusTranscripts()))
      for (const options of isFull ? optionsOf(dialect) : optionsOf(dialect).slice(0, 3))
        check(dialect, transcript.conversation, options);
  });

  it('has what the model writes of drawn conversations', () => {
    fc.assert(
      fc.property(anyTranscript, fc.constantFrom(...optionsOf(dialect)), ({ conversation }, options) =>
        check(dialect, conversation, options),
      ),
      { numRuns: isFull ? 300 : 8 },
    );
  });

  it('divides an answer into its text and its calls', () => {
    fc.assert(
      fc.property(plainTranscript, ({ conversation }) => {
        const { text: whole, answers } = tracePrompt(dialect, conversation, { generate: false });
        for (const { message, text, calls, close } of answers) {
          const said = conversation.messages[message];
          if (said?.role !== 'assistant') throw new Error('no answer');
          expect(whole.slice(text, calls)).toContain(textOf(said).trim());
          const made = whole.slice(calls, close);
          if (callsOf(said).length === 0) expect(made).toBe('');
          else expect(made).toContain(callsOf(said)[0]?.name);
        }
      }),
      { numRuns: isFull ? 100 : 10 },
    );
  });
});
