// Decides which output each source goes to: all into one file, each into a file of its own in a folder, or all to
// standard output.

import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Compression } from './block.js';
import { checkCompression, compressionOfName } from './compression.js';
import { ConvertError } from './convert-error.js';
import type { Shard } from './plan.js';
import { isDataName, type Source } from './source.js';

export interface Target {
  sources: readonly Source[];
  /** Undefined: standard output. */
  output: string | undefined;
  /** Undefined: standard error. */
  bad: string | undefined;
  format: 'lines' | 'parquet';
  compression: Compression;
}

export interface TargetOptions {
  output: string | undefined;
  bad: string | undefined;
  /** The ending of outputs in a folder, and the format of standard output: `jsonl.gz`. */
  as: string | undefined;
  shard: Shard | undefined;
}

/** Whether it is a folder: it is one, ends with a slash, or does not look like the name of a data file. */
export function isFolderName(output: string | undefined): output is string {
  if (output === undefined || output === '-') return false;
  if (/[/\\]$/.test(output)) return true;
  const stats = statSync(output, { throwIfNoEntry: false });
  return stats ? stats.isDirectory() : !isDataName(output) && !/\.[a-z0-9]{1,5}$/i.test(output);
}

export function toTargets(sources: readonly Source[], options: TargetOptions): Target[] {
  const { output, bad } = options;
  if (output === undefined || output === '-') return [toStandardOutput(sources, options)];
  const targets = isFolderName(output)
    ? sources.map((source) => inFolder(source, output, options))
    : [toFile(sources, output, bad ?? `${output}.bad.jsonl`)];
  checkNames(targets);
  return targets;
}

function toStandardOutput(sources: readonly Source[], { bad, as }: TargetOptions): Target {
  const kind = kindOfName(`.${as ?? 'jsonl'}`);
  if (kind.format === 'parquet') throw new ConvertError('Parquet goes to a file: name it with --output');
  return { sources, output: undefined, bad, ...kind };
}

function inFolder(source: Source, folder: string, { bad, as, shard }: TargetOptions): Target {
  const name = outputName(source.name, as, shard);
  const badName = `${name}.bad.jsonl`;
  return toFile([source], join(folder, name), bad === undefined ? join(folder, badName) : join(bad, badName));
}

function toFile(sources: readonly Source[], output: string, bad: string): Target {
  // Outputs replace a file of the same name, which must not happen to a device or a pipe.
  if (statSync(output, { throwIfNoEntry: false })?.isFile() === false) {
    throw new ConvertError(`${output} is no file: leave --output out, and redirect standard output to it`);
  }
  return { sources, output, bad, ...kindOfName(output) };
}

function kindOfName(name: string): Pick<Target, 'format' | 'compression'> {
  if (/\.parquet$/i.test(name)) return { format: 'parquet', compression: 'none' };
  const compression = compressionOfName(name);
  if (compression === 'brotli') {
    throw new ConvertError(`${name}: brotli is read, but not written. Use .gz or .zst`);
  }
  checkCompression(compression);
  return { format: 'lines', compression };
}

const ENDING = /\.(?:jsonl|ndjson|json|parquet)(?:\.(?:gz|gzip|br|zst|zstd))?$/i;

/** Names the output after its source. A document becomes lines, and brotli, which cannot be written, is left out. */
function outputName(name: string, as: string | undefined, shard: Shard | undefined): string {
  const [ending = '.jsonl'] = ENDING.exec(name) ?? [];
  const stem = ENDING.test(name) ? name.slice(0, -ending.length) : name;
  const kept = ending.replace(/^\.json(?=\.|$)/i, '.jsonl').replace(/\.br$/i, '');
  return `${stem}${shard ? shardSuffix(shard) : ''}${as === undefined ? kept : `.${as}`}`;
}

/** Writes the suffix that data sets in several files use: `train-00002-of-00008`. */
function shardSuffix({ index, count }: Shard): string {
  return `-${String(index).padStart(5, '0')}-of-${String(count).padStart(5, '0')}`;
}

function checkNames(targets: readonly Target[]): void {
  const seen = new Map<string, Source | undefined>();
  for (const { sources, output = '' } of targets) {
    const path = resolve(output);
    const other = seen.get(path);
    if (other)
      throw new ConvertError(`${other.path} and ${sources[0]?.path} would both be written to ${output}`);
    seen.set(path, sources[0]);
  }
  for (const { path } of targets.flatMap(({ sources }) => sources)) {
    if (seen.has(resolve(path))) throw new ConvertError(`${path} would be overwritten by its own conversion`);
  }
}
