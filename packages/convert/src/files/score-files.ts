// Scores files: a conversion whose rows are verdicts.

import { layouts } from '../score/layouts/index.js';
import type { ScoreSettings } from '../score/score-line.js';
import type { BlockThread } from './block-thread.js';
import { type ConvertFilesOptions, type ConvertFilesResult, convertFiles } from './convert-files.js';
import { describeJoins } from './score-joins.js';
import type { LogFiles } from './source.js';

export interface ScoreFilesOptions
  extends Omit<ConvertFilesOptions, 'from' | 'to' | 'keep' | 'drop' | 'renameTools' | 'score' | 'logs'> {
  score: Omit<ScoreSettings, 'joins'>;
  /** Files of JSON lines whose members are added to the rows with the same `id`. */
  joins: readonly string[];
}

/** Logs of inspect_ai: an archive with a folder of samples, or a document with a list of them. */
const LOGS: LogFiles = { ending: '.eval', member: 'samples' };

export async function scoreFiles(
  options: ScoreFilesOptions,
  threads: readonly BlockThread[] = [],
): Promise<ConvertFilesResult> {
  return convertFiles(await toConvertOptions(options), threads);
}

/** A row is read by its layout, not by a form. */
const NO_FORM = { form: 'score' };

export async function toConvertOptions({
  score,
  joins,
  ...rest
}: ScoreFilesOptions): Promise<ConvertFilesOptions> {
  const { isLog = false } = layouts.find(({ name }) => name === score.layout) ?? {};
  const described = await describeJoins(joins);
  return {
    ...rest,
    from: NO_FORM,
    to: NO_FORM,
    keep: undefined,
    drop: undefined,
    renameTools: false,
    score: { ...score, ...(described && { joins: described }) },
    ...(isLog && { logs: LOGS }),
  };
}
