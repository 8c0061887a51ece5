// The forms that are text, with every dialect, on conversations full of markers. The laws of all forms and of their
// pairs are in laws.test.ts, with two dialects. `CONVERT_RUNS` and `CONVERT_SEED` draw more and others.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backOf } from '../dialects/back/index.js';
import { representatives } from '../dialects/every.fixture.js';
import { saidBy } from './compare.fixture.js';
import { anyTranscript } from './conversations.fixture.js';
import { type Form, type Note, RowError, type Transcript, type Writing } from './form.js';
import { createMessagesForm } from './messages-form.js';
import { createPromptForm } from './prompt-form.js';

const runs = Number(process.env.CONVERT_RUNS ?? 10);
const seed = Number(process.env.CONVERT_SEED ?? 5);
const timeout = Math.max(20_000, runs * 200);

const readable = representatives.filter((dialect) => backOf(dialect)?.tools);
const forms: [name: string, form: Form][] = [
  ...representatives.map((dialect): [string, Form] => [
    `messages in ${dialect.name}`,
    createMessagesForm(dialect),
  ]),
  ...readable.map((dialect): [string, Form] => [
    `messages in ${dialect.name} without tools`,
    createMessagesForm(dialect, { tools: false }),
  ]),
  ...representatives
    .filter(({ render }) => render.prompt)
    .map((dialect): [string, Form] => [`prompts in ${dialect.name}`, createPromptForm(dialect)]),
];

const generated = fc.sample(anyTranscript, { numRuns: runs, seed }).map(withoutLateSystem);

/** Prompts of DeepSeek V3.1 have one place for system texts, the first: a conversation with others is refused. */
function withoutLateSystem(transcript: Transcript, at: number): Transcript {
  if (at % 4 === 0) return transcript;
  const { conversation } = transcript;
  const first = conversation.messages.findIndex(({ role }) => role !== 'system');
  const messages = conversation.messages.filter(({ role }, place) => role !== 'system' || place < first);
  return { ...transcript, conversation: { ...conversation, messages } };
}

function lossesOf(notes: readonly Note[]): Set<string> {
  return new Set(notes.filter(({ kind }) => kind === 'loss').map(({ code }) => code));
}

function write(form: Form, transcript: Transcript): Writing | undefined {
  try {
    return form.write(transcript);
  } catch (error) {
    if (error instanceof RowError && error.message.includes('would say something else')) return undefined;
    throw error;
  }
}

describe.each(forms)('%s', (_, form) => {
  it(
    'are read as they were said, but for noted losses, each of which did happen, and written as the same row again',
    () => {
      let written = 0;
      for (const transcript of generated) {
        const writing = write(form, transcript);
        if (!writing) continue;
        written++;
        const { notes, ...back } = form.read(writing.row);
        expect(notes.filter(({ code }) => code === 'other-prompt')).toEqual([]);
        expectOnlyNoted(transcript, back, lossesOf(writing.notes));
        const again = form.write(back);
        expect([again.row, again.notes]).toEqual([writing.row, []]);
      }
      expect(written).toBeGreaterThan(runs / 2);
    },
    timeout,
  );
});

function expectOnlyNoted(before: Transcript, after: Transcript, codes: ReadonlySet<string>): void {
  expect(saidBy(after, codes)).toBe(saidBy(before, codes));
  for (const code of codes) {
    const others = new Set([...codes].filter((other) => other !== code));
    expect(saidBy(after, others), code).not.toBe(saidBy(before, others));
  }
}
