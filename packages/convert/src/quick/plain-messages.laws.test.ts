// The quick way and the long way to write messages give the same row and the same notes.

import { renderMessages } from '@dragoman/core/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { representatives } from '../../../core/src/dialects/every.fixture.js';
import { openaiForm } from '../forms/api-form.js';
import { saidBy } from '../forms/compare.fixture.js';
import { anyTranscript, corpusTranscripts, plainTranscript } from '../forms/conversations.fixture.js';
import type { Form, Transcript } from '../forms/form.js';
import { createMessagesForm } from '../text/messages-form.js';
import { lossesBetween } from '../text/text-losses.js';
import { writePlainMessages } from './plain-messages.js';

const runs = Number(process.env.CONVERT_RUNS ?? 60);
const seed = Number(process.env.CONVERT_SEED ?? 5);

/** What a reader thinks of a call or a result is no matter of how it is written; nor that odd keys are spelled as JSON. */
const judged: ReadonlySet<string> = new Set(['schema-mismatch', 'unknown-tool', 'open-result', 'json-body']);

/** As a row of OpenAI's form is read, which is where transcripts come from. */
const fromRow = (transcript: Transcript) => openaiForm.read(openaiForm.write(transcript).row);
const transcripts = [
  ...corpusTranscripts().map(({ transcript }) => transcript),
  ...fc.sample(plainTranscript, { numRuns: runs, seed }),
  ...fc.sample(anyTranscript, { numRuns: runs, seed }),
].map(fromRow);

describe.each(representatives.map((dialect) => ({ name: dialect.name, dialect })))(
  'in $name',
  ({ dialect }) => {
    const form: Form = createMessagesForm(dialect);

    it('what is written the quick way is what rendering gives, reads back the same, and notes what is lost', () => {
      let quick = 0;
      for (const transcript of transcripts) {
        const { conversation } = transcript;
        const plain = writePlainMessages(dialect, conversation, {});
        if (!plain) continue;
        quick++;
        const long = renderMessages(dialect, conversation).messages.map(({ role, content }) => ({
          role,
          content,
        }));
        expect(plain.messages).toEqual(long);
        const back = form.read(form.write(transcript).row);
        expect(back.notes.filter(({ code }) => !judged.has(code))).toEqual([]);
        expect(plain.notes).toEqual(lossesBetween(conversation, back.conversation));
        const codes = new Set([...plain.notes.map(({ code }) => code), 'extra']);
        expect(saidBy(back, codes)).toBe(saidBy(transcript, codes));
      }
      // A dialect with ids takes the long way with every call.
      expect(quick).toBeGreaterThan(dialect.traits.ids ? 2 : runs / 2);
    });
  },
);
