// @dragoman/convert/queue: conversions by workers on any number of machines. BullMQ and its driver are loaded with the
// first connection, the converter with the first run.

import type { ConvertFilesOptions, ConvertFilesResult } from '../files/convert-files.js';
import type { ScoreFilesOptions } from '../files/score-files.js';
import type { QueueOptions } from './queue-converters.js';
import type { WorkerOptions, WorkerResult } from './run-worker.js';

export { type Address, readAddress } from './address.js';
export type { QueueOptions } from './queue-converters.js';
export type { QueueEvent } from './queue-events.js';
export type { WorkerOptions, WorkerResult } from './run-worker.js';
export { checkRoot } from './shared-paths.js';

/** Converts as `convertFiles` does, by workers. The output is that of one machine, byte for byte. */
export async function convertFilesByQueue(
  options: ConvertFilesOptions,
  queue: QueueOptions,
): Promise<ConvertFilesResult> {
  const { convertWith } = await import('../files/convert-files.js');
  const { openQueueConverters } = await import('./queue-converters.js');
  return convertWith(options, () => openQueueConverters(queue, options.blockSize));
}

/** Scores as `scoreFiles` does, by workers. Files to join must lie where they see them. */
export async function scoreFilesByQueue(
  options: ScoreFilesOptions,
  queue: QueueOptions,
): Promise<ConvertFilesResult> {
  const { toConvertOptions } = await import('../files/score-files.js');
  return convertFilesByQueue(await toConvertOptions(options), queue);
}

/** Takes shards from the queue until it is stopped, or until there are none. Throws a ConvertError. */
export async function runWorker(options: WorkerOptions): Promise<WorkerResult> {
  const worker = await import('./run-worker.js');
  return worker.runWorker(options);
}
