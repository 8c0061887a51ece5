// The progress of a conversion: a small JSON file beside the output, replaced atomically and only after the data it
// mentions is on the disk. Bytes after its offsets are cut off when the conversion is resumed.

import { open, readFile, rename, rm } from 'node:fs/promises';
import { ConvertError, messageOf } from './convert-error.js';
import type { Standing } from './sink.js';
import type { Source } from './source.js';

export interface Journal extends Standing {
  version: 1;
  /** Everything that the output bytes depend on, by name: a run can be resumed only with the same values. */
  options: { [name: string]: unknown };
  sources: readonly SourceIdentity[];
  /** Whether everything is converted, so that only the files must be renamed. */
  done: boolean;
  /** How many bytes of `<output>.partial` and `<bad>.partial` are valid. */
  output: number;
  bad: number;
}

type SourceIdentity = Pick<Source, 'path' | 'size' | 'mtime'>;

export function identityOf({ path, size, mtime }: Source): SourceIdentity {
  return { path, size, mtime };
}

/** Replaces the journal atomically: the disk has the old one or the new one, never a part of one. */
export async function writeJournal(path: string, journal: Journal): Promise<void> {
  const next = `${path}.tmp`;
  const handle = await open(next, 'w');
  try {
    await handle.writeFile(`${JSON.stringify(journal)}\n`);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await rename(next, path);
}

/** Reads the journal; undefined if there is none. */
export async function readJournal(path: string): Promise<Journal | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new ConvertError(`cannot read ${path}: ${messageOf(error)}`);
  }
  const journal = toJournal(text);
  if (journal) return journal;
  throw new ConvertError(`${path} is no journal of this command; --force starts over`);
}

function toJournal(text: string): Journal | undefined {
  try {
    const journal = JSON.parse(text) as Journal | null;
    const whole =
      journal?.version === 1 && typeof journal.blocks === 'number' && Array.isArray(journal.sources);
    return whole ? journal : undefined;
  } catch {
    return undefined;
  }
}

export async function removeJournal(path: string): Promise<void> {
  await rm(`${path}.tmp`, { force: true });
  await rm(path, { force: true });
}

/** Says how the run that wrote the journal differs from this one; undefined if it does not. */
export function differsFrom(
  old: Journal,
  options: Journal['options'],
  sources: readonly SourceIdentity[],
): string | undefined {
  for (const name of Object.keys({ ...old.options, ...options })) {
    const was = JSON.stringify(old.options[name]) ?? 'not given';
    const is = JSON.stringify(options[name]) ?? 'not given';
    if (was !== is) return `${name} was ${was} and is ${is}`;
  }
  if (old.sources.length !== sources.length)
    return `there were ${old.sources.length} inputs and are ${sources.length}`;
  const changed = sources.findIndex((source, n) => JSON.stringify(source) !== JSON.stringify(old.sources[n]));
  return changed < 0 ? undefined : `${sources[changed]?.path} has changed since`;
}
