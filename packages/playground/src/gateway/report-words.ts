// Describes the gateway's report on an answer in sentences.

import type { JsonValue, RepairCode, Report } from '@dragoman/core';
import { isObject, meaningOfRepair } from '@dragoman/core/internal';

export interface ReportLine {
  type: 'issue' | 'repair' | 'reask' | 'note';
  /** Undefined for a plain note. */
  code?: string;
  text: string;
}

/** Lines that are listed. More are counted. */
const MAX = 50;

const modes: Record<string, string> = {
  emulate: 'The model only writes text; the gateway read it',
  heal: 'The model has tools of its own; the gateway watched its text for calls',
  native: 'The model has tools of its own, and its answer was passed on',
};

/** Describes in one sentence where the calls of the answer come from. */
export function modeWords({ mode, dialect }: { mode?: string; dialect?: string }): string {
  const words = modes[mode ?? ''];
  if (words === undefined) return dialect === undefined ? '' : `Dialect: ${dialect}.`;
  return dialect === undefined ? `${words}.` : `${words} in the dialect ${dialect}.`;
}

export function reportLines(report: Report): ReportLine[] {
  const lines: ReportLine[] = [
    ...listOf(report.issues).map(({ code, message = '' }) => ({
      type: 'issue' as const,
      code,
      text: message,
    })),
    ...listOf(report.repairs).map(({ code }) => ({ type: 'repair' as const, code, text: repairText(code) })),
    ...listOf(report.reasks).map(({ reasons }) => ({
      type: 'reask' as const,
      text: `The model was asked again: ${(reasons ?? []).join(' ')}`,
    })),
    ...notes(report),
  ];
  if (lines.length <= MAX) return lines;
  return [...lines.slice(0, MAX), { type: 'note', text: `And ${lines.length - MAX} more.` }];
}

/** Gives the recorded report, or undefined if the inspector has cut it. */
export function toReport(value: JsonValue | undefined): Report | undefined {
  return isObject(value) && typeof value.mode === 'string' ? (value as unknown as Report) : undefined;
}

function repairText(code: string): string {
  const meaning: unknown = meaningOfRepair(code as RepairCode);
  return typeof meaning === 'string' ? meaning : '';
}

function notes(report: Report): ReportLine[] {
  const { refused, rescued, mended, skippedTools, skippedItems } = report;
  const { held, taughtGrammars, taughtFormat, ignored, aside, upstream, moved } = report;
  const made: string[] = [];
  for (const { path, message } of listOf(mended)) made.push(`Mended before sending, at ${path}: ${message}`);
  for (const { from, reason } of listOf(moved)) made.push(`The upstream ${from} was left: ${reason}`);
  if (upstream !== undefined) made.push(`The answer came from the upstream ${upstream}.`);
  if (refused)
    made.push(`The upstream refused what it was asked for, and was asked again without: ${refused}`);
  if (rescued) made.push(`The upstream could not read the calls; they are from its error: ${rescued}`);
  for (const { path, type } of listOf(skippedTools)) made.push(`The tool at ${path} was left out: ${type}.`);
  for (const { path, type } of listOf(skippedItems))
    made.push(`The model did not get the item at ${path}, which it cannot read: ${type}.`);
  if (held === true) made.push('A grammar held the sampling of the answer, or of its calls.');
  if (taughtFormat === true)
    made.push('Beside tools a grammar holds calls alone; the prompt asked for the JSON.');
  for (const name of listOf(taughtGrammars)) made.push(`The model was only told of the grammar of ${name}.`);
  if (listOf(ignored).length > 0) made.push(`These had no effect: ${listOf(ignored).join(', ')}.`);
  if (aside) made.push(`Written beside the calls or the JSON, and not delivered: ${aside}`);
  return made.map((text) => ({ type: 'note', text }));
}

function listOf<T>(list: readonly T[] | undefined): readonly T[] {
  return Array.isArray(list) ? list : [];
}
