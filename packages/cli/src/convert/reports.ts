// Reports of blocks made into that of the whole.

import { type NoteCount, Report, type ReportData } from '@dragoman/convert';
import type { Standing } from './sink.js';

export function mergedReports(...parts: readonly ReportData[]): ReportData {
  const report = new Report();
  for (const part of parts) report.merge(part);
  return report.toJSON();
}

/** A block names rows by its own lines; `before` lines stand in front of them. In a shard, those of the shard. */
export function movedReport(report: ReportData, before: number): ReportData {
  if (before === 0) return report;
  const { repairs, issues, losses } = report;
  return {
    ...report,
    repairs: movedNotes(repairs, before),
    issues: movedNotes(issues, before),
    losses: movedNotes(losses, before),
  };
}

function movedNotes(notes: { [code: string]: NoteCount }, before: number): { [code: string]: NoteCount } {
  const moved = Object.entries(notes).map(([code, { count, example }]) => {
    return [code, { count, example: { ...example, row: example.row + before } }] as const;
  });
  return Object.fromEntries(moved);
}

/** Rows that were converted, but did not fit into the table. */
export function withRefused(standing: Standing, refused: number): Standing {
  const { rows, badRows } = standing.report;
  return { ...standing, report: { ...standing.report, rows: rows - refused, badRows: badRows + refused } };
}
