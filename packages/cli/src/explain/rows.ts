// Splits a text into rows of a terminal. Control characters are replaced by pictures, so that all have a width.

import { visibleLine, widthOf } from '../visible-text.js';

export interface TextRow {
  /** From 1. */
  line: number;
  start: number;
  /** Without the line break. */
  end: number;
  /** Continues the line of the row above. */
  continues: boolean;
}

/** Gives rows of at most `width` columns, in one pass over the text. */
export function rowsOf(text: string, width: number): TextRow[] {
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

export interface Cell {
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
