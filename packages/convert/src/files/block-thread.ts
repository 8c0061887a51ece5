// The main thread's side of a worker thread that converts blocks (thread.ts is the other). It imports little, so that a
// thread can be started while the main thread still loads.

import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Block, BlockResult, Settings } from './block.js';
import { ConvertError } from './convert-error.js';
import type { FromThread, ThreadError, ToThread } from './thread.js';

interface Waiting {
  resolve(result: BlockResult): void;
  reject(error: unknown): void;
}

const threadFile = new URL('./thread.js', import.meta.url);

/** Answers in the order of the requests. Until it has its settings, it does not keep the process alive. */
export class BlockThread {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #ready = false;
  #failed: unknown;
  #onReady = () => {};

  constructor(file: URL = threadFile) {
    this.#worker = new Worker(file);
    this.#worker.unref();
    this.#worker.on('message', (message: FromThread) => this.#take(message));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', (code) => this.#fail(new Error(`a worker thread ended with code ${code}`)));
  }

  /** Whether it has loaded everything, or has failed; the next block gets the error. */
  get isReady(): boolean {
    return this.#ready || this.#failed !== undefined;
  }

  /** How many blocks it has not finished yet. */
  get load(): number {
    return this.#waiting.length;
  }

  /** Sends the settings. Called once. */
  begin(settings: Settings, onReady: () => void): void {
    this.#onReady = onReady;
    this.#worker.ref();
    this.#send({ kind: 'settings', settings });
  }

  convert(block: Block): Promise<BlockResult> {
    if (this.#failed !== undefined) return Promise.reject(this.#failed);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#send(block, block.kind === 'lines' ? [block.bytes.buffer] : []);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #send(message: ToThread, handedOver: ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, handedOver);
  }

  #take(message: FromThread): void {
    if ('ready' in message) {
      this.#ready = true;
      this.#onReady();
      return;
    }
    const waiting = this.#waiting.shift();
    if ('result' in message) waiting?.resolve(this.#lent(message.result));
    else waiting?.reject(revived(message.error));
  }

  #lent(result: BlockResult): BlockResult {
    const memory = result.output.buffer;
    return { ...result, release: () => this.#send({ kind: 'spare', memory }, [memory]) };
  }

  #fail(error: unknown): void {
    this.#failed ??= error;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(this.#failed);
    this.#onReady();
  }
}

/** Restores an error: its class does not cross threads, but its code does. */
function revived({ message, stack, code }: ThreadError): Error {
  if (code !== undefined) return new ConvertError(message, code);
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}

export interface Sizes {
  /** How many threads, including the main thread. */
  jobs: number;
  /** Bytes that a thread converts at a time. */
  blockSize: number;
}

/** How many blocks the others convert while a thread starts and warms up. */
const BLOCKS_A_THREAD = 8;

/** How many threads are worth starting. `size`: bytes of the input; 0 if unknown. */
export function threadsFor({ jobs, blockSize }: Sizes, size: number): number {
  return size === 0 ? jobs : Math.max(1, Math.min(jobs, Math.ceil(size / (blockSize * BLOCKS_A_THREAD))));
}

/**
 * Starts threads before the main thread has loaded the converter: both load at the same time. Only for files, whose
 * sizes show at once whether threads are worth it; for other inputs threads start later.
 */
export function startThreads(inputs: readonly string[], sizes: Sizes): BlockThread[] {
  const size = inputs.reduce((sum, path) => sum + sizeOf(path), 0);
  const count = size === 0 ? 1 : threadsFor(sizes, size);
  return Array.from({ length: count - 1 }, () => new BlockThread());
}

/** Gives the size; 0 for anything but a file. Errors are reported later. */
function sizeOf(path: string): number {
  try {
    const stats = statSync(path);
    return stats.isFile() ? stats.size : 0;
  } catch {
    return 0;
  }
}
