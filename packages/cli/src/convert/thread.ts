// A worker thread: blocks in, results out, in order. Few large messages, and their bytes are handed over, not copied.

import { parentPort } from 'node:worker_threads';
import { CommandError, isForReader, messageOf } from '../command-error.js';
import type { ExitCode } from '../exit-codes.js';
import type { Block, BlockResult, ConvertBlock, Settings } from './block.js';
import { createConvertBlock } from './convert-block.js';
import { SpareMemory } from './spare-memory.js';

/** What is to be done, once; then blocks, and the memory of outputs that are written. */
export type ToThread =
  | { kind: 'settings'; settings: Settings }
  | Block
  | { kind: 'spare'; memory: ArrayBuffer };

export type FromThread = { ready: true } | { result: BlockResult } | { error: ThreadError };

export interface ThreadError {
  forReader: boolean;
  message: string;
  stack?: string;
  exitCode?: ExitCode;
}

const port = parentPort;
if (!port) throw new Error('thread.js runs as a worker thread');
const spare = new SpareMemory();
let loading: Promise<ConvertBlock>;
let last: Promise<void> = Promise.resolve();

port.on('message', (message: ToThread) => {
  if (message.kind === 'settings') load(message.settings);
  else if (message.kind === 'spare') spare.give(message.memory);
  else last = last.then(() => answer(message));
});

function load(settings: Settings): void {
  loading = createConvertBlock(settings, undefined, spare);
  const tell = () => port?.postMessage({ ready: true } satisfies FromThread);
  // A failure is told with each block: who asks gets the answer.
  loading.then(tell, tell);
}

async function answer(block: Block): Promise<void> {
  try {
    const result = await (await loading)(block);
    port?.postMessage({ result } satisfies FromThread, [result.output.buffer]);
  } catch (error) {
    port?.postMessage({ error: toThreadError(error) } satisfies FromThread);
  }
}

function toThreadError(error: unknown): ThreadError {
  return {
    forReader: isForReader(error),
    message: messageOf(error),
    ...(error instanceof Error && error.stack !== undefined && { stack: error.stack }),
    ...(error instanceof CommandError && { exitCode: error.exitCode }),
  };
}
