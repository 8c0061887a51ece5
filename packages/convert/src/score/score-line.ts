// Scores a line: a recorded output in a layout in, its verdict out.

import { type Dialect, type DialectDeclaration, defineDialect } from '@dragoman/core';
import { dialectOfModel } from '@dragoman/core/bridge';
import { all, type ExactValue, UsageError } from '@dragoman/core/internal';
import { type ConvertedLine, parseRow } from '../forms/convert.js';
import { inRow, type Row, RowError } from '../forms/form.js';
import { isRow, keysOf, memberAt, memberOf } from '../forms/members.js';
import { writeJson } from '../quick/plain-json.js';
import { type Judged, judgeOutput, type Verdict } from './judge-output.js';
import { findLayout } from './layouts/index.js';
import type { Paths, ReadRow } from './layouts/layout.js';
import type { ScoredOutput } from './tally.js';

/** Plain data, which can be sent to threads and machines. */
export interface ScoreSettings {
  layout: string;
  /** A name, a declaration, or `auto`: each output's own. Default: what the row says. */
  dialect?: string | DialectDeclaration | undefined;
  /** Whether the prompts ended inside the reasoning. */
  thinking?: boolean | undefined;
  paths?: Paths | undefined;
  /** Files whose rows are joined by their `id`; their sizes and times tell whether they are the same. */
  joins?: readonly { path: string; size: number; mtime: number }[] | undefined;
}

/** Members to add to the rows with this `id`. */
export type JoinedRows = ReadonlyMap<string, Row>;

/** Scores a line. Throws a RowError if its layout is another one. */
export function createScoreLine(
  settings: ScoreSettings,
  joined: JoinedRows = new Map(),
): (text: string) => ConvertedLine {
  const layout = findLayout(settings.layout);
  const fixed = dialectOf(settings.dialect);
  return (text) => {
    const row = layout.read(withJoined(parseRow(text), joined), settings.paths ?? {}, fixed);
    const dialect = chooseDialect(row, fixed, settings.dialect === 'auto');
    const outputs = inRow(() => scoreRow(row, dialect, settings));
    return {
      text: writeJson(toRow(row, outputs)),
      notes: [],
      calls: outputs.reduce((sum, { judged }) => sum + judged.calls.length, 0),
      outputs,
    };
  };
}

function scoreRow(row: ReadRow, dialect: Dialect | undefined, settings: ScoreSettings): ScoredOutput[] {
  const { tools, expected, readers, id } = row;
  const reason = unscoredReason(row);
  if (reason !== undefined) {
    const judged: Judged = { verdict: 'unscored', reason, errors: [], calls: [], issues: [], repairs: [] };
    return [{ judged, id, text: row.outputs[0]?.join('\n') ?? '' }];
  }
  const thinking = row.thinking === true || settings.thinking === true;
  return row.outputs.map((texts, at) => {
    const reader = readers?.[at];
    const judged = judgeOutput({ texts, tools, expected, reader, dialect, thinking });
    return { judged, id, text: texts.join('\n') };
  });
}

/** Names, schemas and leaks need tools; without those, and without expected calls, nothing can be wrong. */
function unscoredReason({ unscored, outputs, expected, tools }: ReadRow): string | undefined {
  if (unscored !== undefined) return unscored;
  if (outputs.length === 0) return 'no-output';
  return expected === undefined && tools.length === 0 ? 'no-target' : undefined;
}

// --- the dialect -----------------------------------------------------------------------------------------------

function dialectOf(dialect: ScoreSettings['dialect']): Dialect | undefined {
  if (dialect === undefined || dialect === 'auto') return undefined;
  return typeof dialect === 'string' ? all.find(dialect) : defineDialect(dialect);
}

/** The row's own dialect comes first, then the given one, then that of its model's name. */
function chooseDialect(row: ReadRow, fixed: Dialect | undefined, auto: boolean): Dialect | undefined {
  if (unscoredReason(row) !== undefined) return undefined;
  if (row.dialect !== undefined) return named(row.dialect);
  if (fixed || auto) return fixed;
  const ofModel = row.model === undefined ? undefined : dialectOfModel(row.model, all);
  if (ofModel) return ofModel;
  throw new RowError(
    'dialect',
    'which dialect? Name it in the row, or with --dialect; auto tries all of them',
  );
}

function named(name: string): Dialect {
  try {
    return all.find(name);
  } catch (error) {
    throw error instanceof UsageError ? new RowError('dialect', error.message) : error;
  }
}

// --- rows ------------------------------------------------------------------------------------------------------

/** A member that the row has itself is kept. */
function withJoined(row: Row, joined: JoinedRows): Row {
  const id = memberOf(row, 'id');
  const more = typeof id === 'string' || typeof id === 'number' ? joined.get(String(id)) : undefined;
  return more ? joinRows(more, row) : row;
}

/** Gives the members of both; those of the second replace those of the first. */
export function joinRows(first: Row, second: Row): Row {
  const members = new Map<string, ExactValue>();
  for (const row of [first, second])
    for (const key of keysOf(row)) members.set(key, memberAt(row, key) as ExactValue);
  return members;
}

/** Reads a row to be joined: its `id` and itself. Throws a RowError. */
export function readJoin(text: string): [id: string, row: Row] {
  const row = parseRow(text);
  const id = isRow(row) ? memberOf(row, 'id') : undefined;
  if (typeof id === 'string' || typeof id === 'number') return [String(id), row];
  throw new RowError('id', 'expected a row with an `id`');
}

/** From the worst to the best. */
const order: readonly Verdict[] = ['parser', 'model', 'unscored', 'right'];

function toRow({ id }: ReadRow, outputs: readonly ScoredOutput[]): Row {
  const verdicts = outputs.map(({ judged }) => judged.verdict);
  return {
    ...(id !== undefined && { id }),
    verdict: order.find((one) => verdicts.includes(one)) ?? 'unscored',
    outputs: outputs.map(({ judged }) => toOutputRow(judged)),
  };
}

/** Arguments are JSON text: in a table, one column holds those of every tool. */
function toOutputRow(judged: Judged): Row {
  const { verdict, dialect, by, readsAs, readerRight, reason, errors, calls, repairs, issues } = judged;
  return {
    verdict,
    ...(dialect !== undefined && { dialect }),
    ...(by !== undefined && { by }),
    ...(readsAs && { reads_as: readsAs.dialect, reads_thinking: readsAs.thinking }),
    ...(readerRight !== undefined && { reader_right: readerRight }),
    ...(reason !== undefined && { reason }),
    errors: errors.map(({ check, message }) => ({ check, message })),
    calls: calls.map(({ name, raw }) => ({ name, arguments: raw })),
    repairs,
    issues,
  };
}
