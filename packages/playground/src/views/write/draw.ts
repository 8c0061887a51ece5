// Renders one conversation in the dialect of each column: the text, which of it is ours, the markers that act in it and
// those that were broken, and how the columns differ. Runs in a worker; its results can be copied between threads.

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
import type { TextRange } from '../../parts/editor-text.js';
import { type DraftProblem, toRequest } from './draft.js';
import { countCalls, countedAs, findMarks, type Marks } from './marks.js';
import type { ColumnForm, DialectColumn, Options, WriteState } from './state.js';
import { withoutMarkers } from './without-markers.js';
import { diffWords } from './word-diff.js';

/** Its range is that in the column's text. */
interface DrawnPiece extends TextRange {
  role: string;
}

export interface Drawn {
  /** All pieces, one line break between two. */
  text: string;
  pieces: DrawnPiece[];
  ours: TextRange[];
  outside: TextRange[];
  marks: Marks;
  /** The ranges that the compared column does not have. */
  different: TextRange[];
  comparison?: Comparison;
  /** Characters of the pieces, without the line breaks between them. */
  characters: number;
  /** An estimate. */
  tokens: number;
  safety: ForgeryCount;
}

export interface Comparison {
  /** The index of the compared column. */
  with: number;
  shared: number;
  /** Too little is shared for marks to help. */
  tooDifferent: boolean;
}

/** A count that shows whether text from outside forged frames or calls. */
interface ForgeryCount {
  counted: 'frames' | 'calls';
  found: number;
  /** The count for the same conversation without any marker in text from outside. */
  expected: number;
  /** Unbroken markers from outside, in frames that they cannot end. */
  held: number;
}

/** `column`: the column that was drawn, since the columns may have changed in the meantime. */
export type Drawing = { column: DialectColumn } & ({ drawn: Drawn } | { problem: DraftProblem });

/** Below this share of common text, marks would cover nearly everything. */
const LEAST_SHARED = 0.5;

export function drawColumns({ draft, columns, options }: WriteState): Drawing[] {
  const made = toRequest(draft);
  if ('problem' in made) return columns.map((column) => ({ column, ...made }));
  const drawings = columns.map((column) => drawColumn(made.request, column, options));
  if (options.differences) compare(drawings);
  return drawings;
}

function drawColumn(request: unknown, column: DialectColumn, options: Options): Drawing {
  try {
    return {
      column,
      drawn: draw(findDialect(column.dialect), request, column, toRenderOptions(forColumn(column, options))),
    };
  } catch (error) {
    const path = (error instanceof UsageError && error.path) || '';
    return { column, problem: { path, message: error instanceof Error ? error.message : String(error) } };
  }
}

/** A column may have a policy of its own. */
function forColumn({ safety }: DialectColumn, options: Options): Options {
  return safety === undefined ? options : { ...options, safety };
}

function toRenderOptions({ thinking, teaching, language, safety }: Options): RenderOptions {
  return {
    ...(thinking !== 'own' && { thinking: thinking === 'on' }),
    short: teaching === 'short',
    language,
    safety,
  };
}

interface RenderedPiece {
  role: string;
  text: string;
  spans: Span[];
}

function write(
  dialect: Dialect,
  request: unknown,
  form: ColumnForm,
  options: RenderOptions,
): RenderedPiece[] {
  if (form === 'prompt') return [{ role: 'prompt', ...renderPrompt(dialect, request, options) }];
  const { messages } = renderMessages(dialect, request, options);
  return messages.map(({ role, content, spans }) => ({ role, text: content, spans }));
}

function draw(dialect: Dialect, request: unknown, { form }: DialectColumn, options: RenderOptions): Drawn {
  const look = (given: unknown) => lookAt(dialect, write(dialect, given, form, options));
  const { text, texts, spans, pieces, marks } = look(request);
  const harmless = look(withoutMarkers(request, dialect.markers));
  const safety = judge(dialect, { texts, marks }, harmless);
  return {
    text,
    pieces,
    ours: rangesOf(spans, 'ours'),
    outside: rangesOf(spans, 'outside'),
    marks: safety.held > 0 ? { ...marks, forged: [], broken: inOrder(marks.broken, marks.forged) } : marks,
    different: [],
    characters: texts.reduce((sum, piece) => sum + piece.length, 0),
    tokens: texts.reduce((sum, piece) => sum + estimateTokens(piece), 0),
    safety,
  };
}

function lookAt(dialect: Dialect, written: readonly RenderedPiece[]) {
  const joined = join(written);
  const marks = findMarks(dialect, joined.text, joined.spans);
  return { ...joined, texts: written.map(({ text }) => text), marks };
}

/** Joins the pieces into the text that the column shows. */
function join(written: readonly RenderedPiece[]): { text: string; spans: Span[]; pieces: DrawnPiece[] } {
  const spans: Span[] = [];
  const pieces: DrawnPiece[] = [];
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

function rangesOf(spans: readonly Span[], origin: Span['origin']): TextRange[] {
  return spans.filter((span) => span.origin === origin).map(({ start, end }) => ({ from: start, to: end }));
}

type FoundMarks = Pick<ReturnType<typeof lookAt>, 'texts' | 'marks'>;

/** Counts frames or calls, here and in the same conversation without any marker in it. */
function judge(dialect: Dialect, found: FoundMarks, harmless: FoundMarks): ForgeryCount {
  const counted = countedAs(dialect);
  const count = ({ texts, marks }: FoundMarks) =>
    counted === 'calls' ? countCalls(dialect, texts) : marks.frames.length + marks.forged.length;
  const [is, ought] = [count(found), count(harmless)];
  const held = counted === 'calls' && is === ought ? found.marks.forged.length : 0;
  return { counted, found: is, expected: ought, held };
}

const inOrder = (left: readonly TextRange[], right: readonly TextRange[]) =>
  [...left, ...right].sort((a, b) => a.from - b.from);

/** Compares each column with the one before it, the first with the second. */
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

function note(drawn: Drawn, different: TextRange[], comparison: Comparison): void {
  drawn.different = different;
  drawn.comparison = comparison;
}
