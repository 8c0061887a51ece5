// The verdict on a reading in short: how many calls can run, what was repaired, what is wrong and what to do.

import type { TextNote, TextReading } from '../../reading/index.js';
import { meaningWords } from '../../reading/note-words.js';
import type { Words } from '../../words/words.js';

type Tone = 'good' | 'mended' | 'bad' | 'calm';

export interface ShownVerdict {
  tone: Tone;
  title: string;
  details: string;
}

/** Issues that leave a call complete, but keep it from running. */
const blocking: readonly string[] = ['unknown-tool', 'schema-mismatch', 'wrong-type'];

/** Counts the calls that can run as they are. */
function countRunning({ calls, notes }: TextReading): number {
  const blocked = new Set(notes.filter(({ code }) => blocking.includes(code)).map(({ call }) => call));
  return calls.filter(({ state }, at) => state === 'complete' && !blocked.has(at)).length;
}

export function verdictOf(reading: TextReading, text: string, { verdict: words }: Words): ShownVerdict {
  const { calls, notes, finished } = reading;
  if (text.trim() === '') return { tone: 'calm', title: words.empty, details: words.emptyMore };
  if (!finished) return { tone: 'calm', title: words.writing, details: words.soFar(calls.length) };
  const issues = notes.filter(({ type }) => type === 'issue');
  const repairs = notes.filter((note) => isRepaired(note, calls)).length;
  const runs = countRunning(reading);
  const not = calls.length - runs;
  const sentences = [
    ...(issues[0] ? [issueWords(issues[0])] : []),
    ...(issues.length > 1 ? [words.others(issues.length - 1)] : []),
    ...(repairs > 0 ? [words.slips(repairs)] : []),
  ];
  if (calls.length === 0)
    return { tone: issues.length > 0 ? 'bad' : 'calm', title: words.noCall, details: sentences.join(' ') };
  return {
    tone: not > 0 ? 'bad' : notes.length > 0 ? 'mended' : 'good',
    title: not > 0 ? words.runNot(runs, not) : words.run(runs),
    details: sentences.length > 0 ? sentences.join(' ') : words.clean,
  };
}

/** Whether the note is a repair that counts: a call that is not delivered is a problem as a whole, as in the colours. */
function isRepaired({ type, call }: TextNote, calls: TextReading['calls']): boolean {
  return type === 'repair' && calls[call]?.state !== 'failed';
}

const issueWords = (note: TextNote) => `${note.message} ${meaningWords(note)}`;
