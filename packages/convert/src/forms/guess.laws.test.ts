// Rows that are read by a guess, which rendering confirms, are read as the long way reads them: the same
// conversation, the same notes, the same refusals. Every other row of a dialect, in turn, is read again for each of its
// messages, changed or left out: one of the two in turn. DRAGOMAN_EFFORT=1 does both, everywhere.

import { createRandom, type Dialect, ingredients, soup } from '@dragoman/core/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFullyTried, readPromptsOf, representatives } from '../../../core/src/dialects/every.fixture.js';
import { guessedFrame } from '../quick/plain-answer.js';
import { writeJson } from '../quick/plain-json.js';
import { createMessagesForm, readMessages } from '../text/messages-form.js';
import { createPromptForm } from '../text/prompt-form.js';
import { readAnyPrompt, readPrompt } from '../text/read-prompt.js';
import { openaiForm } from './api-form.js';
import { anyTranscript, corpusTranscripts, plainTranscript } from './conversations.fixture.js';
import { type Form, type Row, RowError } from './form.js';
import { memberOf } from './members.js';

const runs = Number(process.env.CONVERT_RUNS ?? 4);
const seed = Number(process.env.CONVERT_SEED ?? 5);
const full = Number(process.env.DRAGOMAN_EFFORT ?? 0.2) >= 1;

const transcripts = [
  ...corpusTranscripts().map(({ transcript }) => transcript),
  ...fc.sample(plainTranscript, { numRuns: runs, seed }),
  ...fc.sample(anyTranscript, { numRuns: runs, seed }),
].map((transcript) => openaiForm.read(openaiForm.write(transcript).row));

/** Of the dialects of the field, a part. */
function rowsOf(form: Form, dialect: Dialect): Row[] {
  const tried = isFullyTried(dialect) ? transcripts : transcripts.filter((_, at) => at % 8 === 0);
  return tried.flatMap((transcript) => {
    try {
      return [form.write(transcript).row];
    } catch (error) {
      if (error instanceof RowError) return [];
      throw error;
    }
  });
}

function outcome(read: () => object): string {
  try {
    return writeJson(read() as never);
  } catch (error) {
    return `${String(error)} ${error instanceof RowError ? error.path : ''}`;
  }
}

function expectSame(given: unknown, quick: () => object, long: () => object): void {
  const [one, other] = [outcome(quick), outcome(long)];
  if (one !== other) expect([given, one]).toEqual([given, other]);
}

/** Something put in, taken out, or both. */
function changed(dialect: Dialect): (text: string) => string {
  const random = createRandom(seed);
  const pieces = ingredients(dialect, []);
  return (text) => {
    const place = random.int(text.length + 1);
    const cut = random.int(3) === 0 ? random.int(8) : 0;
    const put = random.int(4) === 0 ? '' : soup(random, pieces, 1);
    return text.slice(0, place) + put + text.slice(place + cut);
  };
}

/** All others are read at length. */
const guessed = representatives.filter((dialect) => guessedFrame(dialect));
const all = guessed.map((dialect) => ({ name: dialect.name, dialect }));

describe.each(all)('messages in $name', ({ dialect }) => {
  const form = createMessagesForm(dialect);
  const change = changed(dialect);
  const compare = (row: Row) =>
    expectSame(
      row,
      () => form.read(row),
      () => readMessages(dialect, row),
    );

  it('are read by a guess as they are read at length, changed or not, with their tools and without', () => {
    const rows = rowsOf(form, dialect);
    for (const [turn, row] of rows.entries()) {
      compare(row);
      const messages = memberOf(row, 'messages') as { role: string; content: string }[];
      compare({ messages });
      if (!full && (turn + guessed.indexOf(dialect)) % 2 === 1) continue;
      for (const [at, one] of messages.entries()) {
        const isChanged = at === 0 || ((turn >> 1) + at) % 2 === 0;
        if (full || isChanged)
          compare({
            ...(row as object),
            messages: messages.with(at, { ...one, content: change(one.content) }),
          });
        if (at > 0 && (full || !isChanged))
          compare({ ...(row as object), messages: messages.toSpliced(at, 1) });
      }
    }
    expect(rows.length).toBeGreaterThan(isFullyTried(dialect) ? runs : 1);
  });
});

describe.each(all.filter(({ dialect }) => readPromptsOf.includes(dialect)))(
  'prompts in $name',
  ({ dialect }) => {
    const form = createPromptForm(dialect);
    const change = changed(dialect);
    const compare = (text: string) =>
      expectSame(
        text,
        () => readPrompt(dialect, text, 'p'),
        () => readAnyPrompt(dialect, text, 'p'),
      );

    it('are read by a guess as they are read at length, changed or not', () => {
      const rows = rowsOf(form, dialect);
      for (const row of rows) {
        const text = memberOf(row, 'prompt') as string;
        compare(text);
        for (let n = 0; n < (full ? 3 : 2); n++) compare(change(text));
      }
      expect(rows.length).toBeGreaterThan(isFullyTried(dialect) ? runs : 1);
    });
  },
);
