// Converts one target of a run: opens its sink, or finds it finished already, and converts its blocks into it.

import { existsSync, readFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import type { Settings } from './block.js';
import { compressedNothing } from './compression.js';
import { ConvertError } from './convert-error.js';
import type { ConvertFilesOptions } from './convert-files.js';
import type { Converters } from './converters.js';
import { openFileSink } from './file-sink.js';
import type { Outcome, Work } from './job.js';
import { identityOf, type Journal } from './journal.js';
import { OutputFile } from './output-file.js';
import { NOTHING_YET, type Sink, type Standing } from './sink.js';
import type { Source } from './source.js';
import type { Target } from './target.js';

export async function convertTarget(
  target: Target,
  settings: Settings,
  options: ConvertFilesOptions,
  converters: Converters,
  heard: Pick<Work, 'onBlock' | 'onSkipped'>,
): Promise<Outcome> {
  const { strict, resume, stop } = options;
  const { sources, output } = target;
  converters.check(sources);
  const identity = {
    options: { ...bytesDependOn(settings, options), ...converters.identity(sources) },
    sources: sources.map(identityOf),
  };
  const opened = await openSink(target, settings, identity, options);
  if ('finished' in opened) {
    if (output !== undefined) await converters.forget(output);
    return { standing: opened.finished, state: 'finished' };
  }
  return converters.run({ ...heard, ...opened, output, sources, settings, identity, strict, resume, stop });
}

/** Whether a later run can recognise the source: a file has its size and time, a pipe has nothing. */
export function isResumable({ mtime }: Source): boolean {
  return mtime > 0;
}

/**
 * Lists what the output bytes depend on. The version is part of it: another version may spell a row differently, and
 * two spellings in one file are worse than starting over.
 */
function bytesDependOn(settings: Settings, { blockSize, shard }: ConvertFilesOptions): Journal['options'] {
  const { strict: _, ...rest } = settings;
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return { version, ...rest, blockSize, ...(shard && { shard }) };
}

type OpenedSink = { sink: Sink; standing: Standing } | { finished: Standing };

async function openSink(
  target: Target,
  { columns, training }: Settings,
  identity: Pick<Journal, 'options' | 'sources'>,
  options: ConvertFilesOptions,
): Promise<OpenedSink> {
  const { output, bad, sources, format, compression } = target;
  const { resume, force } = options;
  if (output === undefined) return { sink: streamSink(target, options), standing: NOTHING_YET };
  if (resume && !sources.every(isResumable)) {
    throw new ConvertError('what came through a pipe cannot be resumed; --force starts over');
  }
  const files = { output, bad: bad ?? `${output}.bad.jsonl`, format, compression };
  const tokens = training?.tokenizer !== undefined;
  const opened = await openFileSink({ ...files, columns, tokens, resume, force, identity });
  if ('sink' in opened) return { sink: opened.sink, standing: opened.standing ?? NOTHING_YET };
  if (opened.finished !== 'earlier') return { finished: opened.finished };
  options.on({ type: 'already-there', output });
  return { finished: NOTHING_YET };
}

/** Writes rows to standard output at once. Rows that are set aside go to a file, or to standard error. */
function streamSink({ bad: path, compression }: Target, options: ConvertFilesOptions): Sink {
  const { force, resume, streams } = options;
  if (resume)
    throw new ConvertError('--resume needs --output <file>: what was printed cannot be taken up again');
  if (path !== undefined && !force && existsSync(path))
    throw new ConvertError(`${path} exists; --force replaces it`);
  const bad = path === undefined ? undefined : new OutputFile(path, 0);
  let empty = true;
  return {
    async write(output, badLines) {
      empty &&= output.length === 0;
      await send(streams.rows, output);
      if (bad) await bad.write(Buffer.from(badLines));
      else await send(streams.bad, Buffer.from(badLines));
    },
    async checkpoint() {},
    async finish(standing) {
      if (empty) await send(streams.rows, compressedNothing(compression));
      return standing;
    },
    async close() {
      await bad?.close();
    },
  };
}

/** Waits until the stream has written the bytes: their memory is reused. */
function send(stream: Writable, bytes: Uint8Array): Promise<void> {
  if (bytes.length === 0) return Promise.resolve();
  return new Promise((done) => stream.write(bytes, () => done()));
}
