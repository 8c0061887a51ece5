// Who converts blocks: worker threads, or the main thread itself where threads would cost more than they give.

import { Worker } from 'node:worker_threads';
import { CommandError } from '../command-error.js';
import type { Block, BlockResult, ConvertBlock, Settings } from './block.js';
import { createConvertBlock } from './convert-block.js';
import type { LoadRows } from './row-converter.js';
import type { FromThread, ThreadError, ToThread } from './thread.js';

export interface Pool {
  /** How many blocks it works on at once. */
  readonly size: number;
  convert: ConvertBlock;
  close(): Promise<void>;
}

/** The same interface without a thread. Lets the event loop turn before each block. */
export async function createInlinePool(settings: Settings, load?: LoadRows): Promise<Pool> {
  const convert = await createConvertBlock(settings, load);
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (block: Block): Promise<BlockResult> => {
    const result = last.then(() => new Promise(setImmediate)).then(() => convert(block));
    last = result.catch(() => {});
    return result;
  };
  return { size: 1, convert: inTurn, close: async () => {} };
}

const threadFile = new URL('./thread.js', import.meta.url);

export function createThreadPool(settings: Settings, size: number, file: URL = threadFile): Pool {
  const threads = Array.from({ length: size }, () => new Thread(settings, file));
  return {
    size,
    convert: (block) => threads.reduce((a, b) => (b.load < a.load ? b : a)).convert(block),
    close: async () => {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

interface Waiting {
  resolve(result: BlockResult): void;
  reject(error: unknown): void;
}

/** One worker. It answers in the order it is asked. */
class Thread {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #failed: unknown;

  constructor(settings: Settings, file: URL) {
    this.#worker = new Worker(file, { workerData: settings });
    this.#worker.on('message', (message: FromThread) => {
      const waiting = this.#waiting.shift();
      if ('result' in message) waiting?.resolve(this.#lent(message.result));
      else waiting?.reject(revived(message.error));
    });
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', (code) => this.#fail(new Error(`a worker thread ended with code ${code}`)));
  }

  get load(): number {
    return this.#waiting.length;
  }

  convert(block: Block): Promise<BlockResult> {
    if (this.#failed !== undefined) return Promise.reject(this.#failed);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(block, block.kind === 'lines' ? [block.bytes.buffer] : []);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #lent(result: BlockResult): BlockResult {
    const memory = result.output.buffer;
    const release = () => this.#worker.postMessage({ kind: 'spare', memory } satisfies ToThread, [memory]);
    return { ...result, release };
  }

  #fail(error: unknown): void {
    this.#failed ??= error;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(this.#failed);
  }
}

/** An error's class does not cross threads; what it means to a reader does. */
function revived({ forReader, message, stack, exitCode }: ThreadError): Error {
  if (forReader) return new CommandError(message, exitCode);
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
