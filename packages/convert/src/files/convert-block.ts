// Converts one block: the one function that the main thread, the worker threads and the workers of a queue call. Rows
// that cannot be converted are set aside with the reason; only a file that cannot be read ends a run.

import { type ConvertLine, createConvertLine } from '../forms/convert.js';
import type { Note } from '../forms/form.js';
import { formOf } from '../forms/forms.js';
import type { ScoreSettings } from '../score/score-line.js';
import type { TrainingOptions } from '../train/training.js';
import type { BlockResult, ConvertBlock, GroupBlock, RangeBlock, Settings } from './block.js';
import { BlockOutput, type SpareMemory } from './block-output.js';
import { forEachLine, type Lines } from './each-line.js';
import { type OnMerged, openParquet, type ParquetFile } from './parquet/index.js';
import { RangeReader } from './range-reader.js';
import { noInput } from './source.js';
import { loadTokenizer } from './tokenizer.js';

/** Makes the function that converts a row. Tests give another. */
export type CreateConvertLine = (settings: Settings) => ConvertLine | Promise<ConvertLine>;

const createLine: CreateConvertLine = (settings) => {
  const { training, score } = settings;
  if (score) return loadScoring(score);
  const { tokenizer: file, ...choice } = training ?? {};
  if (!file) return lineOf(settings, training && choice);
  return loadTokenizer(file).then((tokenizer) =>
    lineOf(settings, { ...choice, tokenizer, ...(file.chat && { chat: tokenizer.chat() }) }),
  );
};

function lineOf(
  { from, to, keep, drop, renameTools, dropNullArguments }: Settings,
  training: TrainingOptions | undefined,
): ConvertLine {
  const forms = { from: formOf(from), to: formOf(to, training) };
  return createConvertLine({ ...forms, keep, drop, renameTools, dropNullArguments });
}

/** Loaded only where it is needed: a conversion starts sooner without it. */
async function loadScoring(settings: ScoreSettings): Promise<ConvertLine> {
  const { openScoreLine } = await import('./score-joins.js');
  return openScoreLine(settings);
}

export function createConvertBlock(
  settings: Settings,
  create: CreateConvertLine = createLine,
  spare?: SpareMemory,
): ConvertBlock {
  let convertLine = create(settings);
  // Errors are thrown where a block is converted.
  if (convertLine instanceof Promise) convertLine.catch(() => {});
  const ranges = new RangeReader(settings.lineLimit);
  let parquet: { path: string; file: ParquetFile } | undefined;

  const convertLines = (lines: Lines, convertLine: ConvertLine): BlockResult => {
    const output = new BlockOutput(settings, convertLine, lines.bytes.length, spare);
    forEachLine(lines, settings.lineLimit, (line) => output.add(line));
    return output.finish();
  };

  return async (block) => {
    if (convertLine instanceof Promise) convertLine = await convertLine;
    if (block.kind === 'lines')
      return convertLines({ ...block, bytes: Buffer.from(block.bytes.buffer) }, convertLine);
    if (block.kind === 'range') return convertLines(readRange(block), convertLine);
    const output = new BlockOutput(settings, convertLine, 0, spare);
    const merged = new Map<number, Note[]>();
    const rows = await readGroup(block, (row, path) => {
      if (!merged.has(row)) merged.set(row, [{ kind: 'issue', code: 'merged-arguments', path }]);
    });
    for (const [row, text] of rows.entries()) output.add({ text, notes: merged.get(row) });
    return output.finish();
  };

  function readRange({ file, from, to }: RangeBlock): Lines {
    try {
      return ranges.read(file, from, to);
    } catch (error) {
      throw noInput(file, error);
    }
  }

  async function readGroup({ file, group }: GroupBlock, onMerged: OnMerged): Promise<string[]> {
    try {
      if (parquet?.path !== file) {
        await parquet?.file.close();
        parquet = undefined;
        parquet = { path: file, file: await openParquet(file) };
      }
      return await parquet.file.readGroup(group, onMerged);
    } catch (error) {
      throw noInput(file, error);
    }
  }
}
