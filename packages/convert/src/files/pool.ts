// Converts blocks in worker threads, in the main thread, or in both.

import type { Block, BlockResult, ConvertBlock, Settings } from './block.js';
import { SpareMemory } from './block-output.js';
import { BlockThread } from './block-thread.js';
import { type CreateConvertLine, createConvertBlock } from './convert-block.js';

export interface Pool {
  /** How many blocks it converts at once. */
  readonly size: number;
  convert: ConvertBlock;
  close(): Promise<void>;
}

/** Converts in threads only: the main thread stays free. */
export function createThreadPool(settings: Settings, size: number): Pool {
  const threads = Array.from({ length: size }, () => new BlockThread());
  return new BlockPool(settings, threads, undefined);
}

/**
 * Converts in the main thread, too: it is loaded and warm while the threads still start, and if it only waited, one
 * more thread would have to be started.
 */
export function createSharedPool(
  settings: Settings,
  threads: readonly PoolThread[],
  create?: CreateConvertLine,
): Pool {
  const spare = new SpareMemory();
  const convert = createConvertBlock(settings, create, spare);
  return new BlockPool(settings, threads, async (block) => {
    const result = await convert(block);
    return { ...result, release: () => spare.give(result.output.buffer) };
  });
}

export type PoolThread = Pick<BlockThread, 'isReady' | 'load' | 'begin' | 'convert' | 'close'>;

interface Waiting {
  block: Block;
  resolve(result: BlockResult | PromiseLike<BlockResult>): void;
}

/**
 * How many blocks a thread has at once: one that it works on, and others for the time in which the main thread is busy
 * converting.
 */
const LEAD = 3;

class BlockPool implements Pool {
  readonly size: number;
  readonly #waiting: Waiting[] = [];
  #converts = false;

  /** `own`: converts a block in the main thread. */
  constructor(
    settings: Settings,
    readonly threads: readonly PoolThread[],
    readonly own: ConvertBlock | undefined,
  ) {
    this.size = threads.length + (own ? 1 : 0);
    for (const thread of threads) thread.begin(settings, () => this.#handOut());
  }

  convert(block: Block): Promise<BlockResult> {
    return new Promise((resolve) => {
      this.#waiting.push({ block, resolve });
      this.#handOut();
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()));
  }

  /** Gives blocks to the threads first: while the main thread converts, it cannot give them any. */
  #handOut(): void {
    while (this.#waiting.length > 0) {
      const thread = this.#idlest();
      const next = thread && this.#waiting.shift();
      if (!next) break;
      const again = () => this.#handOut();
      const result = thread.convert(next.block);
      next.resolve(result);
      result.then(again, again);
    }
    this.#convertOne();
  }

  #idlest(): PoolThread | undefined {
    let idlest: PoolThread | undefined;
    for (const thread of this.threads)
      if (thread.isReady && thread.load < (idlest?.load ?? LEAD)) idlest = thread;
    return idlest;
  }

  /** Converts one block in the main thread, after letting the event loop run. */
  #convertOne(): void {
    const { own } = this;
    if (!own || this.#converts || this.#waiting.length === 0) return;
    this.#converts = true;
    setImmediate(async () => {
      const next = this.#waiting.shift();
      const result = next && own(next.block);
      if (result) next.resolve(result);
      await result?.catch(() => {});
      this.#converts = false;
      this.#handOut();
    });
  }
}
