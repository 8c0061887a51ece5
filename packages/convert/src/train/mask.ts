// The ranges of a prompt that the model writes, and the labels of its tokens.

import type { ExactValue, TracedAnswer } from '@dragoman/core/internal';
import type { Note } from '../forms/form.js';
import type { MaskKind, MaskRange, TextTokenizer, TokenPiece } from './training.js';

/** A trainer gets no loss from such a row, or one that is no number. */
export const NOTHING_LEARNT: Note = { kind: 'issue', code: 'nothing-learnt', path: 'mask' };

/** Gives the ranges of an answer, in their order. */
export function rangesOf(
  answer: Omit<TracedAnswer, 'message' | 'thinks'>,
  kinds: readonly MaskKind[],
): MaskRange[] {
  const { start, text, calls, close, end } = answer;
  // Every answer of every row comes by here: most have two of the four.
  const ranges: MaskRange[] = [];
  if (text > start && kinds.includes('reasoning')) ranges.push({ kind: 'reasoning', start, end: text });
  if (calls > text && kinds.includes('text')) ranges.push({ kind: 'text', start: text, end: calls });
  if (close > calls && kinds.includes('calls')) ranges.push({ kind: 'calls', start: calls, end: close });
  if (end > close && kinds.includes('end')) ranges.push({ kind: 'end', start: close, end });
  return ranges;
}

/** Gives the member `mask`. Positions count code points, as Python does. `message`: the message that they are places of. */
export function maskMember(text: string, ranges: readonly MaskRange[], message?: number): ExactValue[] {
  if (ranges.length === 0) return [];
  const place = codePoints(text);
  return message === undefined
    ? ranges.map(({ kind, start, end }) => ({ kind, start: place(start), end: place(end) }))
    : ranges.map(({ kind, start, end }) => ({ message, kind, start: place(start), end: place(end) }));
}

const SURROGATE = /[\ud800-\udbff]/;

/** Gives a function from UTF-16 positions to code points. Positions must not decrease. */
function codePoints(text: string): (position: number) => number {
  if (!SURROGATE.test(text)) return (position) => position;
  let at = 0;
  let points = 0;
  return (position) => {
    while (at < position) {
      at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
      points++;
    }
    return points;
  };
}

/** A token outside of what is learnt. */
const IGNORED = -100;

/**
 * Gives the members `input_ids`, `attention_mask` and `labels`. A token is learnt if all of it is masked; one that
 * crosses a border of what the model writes is not, and is noted.
 */
export function tokenMembers(
  text: string,
  ranges: readonly MaskRange[],
  tokenizer: TextTokenizer,
  notes: Note[],
): [string, ExactValue][] {
  const tokens = tokenizer.encode(text);
  const spans = joined(ranges).map(({ start, end }) => ({
    start: tokenizer.place(text, start),
    end: tokenizer.place(text, end),
  }));
  return [
    ['input_ids', tokens.map(({ id }) => id)],
    ['attention_mask', tokens.map(() => 1)],
    ['labels', labelsOf(tokens, spans, notes)],
  ];
}

function labelsOf(
  tokens: readonly TokenPiece[],
  spans: readonly { start: number; end: number }[],
  notes: Note[],
): number[] {
  let at = 0;
  return tokens.map(({ id, start, end }, index) => {
    while (at < spans.length && (spans[at]?.end ?? 0) <= start) at++;
    const span = spans[at];
    if (!span || end <= span.start) return IGNORED;
    if (start >= span.start && end <= span.end) return id;
    notes.push({ kind: 'issue', code: 'split-token', path: `input_ids[${index}]` });
    return IGNORED;
  });
}

/** Joins ranges that touch. */
function joined(ranges: readonly MaskRange[]): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = [];
  for (const { start, end } of ranges) {
    const last = spans.at(-1);
    if (last?.end === start) last.end = end;
    else spans.push({ start, end });
  }
  return spans;
}
