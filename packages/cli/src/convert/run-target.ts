// One target of a run: its sink is opened, or found to be finished already, and its blocks are converted into it.

import { existsSync, readFileSync } from 'node:fs';
import { CommandError } from '../command-error.js';
import { removePieces } from '../queue/pieces.js';
import { refusePipes, shardSizeFor } from '../queue/plan-shards.js';
import type { ShardQueue } from '../queue/shard-queue.js';
import { note } from '../terminal.js';
import type { Settings } from './block.js';
import { openFileSink } from './file-sink.js';
import { type Outcome, runJob, type Work } from './job.js';
import { identityOf, type Journal } from './journal.js';
import type { RunOptions } from './options.js';
import { OutputFile } from './output-file.js';
import { totalSize } from './plan.js';
import type { Pools } from './pools.js';
import { NOTHING_YET, type Sink, type Standing } from './sink.js';
import type { Source } from './source.js';
import { createStreamSink } from './stream-sink.js';
import type { Target } from './target.js';

export interface Surroundings extends Pick<Work, 'stop' | 'onBlock' | 'onSkipped'> {
  pools: Pools;
  /** Workers convert. */
  queue: ShardQueue | undefined;
}

export async function runTarget(
  target: Target,
  settings: Settings,
  options: RunOptions,
  { pools, queue, ...around }: Surroundings,
): Promise<Outcome> {
  const { blockSize, shard, strict, filter, resume, root } = options;
  const { sources, output } = target;
  if (queue) refusePipes(sources);
  const opened = await openSink(target, settings, options);
  if ('finished' in opened) {
    if (queue && output !== undefined) await removePieces(output);
    return { standing: opened.finished, state: 'finished' };
  }
  const work = { ...around, sources, sink: opened.sink, standing: opened.standing, strict };
  if (queue && output !== undefined) {
    const shardSize = shardSizeFor(totalSize(sources), blockSize);
    const identity = identityOfRun(target, settings, options);
    const { runShards } = await import('../queue/run-shards.js');
    return runShards({ ...work, output, settings, blockSize, shardSize, identity, resume, queue, root });
  }
  return runJob({
    ...work,
    plan: { blockSize, lineLimit: settings.lineLimit, prompt: filter, ...(shard && { shard }) },
    pool: await pools.of(settings),
  });
}

/** A file keeps its size and its time; what came through a pipe cannot be told from something else. */
export function isResumable({ mtime }: Source): boolean {
  return mtime > 0;
}

type OpenedSink = { sink: Sink; standing: Standing } | { finished: Standing };

async function openSink(target: Target, settings: Settings, options: RunOptions): Promise<OpenedSink> {
  const { output, bad, sources, compression } = target;
  if (output === undefined) return { sink: streamSink(target, options), standing: NOTHING_YET };
  if (options.resume && !sources.every(isResumable)) {
    throw new CommandError('what came through a pipe cannot be resumed; --force starts over');
  }
  const opened = await openFileSink({
    output,
    bad: bad ?? `${output}.bad.jsonl`,
    format: target.format,
    compression,
    resume: options.resume,
    force: options.force,
    identity: identityOfRun(target, settings, options),
  });
  if ('sink' in opened) return { sink: opened.sink, standing: opened.standing ?? NOTHING_YET };
  if (opened.finished !== 'earlier') return { finished: opened.finished };
  note(`${output} is there already; nothing to resume (--force converts it again)`);
  return { finished: NOTHING_YET };
}

function streamSink({ bad, compression }: Target, { force, resume }: RunOptions): Sink {
  if (resume)
    throw new CommandError('--resume needs --output <file>: what was printed cannot be taken up again');
  if (bad !== undefined && !force && existsSync(bad))
    throw new CommandError(`${bad} exists; --force replaces it`);
  return createStreamSink(bad === undefined ? undefined : new OutputFile(bad, 0), compression);
}

function identityOfRun({ sources }: Target, settings: Settings, options: RunOptions) {
  const { queue, blockSize } = options;
  // A journal counts shards of a queue where another counts blocks.
  const shards = queue ? { shardSize: shardSizeFor(totalSize(sources), blockSize) } : {};
  return { options: { ...bytesDependOn(settings, options), ...shards }, sources: sources.map(identityOf) };
}

/** Another version may spell a row otherwise, and two spellings in one file are worse than starting over. */
function bytesDependOn(settings: Settings, { blockSize, shard }: RunOptions): Journal['options'] {
  const { strict: _, ...rest } = settings;
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return { version, ...rest, blockSize, ...(shard && { shard }) };
}
