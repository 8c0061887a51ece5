// Opens the files that are joined to the rows of a scoring. They are held in memory, once in each thread, so their size
// is limited.

import { readFile, stat } from 'node:fs/promises';
import type { ConvertLine } from '../forms/convert.js';
import { type Row, RowError } from '../forms/form.js';
import { createScoreLine, joinRows, readJoin, type ScoreSettings } from '../score/score-line.js';
import { ConvertError } from './convert-error.js';
import { noInput } from './source.js';

const MOST = 256 * 1024 * 1024;

export async function openScoreLine(settings: ScoreSettings): Promise<ConvertLine> {
  const joined = new Map<string, Row>();
  for (const { path } of settings.joins ?? []) await addRows(path, joined);
  return createScoreLine(settings, joined);
}

/** Describes the files: a run that continues needs the same ones. Throws a ConvertError. */
export async function describeJoins(paths: readonly string[]): Promise<ScoreSettings['joins']> {
  const found: { path: string; size: number; mtime: number }[] = [];
  for (const path of paths) {
    const stats = await stat(path).catch((error: unknown) => {
      throw noInput(path, error);
    });
    found.push({ path, size: stats.size, mtime: stats.mtimeMs });
  }
  const whole = found.reduce((sum, { size }) => sum + size, 0);
  if (whole > MOST)
    throw new ConvertError(`the files to join have ${whole} bytes; they are held in memory, at most ${MOST}`);
  return found.length > 0 ? found : undefined;
}

async function addRows(path: string, joined: Map<string, Row>): Promise<void> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw noInput(path, error);
  });
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [id, row] = readRow(path, at + 1, line);
    const known = joined.get(id);
    joined.set(id, known ? joinRows(known, row) : row);
  }
}

function readRow(path: string, line: number, text: string): [string, Row] {
  try {
    return readJoin(text);
  } catch (error) {
    if (error instanceof RowError) throw new ConvertError(`${path}, line ${line}: ${error.message}`, 'input');
    throw error;
  }
}
