// What the page and its worker say to each other.

import type { ReadInput, ReadResult, ShuffleResult } from './jobs.js';
import type { TextReading } from './text-reading.js';

/** Newer asks of a kind take the place of older ones; a new text takes the place of everything. */
export type Ask =
  | { type: 'read'; id: number; input: ReadInput }
  | { type: 'seek'; id: number; at: number }
  | { type: 'shuffle'; id: number; seed: number };

export type Said =
  | ({ type: 'read'; id: number } & ReadResult)
  | { type: 'seek'; id: number; reading: TextReading }
  | { type: 'shuffle'; id: number; result: ShuffleResult }
  | { type: 'failed'; id: number; message: string };
