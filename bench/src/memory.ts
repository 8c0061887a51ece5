// The heap while 64 MB stream through a parser, in a process of its own with access to the collector.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export interface MemoryUse {
  dialect: string;
  kind: string;
  /** Characters that went through. */
  characters: number;
  /** Bytes of heap above the start, after a full collection, at even intervals. */
  samples: number[];
  most: number;
  /** Bytes by which the heap grows for each character: over all, and over the second half. */
  slope: number;
  lateSlope: number;
}

export const MEMORY_KINDS = ['prose', 'reasoning', 'argument'] as const;

export async function memoryUse(dialect: string, kind: (typeof MEMORY_KINDS)[number]): Promise<MemoryUse> {
  const script = fileURLToPath(new URL('memory-probe.js', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script, dialect, kind]);
  return JSON.parse(stdout) as MemoryUse;
}
