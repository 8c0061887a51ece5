// Shows the text with a colour for the role of each character. Without colours, letters show the roles: beside a row
// that has one role, under a row that has several.
//
//   1 t │ I'll look.
//   2   │ <tool_call>{"name": "add", "arguments": {"a": 1,}}</tool_call>
//       │ mmmmmmmmmmmmmmmmmmmmmnnnmmmmmmmmmmmmmmmmaaaaaaaaammmmmmmmmmmmm
//       │                                                ~

import type { Range } from '@dragoman/core';
import { colors } from '../terminal.js';
import { padTo, visibleLine, widthOf } from '../visible-text.js';
import { type RoleSpan, roles, type SpanRole } from './spans.js';

interface Look {
  letter: string;
  words: string;
  paint(text: string): string;
}

const looks: Record<SpanRole, Look> = {
  text: { letter: 't', words: 'text', paint: (text) => text },
  aside: { letter: 'b', words: 'text after the calls, set aside', paint: (text) => colors.blue(text) },
  reasoning: { letter: 'r', words: 'reasoning', paint: (text) => colors.magenta(text) },
  name: { letter: 'n', words: 'name of a tool', paint: (text) => colors.bold(colors.green(text)) },
  argument: { letter: 'a', words: 'argument', paint: (text) => colors.cyan(text) },
  markup: { letter: 'm', words: 'markup', paint: (text) => colors.dim(text) },
  lost: { letter: 'x', words: 'not delivered', paint: (text) => colors.red(text) },
};

type NoteMark = 'fault' | 'mended';

const marks: Record<NoteMark, { letter: string; words: string; paint(text: string): string }> = {
  fault: { letter: '^', words: 'at fault', paint: (text) => colors.inverse(colors.red(text)) },
  mended: { letter: '~', words: 'repaired', paint: (text) => colors.underline(colors.yellow(text)) },
};

export interface TextParts {
  text: string;
  spans: readonly RoleSpan[];
  /** The ranges of issues and of repairs. */
  faults: readonly Range[];
  mended: readonly Range[];
}

/** A text of more rows is shown in part. */
const MOST_ROWS = 80;
const HEAD_ROWS = 16;
const TAIL_ROWS = 6;
/** How many issues and repairs, and how many tool names, are shown with a row above and below. */
const MOST_PLACES = 12;

export function showText(parts: TextParts, width: number): string {
  const margin = String(lineCount(parts.text)).length + 5;
  const rows = rowsOf(parts.text, Math.max(20, width - margin));
  const lines: string[] = [];
  let next = 0;
  for (const at of chosenRows(rows, parts)) {
    if (at > next) lines.push(colors.dim(`${' '.repeat(margin - 2)}⋮ ${count(at - next, 'row')} not shown`));
    lines.push(...showRow(rows[at] as TextRow, parts, margin));
    next = at + 1;
  }
  return [...lines, '', legend(parts, width)].join('\n');
}

function count(n: number, what: string): string {
  return `${n.toLocaleString('en')} ${what}${n === 1 ? '' : 's'}`;
}

function lineCount(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** Chooses all rows, or the first, the last, and those around issues, repairs and tool names. */
function chosenRows(rows: readonly TextRow[], { faults, mended, spans }: TextParts): number[] {
  if (rows.length <= MOST_ROWS) return rows.map((_, at) => at);
  const names = spans.filter(({ role }) => role === 'name' || role === 'lost').map(({ start }) => start);
  const places = [...faults, ...mended].map(([start]) => start);
  const around = [...places.slice(0, MOST_PLACES), ...names.slice(0, MOST_PLACES)].flatMap((offset) => {
    const at = rowWith(rows, offset);
    return [at - 1, at, at + 1];
  });
  const head = Array.from({ length: HEAD_ROWS }, (_, at) => at);
  const tail = Array.from({ length: TAIL_ROWS }, (_, at) => rows.length - TAIL_ROWS + at);
  const chosen = new Set([...head, ...around, ...tail].filter((at) => at >= 0 && at < rows.length));
  return [...chosen].sort((a, b) => a - b);
}

function rowWith(rows: readonly TextRow[], offset: number): number {
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((rows[middle] as TextRow).start <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

// --- one row -------------------------------------------------------------------------------------------------

function showRow(row: TextRow, parts: TextParts, margin: number): string[] {
  const pieces = piecesOf(row, parts);
  const number = row.continues ? '' : String(row.line);
  if (colors.isColorSupported) {
    const painted = pieces.map(({ shown, role, mark }) => (mark ? marks[mark] : looks[role]).paint(shown));
    return [`${gutter(number, '', margin)}${painted.join('')}`.trimEnd()];
  }
  const uniform = new Set(pieces.map(({ role }) => role)).size <= 1;
  const letter = uniform && pieces[0] ? looks[pieces[0].role].letter : '';
  const shown = pieces.map((piece) => piece.shown).join('');
  const letters = pieces.map(({ role, width }) => looks[role].letter.repeat(width)).join('');
  return [
    `${gutter(number, letter, margin)}${shown}`.trimEnd(),
    ...(uniform ? [] : [`${gutter('', '', margin)}${letters}`]),
    ...markLine(row, parts).map((line) => `${gutter('', '', margin)}${line}`),
  ];
}

function gutter(number: string, letter: string, margin: number): string {
  return `${number.padStart(margin - 5)} ${padTo(letter, 1)} ${colors.dim('│')} `;
}

interface RowPiece {
  shown: string;
  width: number;
  role: SpanRole;
  mark: NoteMark | undefined;
}

/** Splits a row into runs with the same role and mark. */
function piecesOf(row: TextRow, parts: TextParts): RowPiece[] {
  const pieces: RowPiece[] = [];
  const near = nearMarks(row, parts);
  let span = spanWith(parts.spans, row.start);
  for (let at = row.start; at < row.end; ) {
    while ((parts.spans[span]?.end ?? Number.POSITIVE_INFINITY) <= at) span++;
    const role = parts.spans[span]?.role ?? 'text';
    const mark = markAt(near, at);
    const cell = cellAt(parts.text, at);
    const last = pieces.at(-1);
    if (last && last.role === role && last.mark === mark) {
      last.shown += cell.shown;
      last.width += cell.width;
    } else pieces.push({ shown: cell.shown, width: cell.width, role, mark });
    at += cell.length;
  }
  return pieces;
}

function spanWith(spans: readonly RoleSpan[], offset: number): number {
  let low = 0;
  let high = Math.max(0, spans.length - 1);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle] as RoleSpan).end <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface NearMark {
  range: Range;
  mark: NoteMark;
}

/** Gives the marks that touch the row, issues first: a character with both is shown as a fault. */
function nearMarks({ start, end }: TextRow, { faults, mended }: TextParts): NearMark[] {
  const near = (ranges: readonly Range[], mark: NoteMark) =>
    ranges.filter(([from, to]) => from <= end && to >= start).map((range) => ({ range, mark }));
  return [...near(faults, 'fault'), ...near(mended, 'mended')];
}

function markAt(near: readonly NearMark[], at: number): NoteMark | undefined {
  return near.find(({ range: [from, to] }) => from <= at && at < to)?.mark;
}

/** Draws the marks under the row. An empty range, such as where something is missing, gets one sign. */
function markLine(row: TextRow, parts: TextParts): string[] {
  const near = nearMarks(row, parts);
  if (near.length === 0) return [];
  let line = '';
  for (let at = row.start; at < row.end; ) {
    const cell = cellAt(parts.text, at);
    const here = markAt(near, at) ?? near.find(({ range: [from, to] }) => from === to && from === at)?.mark;
    line += (here ? marks[here].letter : ' ').repeat(cell.width);
    at += cell.length;
  }
  const behind = near.find(({ range: [from, to] }) => from === to && from === row.end);
  if (behind) line += marks[behind.mark].letter;
  return line.trim() === '' ? [] : [line.trimEnd()];
}

// --- the legend ----------------------------------------------------------------------------------------------

function legend({ spans, faults, mended }: TextParts, width: number): string {
  const used = new Set(spans.map(({ role }) => role));
  const present: Look[] = [
    ...roles.filter((role) => used.has(role)).map((role) => looks[role]),
    ...(faults.length > 0 ? [marks.fault] : []),
    ...(mended.length > 0 ? [marks.mended] : []),
  ];
  const entries = present.map(({ letter, words, paint }) =>
    colors.isColorSupported ? paint(words) : `${letter} ${words}`,
  );
  return wrapEntries(entries, present, width);
}

/** Wraps the entries by their width without colours. */
function wrapEntries(entries: readonly string[], present: readonly Look[], width: number): string {
  let text = ' ';
  let used = 1;
  for (const [at, entry] of entries.entries()) {
    const length = (present[at]?.words.length ?? 0) + (colors.isColorSupported ? 0 : 2);
    if (used + length + 3 > width) [text, used] = [`${text}\n `, 1];
    text += `${used > 1 ? colors.dim(' ·') : ''} ${entry}`;
    used += length + 3;
  }
  return text;
}

interface TextRow {
  /** From 1. */
  line: number;
  start: number;
  /** Without the line break. */
  end: number;
  /** Continues the line of the row above. */
  continues: boolean;
}

/** Gives rows of at most `width` columns, in one pass over the text. */
function rowsOf(text: string, width: number): TextRow[] {
  const rows: TextRow[] = [];
  let row: TextRow = { line: 1, start: 0, end: 0, continues: false };
  let used = 0;
  for (let at = 0; at < text.length; ) {
    const cell = cellAt(text, at);
    const isBreak = text.charCodeAt(at) === 0x0a;
    if (isBreak || (used + cell.width > width && used > 0)) {
      rows.push(row);
      const start = isBreak ? at + 1 : at;
      row = { line: row.line + (isBreak ? 1 : 0), start, end: start, continues: !isBreak };
      used = 0;
    }
    at += cell.length;
    if (isBreak) continue;
    row.end = at;
    used += cell.width;
  }
  // A line break at the end of the text opens no row.
  return row.start < text.length || rows.length === 0 ? [...rows, row] : rows;
}

interface Cell {
  shown: string;
  width: number;
  /** Code units of the text. */
  length: number;
}

const ascii: readonly Cell[] = Array.from({ length: 0x7f }, (_, code) => cellOf(String.fromCharCode(code)));

export function cellAt(text: string, at: number): Cell {
  const code = text.codePointAt(at) as number;
  return ascii[code] ?? cellOf(String.fromCodePoint(code));
}

function cellOf(character: string): Cell {
  const shown = visibleLine(character);
  return { shown, width: widthOf(shown), length: character.length };
}
