// How a dialect spells results, learnt from the dialect itself: it writes two made-up ones, and what stands around
// their outputs is what a model would look for.
//
//   <|echo|> OUTPUT_ONE <|/echo|> \n <|echo|> OUTPUT_TWO <|/echo|>
//   start               middle                           end
//
// Names, ids and numbers in these words are blanks: they differ from call to call.

import { type Dialect, renderMessages } from '@dragoman/core';
import { type Blanks, blanksIn, createSeeker, matchBlanks, type Seeker } from './blanks.js';
import { readJson, stringEnd } from './json-values.js';
import type { ResultForm } from './prompt-forms.js';

interface Frame {
  start: Blanks;
  middle: Blanks;
  end: Blanks;
  /** Outputs are JSON strings: `start` ends with their first quote, `middle` and `end` begin with the last. */
  json: boolean;
}

type Reading = ReturnType<ResultForm['read']>;

const OUTPUTS = ['demo "one" output', 'demo "two" output'] as const;

/** Where nothing stands around outputs, all of them are one. Where nothing begins them, only calls tell that they do. */
export function learnResults(dialect: Dialect): ResultForm {
  const frame = frameOf(dialect);
  return {
    broken: !frame?.json,
    read: (text, answersCalls) => {
      const isBegun = frame !== undefined && frame.start.join('') !== '';
      if (!isBegun && !answersCalls()) return undefined;
      if (!frame) return { results: [{ text }], end: text.length };
      return frame.json ? readQuoted(text, frame) : readRaw(text, frame);
    },
  };
}

// --- reading -------------------------------------------------------------------------------------------

/** Text from outside holds no marker, so the first end is one. Where nothing closes results, all that follows is one. */
function readRaw(text: string, { start, middle, end }: Frame): Reading {
  const seekMiddle = createSeeker(text, middle);
  const seekEnd = createSeeker(text, end);
  const results: { text: string }[] = [];
  let at = matchBlanks(text, leadingSpace(text), start);
  if (at < 0) return undefined;
  for (;;) {
    const next = seekMiddle(at);
    const last = endOf(seekEnd, at, text, end);
    if (last && (!next || last.at < next.at)) {
      results.push({ text: text.slice(at, last.at) });
      return { results, end: last.end };
    }
    if (!next) return undefined;
    results.push({ text: text.slice(at, next.at) });
    at = next.end;
  }
}

function endOf(seek: Seeker, from: number, text: string, end: Blanks): ReturnType<Seeker> {
  return end.length === 1 && end[0] === '' ? { at: text.length, end: text.length } : seek(from);
}

function readQuoted(text: string, { start, middle, end }: Frame): Reading {
  const results: { text: string }[] = [];
  let at = matchBlanks(text, leadingSpace(text), start);
  while (at > 0) {
    const close = stringEnd(text, at - 1) - 1;
    const output = readJson(text.slice(at - 1, close + 1));
    if (typeof output !== 'string') return undefined;
    results.push({ text: output });
    const next = matchBlanks(text, close, middle);
    const last = next < 0 ? matchBlanks(text, close, end) : -1;
    if (last >= 0) return { results, end: last };
    at = next;
  }
  return undefined;
}

function leadingSpace(text: string): number {
  return text.length - text.trimStart().length;
}

// --- learning ------------------------------------------------------------------------------------------

function frameOf(dialect: Dialect): Frame | undefined {
  const text = spelled(dialect);
  const quoted = OUTPUTS.map((output) => JSON.stringify(output).slice(1, -1));
  const json = text.includes(quoted[0] as string);
  const [one, two] = (json ? quoted : OUTPUTS) as [string, string];
  const [first, second] = [text.indexOf(one), text.indexOf(two)];
  if (first < 0 || second < first) return undefined;
  if (first === 0 && text.slice(one.length, second).trim() === '') return undefined;
  const [start, middle, end] = [
    text.slice(0, first).trimStart(),
    text.slice(first + one.length, second),
    text.slice(second + two.length),
  ].map(blanksIn) as [Blanks, Blanks, Blanks];
  return { start, middle, end, json };
}

function spelled(dialect: Dialect): string {
  const ids = OUTPUTS.map((_, at) => `demo_id_${at + 1}`);
  const calls = ids.map((id) => ({ type: 'tool-call', id, name: 'demo_tool', input: {} }));
  const results = ids.map((callId, at) => {
    return { type: 'tool-result', callId, name: 'demo_tool', output: OUTPUTS[at] };
  });
  const messages = [
    { role: 'assistant', parts: calls },
    { role: 'tool', parts: results },
  ];
  return renderMessages(dialect, { messages }).messages.at(-1)?.content ?? '';
}
