// Threads that begin before the main thread has loaded what converts: both load at the same time. Only for files, whose
// sizes tell at once whether threads are worth it; for others they begin when that is known.

import { statSync } from 'node:fs';
import type { Arguments } from '../arguments.js';
import { BlockThread } from './block-thread.js';
import { readSizes, threadsFor } from './sizes.js';

export function startEarly(args: Arguments): BlockThread[] {
  const size = args.has('queue') ? 0 : sizeOfFiles(args.words);
  const count = size === 0 ? 1 : threadsFor(readSizes(args), size);
  return Array.from({ length: count - 1 }, () => new BlockThread());
}

function sizeOfFiles(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + sizeOf(word), 0);
}

/** Whatever is no file counts nothing, and what is wrong with it is told later. */
function sizeOf(path: string): number {
  try {
    const stats = statSync(path);
    return stats.isFile() ? stats.size : 0;
  } catch {
    return 0;
  }
}
