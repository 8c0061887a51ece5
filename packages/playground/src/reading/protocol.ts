// The messages between the page and its worker.

import type { ReadInput, ReadOutcome, ShuffleResult } from './jobs.js';
import type { TextReading } from './text-reading.js';

/** A newer request replaces an older one of its kind; `read` replaces all. */
export type WorkerRequest =
  | { type: 'read'; id: number; input: ReadInput }
  | { type: 'seek'; id: number; at: number }
  | { type: 'shuffle'; id: number; seed: number };

export type WorkerReply =
  | ({ type: 'read'; id: number } & ReadOutcome)
  | { type: 'seek'; id: number; reading: TextReading }
  | { type: 'shuffle'; id: number; result: ShuffleResult }
  | { type: 'failed'; id: number; message: string };
