// The quick way and the long way to write prompts give the same row and the same notes. Of the field's dialects, a part:
// they differ in their spelling. `CONVERT_RUNS` and `CONVERT_SEED` draw more and others.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFullyTried, readPromptsOf } from '../../../core/src/dialects/every.fixture.js';
import { openaiForm } from '../forms/api-form.js';
import { anyTranscript, corpusTranscripts, plainTranscript } from '../forms/conversations.fixture.js';
import { RowError, type Transcript } from '../forms/form.js';
import { writePrompt } from '../text/prompt-form.js';
import { guessedFrame } from './plain-answer.js';
import { writeJson } from './plain-json.js';
import { plainPromptNotes } from './plain-prompt.js';
import { shareTools } from './shared-tools.js';

const runs = Number(process.env.CONVERT_RUNS ?? 24);
const seed = Number(process.env.CONVERT_SEED ?? 5);

/** As a row of OpenAI's form is read, which is where transcripts come from; and cut where it may be cut. */
const transcripts = [
  ...corpusTranscripts().map(({ transcript }) => transcript),
  ...fc.sample(plainTranscript, { numRuns: runs, seed }),
  ...fc.sample(anyTranscript, { numRuns: runs, seed }),
]
  .map((transcript): Transcript => openaiForm.read(openaiForm.write(transcript).row))
  .flatMap((transcript) => [transcript, cutShort(transcript, 1), cutShort(transcript, 2)]);

function cutShort(transcript: Transcript, by: number): Transcript {
  const { conversation } = transcript;
  return { ...transcript, conversation: { ...conversation, messages: conversation.messages.slice(0, -by) } };
}

/** Those that have a quick way: nothing else tells where a call ends. */
const all = readPromptsOf.filter((dialect) => guessedFrame(dialect));

describe.each(all.map((dialect) => ({ name: dialect.name, dialect })))('in $name', ({ dialect }) => {
  const outcome = (transcript: Transcript, plain: boolean) => {
    try {
      const { row, notes } = writePrompt(dialect, transcript, 'prompt', {}, plain);
      return writeJson({ row, notes } as never);
    } catch (error) {
      if (error instanceof RowError) return `${error.path}: ${error.message}`;
      throw error;
    }
  };

  const isQuick = ({ conversation }: Transcript) =>
    plainPromptNotes(dialect, { ...conversation, tools: shareTools(conversation.tools) }) !== undefined;

  it('what need not be read back is written and noted as what was', () => {
    const tried = isFullyTried(dialect) ? transcripts : transcripts.filter((_, at) => at % 4 === 0);
    let quick = 0;
    for (const transcript of tried) {
      // The first time, it is learnt whether its tools are read back.
      if (!isQuick(transcript)) outcome(transcript, true);
      if (!isQuick(transcript)) continue;
      quick++;
      expect(outcome(transcript, true)).toBe(outcome(transcript, false));
    }
    expect(quick).toBeGreaterThan(tried.length / 10);
  });
});
