// Writes the report at the end, for people.

import { meaningOfCode, type NoteCode, type NoteCount, type ReportData } from '@dragoman/convert';
import type { IssueCode, RepairCode } from '@dragoman/core';
import { meaningOfIssue, meaningOfRepair } from '../explain/meanings.js';
import { indent, wrapWords } from '../visible-text.js';
import { count, duration, megabytes } from './convert-progress.js';

export interface Summary {
  report: ReportData;
  /** Counts of this run, without those of the runs it continues. */
  bytes: number;
  rows: number;
  seconds: number;
  /** Files that hold rows that were set aside. */
  bad: readonly string[];
  to: string;
}

export function reportText({ report, bytes, rows, seconds, bad, to }: Summary): string {
  const aside = report.badRows > 0 ? `, ${many(report.badRows, 'row')} set aside` : '';
  const speed = seconds > 0 ? `: ${megabytes(bytes / seconds)} MB/s, ${count(rows / seconds)} rows/s` : '';
  return [
    `${many(report.rows, 'row')} converted, ${many(report.calls, 'call')}${aside}`,
    `  ${megabytes(bytes)} MB in ${duration(seconds)}${speed}`,
    ...bad.map((file) => `  set aside in ${file}`),
    ...notes('read generously (repairs)', 'repair', report.repairs),
    ...notes('wrong in the source (issues)', 'issue', report.issues),
    ...notes(`what ${to} cannot say (losses)`, 'loss', report.losses),
  ].join('\n');
}

function many(number: number, word: string): string {
  return `${count(number)} ${word}${number === 1 ? '' : 's'}`;
}

function notes(title: string, kind: NoteCode['kind'], found: { [code: string]: NoteCount }): string[] {
  const lines = Object.entries(found).flatMap(([code, { count: number, example }]) => {
    const place = `first in row ${example.row}${example.path ? `, ${example.path}` : ''}`;
    const meaning = wrapWords(meaningOf(kind, code), 72).map((line) => indent(line, 6));
    return [`    ${code}  ${count(number)}  ${place}`, ...meaning];
  });
  return lines.length > 0 ? [`  ${title}`, ...lines] : [];
}

function meaningOf(kind: NoteCode['kind'], code: string): string {
  const own = meaningOfCode(kind, code);
  if (own !== undefined) return own;
  const parsers =
    kind === 'repair' ? meaningOfRepair(code as RepairCode) : meaningOfIssue({ code: code as IssueCode });
  return parsers ?? '';
}
