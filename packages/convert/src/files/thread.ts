// A worker thread: blocks in, results out, in order. Messages are few and large, and their bytes are transferred, not
// copied.

import { parentPort } from 'node:worker_threads';
import { UsageError } from '@dragoman/core/internal';
import type { Block, BlockResult, ConvertBlock, Settings } from './block.js';
import { SpareMemory } from './block-output.js';
import { createConvertBlock } from './convert-block.js';
import { ConvertError, type ConvertErrorCode, messageOf } from './convert-error.js';

/** The settings, once; then blocks, and the memory of outputs that are written. */
export type ToThread =
  | { kind: 'settings'; settings: Settings }
  | Block
  | { kind: 'spare'; memory: ArrayBuffer };

export type FromThread = { ready: true } | { result: BlockResult } | { error: ThreadError };

export interface ThreadError {
  message: string;
  stack?: string;
  /** The code of a ConvertError, whose message is a sentence for the person who started the run. */
  code?: ConvertErrorCode;
}

const port = parentPort;
if (!port) throw new Error('thread.js runs as a worker thread');
const spare = new SpareMemory();
let convert: ConvertBlock;
let failure: { error: unknown } | undefined;
let last: Promise<void> = Promise.resolve();

port.on('message', (message: ToThread) => {
  if (message.kind === 'settings') load(message.settings);
  else if (message.kind === 'spare') spare.give(message.memory);
  else last = last.then(() => answer(message));
});

function load(settings: Settings): void {
  try {
    convert = createConvertBlock(settings, undefined, spare);
  } catch (error) {
    // Every block gets this error as its answer.
    failure = { error };
  }
  port?.postMessage({ ready: true } satisfies FromThread);
}

async function answer(block: Block): Promise<void> {
  try {
    if (failure) throw failure.error;
    const result = await convert(block);
    port?.postMessage({ result } satisfies FromThread, [result.output.buffer]);
  } catch (error) {
    port?.postMessage({ error: toThreadError(error) } satisfies FromThread);
  }
}

function toThreadError(error: unknown): ThreadError {
  return {
    message: messageOf(error),
    ...(error instanceof Error && error.stack !== undefined && { stack: error.stack }),
    ...(error instanceof ConvertError && { code: error.code }),
    ...(error instanceof UsageError && { code: 'usage' }),
  };
}
