// The report at the end, for people.

import type { NoteCount, ReportData } from '@dragoman/core/convert';
import { count, duration, megabytes } from './progress.js';

export interface Summary {
  report: ReportData;
  /** Of this run, not of those it goes on from. */
  bytes: number;
  rows: number;
  seconds: number;
  /** Files that rows were set aside to. */
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
    ...notes('read generously (repairs)', report.repairs),
    ...notes('wrong in the source (issues)', report.issues),
    ...notes(`what ${to} cannot say (losses)`, report.losses),
  ].join('\n');
}

function many(number: number, word: string): string {
  return `${count(number)} ${word}${number === 1 ? '' : 's'}`;
}

function notes(title: string, found: { [code: string]: NoteCount }): string[] {
  const lines = Object.entries(found).map(([code, { count: number, example }]) => {
    return `    ${code}  ${count(number)}  first in row ${example.row}${example.path ? `, ${example.path}` : ''}`;
  });
  return lines.length > 0 ? [`  ${title}`, ...lines] : [];
}
