// One conversation in every column's dialect: the text, which of it is ours, what acts in it and what was broken, and
// how the columns differ. Runs in a worker; everything it gives can be copied there and back.

import {
  type Dialect,
  findDialect,
  type RenderOptions,
  renderMessages,
  renderPrompt,
  type Span,
  UsageError,
} from '@dragoman/core';
import { estimateTokens } from '@dragoman/core/bridge';
import { type Problem, toRequest } from './draft.js';
import { countCalls, countedAs, findMarks, type Marks, type Range } from './marks.js';
import type { Column, Options, WriteState } from './state.js';
import { tame } from './tame.js';
import { diffWords } from './word-diff.js';

interface Piece {
  role: string;
  /** Where it stands in the column's text. */
  from: number;
  to: number;
}

export interface Drawn {
  /** All pieces, one line break between two. */
  text: string;
  pieces: Piece[];
  ours: Range[];
  outside: Range[];
  marks: Marks;
  /** What the column it is held against does not have. */
  different: Range[];
  comparison?: Comparison;
  /** Characters of the pieces, without the line breaks between them. */
  characters: number;
  /** An estimate. */
  tokens: number;
  safety: Safe;
}

export interface Comparison {
  /** The place of the column it is held against. */
  with: number;
  shared: number;
  /** Too little is shared for marks to help. */
  tooDifferent: boolean;
}

/** The count that shows whether outside text forged anything. */
interface Safe {
  counted: 'frames' | 'calls';
  found: number;
  /** With every marker's first character taken out of the outside text. */
  expected: number;
  /** Markers from outside that are whole, in frames that they cannot end. */
  held: number;
}

/** `column`: what was asked, since the columns may have changed meanwhile. */
export type Drawing = { column: Column } & ({ drawn: Drawn } | { problem: Problem });

/** Below this share of common text, marks would cover nearly everything. */
const LEAST_SHARED = 0.5;

export function drawColumns({ draft, columns, options }: WriteState): Drawing[] {
  const made = toRequest(draft);
  if ('problem' in made) return columns.map((column) => ({ column, ...made }));
  const drawings = columns.map((column) => drawColumn(made.request, column, options));
  if (options.differences) compare(drawings);
  return drawings;
}

function drawColumn(request: unknown, column: Column, options: Options): Drawing {
  try {
    return { column, drawn: draw(findDialect(column.dialect), request, column, toRenderOptions(options)) };
  } catch (error) {
    const path = (error instanceof UsageError && error.path) || '';
    return { column, problem: { path, message: error instanceof Error ? error.message : String(error) } };
  }
}

function toRenderOptions({ thinking, teaching, language, safety }: Options): RenderOptions {
  return {
    ...(thinking !== 'own' && { thinking: thinking === 'on' }),
    short: teaching === 'short',
    language,
    safety,
  };
}

interface Written {
  role: string;
  text: string;
  spans: Span[];
}

function write(dialect: Dialect, request: unknown, form: Column['form'], options: RenderOptions): Written[] {
  if (form === 'prompt') return [{ role: 'prompt', ...renderPrompt(dialect, request, options) }];
  const { messages } = renderMessages(dialect, request, options);
  return messages.map(({ role, content, spans }) => ({ role, text: content, spans }));
}

function draw(dialect: Dialect, request: unknown, { form }: Column, options: RenderOptions): Drawn {
  const written = write(dialect, request, form, options);
  const joined = join(written);
  const marks = findMarks(dialect, joined.text, joined.spans);
  const texts = written.map(({ text }) => text);
  const safety = judge(dialect, request, form, options, { texts, marks });
  return {
    text: joined.text,
    pieces: joined.pieces,
    ours: rangesOf(joined.spans, 'ours'),
    outside: rangesOf(joined.spans, 'outside'),
    marks: safety.held > 0 ? { ...marks, forged: [], broken: inOrder(marks.broken, marks.forged) } : marks,
    different: [],
    characters: texts.reduce((sum, text) => sum + text.length, 0),
    tokens: texts.reduce((sum, text) => sum + estimateTokens(text), 0),
    safety,
  };
}

/** The pieces as one text, as the column shows it. */
function join(written: readonly Written[]): { text: string; spans: Span[]; pieces: Piece[] } {
  const spans: Span[] = [];
  const pieces: Piece[] = [];
  let text = '';
  for (const [index, piece] of written.entries()) {
    if (index > 0) text += '\n';
    const from = text.length;
    text += piece.text;
    pieces.push({ role: piece.role, from, to: text.length });
    for (const { start, end, origin } of piece.spans)
      spans.push({ start: from + start, end: from + end, origin });
  }
  return { text, spans, pieces };
}

function rangesOf(spans: readonly Span[], origin: Span['origin']): Range[] {
  return spans.filter((span) => span.origin === origin).map(({ start, end }) => ({ from: start, to: end }));
}

interface Found {
  texts: readonly string[];
  marks: Marks;
}

/** Counts what acts, here and in the same conversation without any marker in it. */
function judge(
  dialect: Dialect,
  request: unknown,
  form: Column['form'],
  options: RenderOptions,
  found: Found,
): Safe {
  const counted = countedAs(dialect);
  const count = ({ texts, marks }: Found) =>
    counted === 'calls' ? countCalls(dialect, texts) : marks.frames.length + marks.forged.length;
  const harmless = write(dialect, tame(request, dialect.markers), form, options);
  const { text, spans } = join(harmless);
  const expected = { texts: harmless.map((piece) => piece.text), marks: findMarks(dialect, text, spans) };
  const [is, ought] = [count(found), count(expected)];
  const held = counted === 'calls' && is === ought ? found.marks.forged.length : 0;
  return { counted, found: is, expected: ought, held };
}

const inOrder = (left: readonly Range[], right: readonly Range[]) =>
  [...left, ...right].sort((a, b) => a.from - b.from);

/** Each column against the one before it, the first against the second. */
function compare(drawings: Drawing[]): void {
  for (let index = 1; index < drawings.length; index++) {
    const left = drawings[index - 1];
    const right = drawings[index];
    if (left === undefined || right === undefined || 'problem' in left || 'problem' in right) continue;
    const { shared, ...ranges } = diffWords(left.drawn.text, right.drawn.text);
    const tooDifferent = shared < LEAST_SHARED;
    note(right.drawn, tooDifferent ? [] : ranges.right, { with: index - 1, shared, tooDifferent });
    if (index === 1) note(left.drawn, tooDifferent ? [] : ranges.left, { with: 1, shared, tooDifferent });
  }
}

function note(drawn: Drawn, different: Range[], comparison: Comparison): void {
  drawn.different = different;
  drawn.comparison = comparison;
}
