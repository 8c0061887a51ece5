// Describes the gateway's report on an answer in sentences.

import type { JsonValue, RepairCode, Report } from '@dragoman/core';
import { isObject, meaningOfRepair } from '@dragoman/core/internal';
import { words } from '../words/words.js';

export interface ReportLine {
  type: 'issue' | 'repair' | 'reask' | 'note';
  /** Undefined for a plain note. */
  code?: string;
  text: string;
}

/** Lines that are listed. More are counted. */
const MAX = 50;

/** Describes in one sentence where the calls of the answer come from. */
export function modeWords({ mode, dialect }: { mode?: string; dialect?: string }): string {
  const { gateway } = words();
  const said = Object.entries(gateway.modes).find(([name]) => name === mode)?.[1];
  if (said === undefined) return dialect === undefined ? '' : gateway.dialect(dialect);
  return gateway.mode(said, dialect);
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
      text: words().gateway.notes.reask((reasons ?? []).join(' ')),
    })),
    ...notes(report),
  ];
  if (lines.length <= MAX) return lines;
  return [...lines.slice(0, MAX), { type: 'note', text: words().gateway.notes.more(lines.length - MAX) }];
}

/** Gives the recorded report, or undefined if the inspector has cut it. */
export function toReport(value: JsonValue | undefined): Report | undefined {
  return isObject(value) && typeof value.mode === 'string' ? (value as unknown as Report) : undefined;
}

function repairText(code: string): string {
  const meaning: unknown = words().meanings.repair(code) ?? meaningOfRepair(code as RepairCode);
  return typeof meaning === 'string' ? meaning : '';
}

function notes(report: Report): ReportLine[] {
  const { refused, rescued, mended, skippedTools, skippedItems } = report;
  const { held, taughtGrammars, taughtFormat, ignored, aside, upstream, moved } = report;
  const said = words().gateway.notes;
  const made: string[] = [];
  for (const { path, message } of listOf(mended)) made.push(said.mended(path, message));
  for (const { from, reason } of listOf(moved)) made.push(said.moved(from, reason));
  if (upstream !== undefined) made.push(said.upstream(upstream));
  if (refused) made.push(said.refused(String(refused)));
  if (rescued) made.push(said.rescued(String(rescued)));
  for (const { path, type } of listOf(skippedTools)) made.push(said.skippedTool(path, type));
  for (const { path, type } of listOf(skippedItems)) made.push(said.skippedItem(path, type));
  if (held === true) made.push(said.held);
  if (taughtFormat === true) made.push(said.taughtFormat);
  for (const name of listOf(taughtGrammars)) made.push(said.taughtGrammar(name));
  if (listOf(ignored).length > 0) made.push(said.ignored(listOf(ignored)));
  if (aside) made.push(said.aside(aside));
  return made.map((text) => ({ type: 'note', text }));
}

function listOf<T>(list: readonly T[] | undefined): readonly T[] {
  return Array.isArray(list) ? list : [];
}
