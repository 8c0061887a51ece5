// The main thread's side of a worker thread that converts blocks (thread.ts is the other). Imports little, so that a
// thread can be started while the main thread still loads.

import { Worker } from 'node:worker_threads';
import { CommandError } from '../command-error.js';
import type { Block, BlockResult, Settings } from './block.js';
import type { FromThread, ThreadError, ToThread } from './thread.js';

interface Waiting {
  resolve(result: BlockResult): void;
  reject(error: unknown): void;
}

const threadFile = new URL('./thread.js', import.meta.url);

/** It answers in the order it is asked. Until it has its settings, it holds up no process that ends. */
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

  /** Has loaded what it needs, or has failed, which the next block is told. */
  get isReady(): boolean {
    return this.#ready || this.#failed !== undefined;
  }

  /** Blocks it was given and has not given back. */
  get load(): number {
    return this.#waiting.length;
  }

  /** Once. */
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

/** An error's class does not cross threads; what it means to a reader does. */
function revived({ forReader, message, stack, exitCode }: ThreadError): Error {
  if (forReader) return new CommandError(message, exitCode);
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
