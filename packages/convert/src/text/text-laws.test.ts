// The forms that are text, with every dialect, on conversations full of markers. The laws of all forms and of their
// pairs are in laws.test.ts, with two dialects. Each form takes other draws, in turn, until it has its number of them.
// `CONVERT_RUNS` and `CONVERT_SEED` draw more and others.

import type { Message } from '@dragoman/core/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dialects, isFullyTried } from '../../../core/src/dialects/every.fixture.js';

import { saidBy } from '../forms/compare.fixture.js';
import { anyTranscript } from '../forms/conversations.fixture.js';
import { type Form, type Note, RowError, type Transcript, type WrittenRow } from '../forms/form.js';
import { createMessagesForm } from './messages-form.js';
import { createPromptForm } from './prompt-form.js';

const runs = Number(process.env.CONVERT_RUNS ?? 6);
const seed = Number(process.env.CONVERT_SEED ?? 5);
/** The dialects of the field differ in their spelling, not in how they are read back: a part of the draws each. */
const OF_THE_FIELD = 0.3;
const timeout = Math.max(180_000, runs * 200);

const forms: [name: string, form: Form, draws: number][] = dialects.flatMap((dialect) => {
  const { name, render } = dialect;
  const back = dialect.render.back;
  const made: [string, Form][] = [[`messages in ${name}`, createMessagesForm(dialect)]];
  if (back?.tools)
    made.push([`messages in ${name} without tools`, createMessagesForm(dialect, { tools: false })]);
  if (render.prompt && back?.turns) made.push([`prompts in ${name}`, createPromptForm(dialect)]);
  const draws = isFullyTried(dialect) ? runs : Math.ceil(runs * OF_THE_FIELD);
  return made.map(([said, form]): [string, Form, number] => [said, form, draws]);
});

const generated = fc.sample(anyTranscript, { numRuns: runs * 2, seed }).map(withoutLateSystem);

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

const REFUSED = /would say something else|cannot be told apart/;

function write(form: Form, transcript: Transcript): WrittenRow | undefined {
  try {
    return form.write(transcript);
  } catch (error) {
    if (error instanceof RowError && REFUSED.test(error.message)) return undefined;
    throw error;
  }
}

/** Where nothing ends a result, a user's text behind it is taken for its own: an answer may stand between them. */
function writeSomehow(
  form: Form,
  transcript: Transcript,
): { writing: WrittenRow | undefined; said: Transcript } {
  const writing = write(form, transcript);
  if (writing) return { writing, said: transcript };
  const said = answered(transcript);
  return { writing: write(form, said), said };
}

function answered(transcript: Transcript): Transcript {
  const { conversation } = transcript;
  const answer: Message = { role: 'assistant', parts: [{ type: 'text', text: 'So it is.' }] };
  const messages = conversation.messages.flatMap((message, at) =>
    message.role === 'user' && conversation.messages[at - 1]?.role === 'tool' ? [answer, message] : [message],
  );
  return { ...transcript, conversation: { ...conversation, messages } };
}

describe.each(forms)('%s', (name, form, draws) => {
  const from = forms.findIndex(([one]) => one === name) % generated.length;

  it(
    'are read as they were said, but for noted losses, each of which did happen, and written as the same row again',
    () => {
      let written = 0;
      for (const transcript of [...generated.slice(from), ...generated.slice(0, from)].slice(0, draws * 2)) {
        const { writing, said } = writeSomehow(form, transcript);
        if (!writing) continue;
        const { notes, ...back } = form.read(writing.row);
        expect(notes.filter(({ code }) => code === 'other-prompt')).toEqual([]);
        expectOnlyNoted(said, back, lossesOf(writing.notes));
        const again = form.write(back);
        expect([again.row, again.notes]).toEqual([writing.row, []]);
        if (++written === draws) break;
      }
      expect(written).toBe(draws);
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
