// Who converts blocks: worker threads, the main thread itself, or all of them.

import type { Block, BlockResult, ConvertBlock, Settings } from './block.js';
import { BlockThread, type Sizes, threadsFor } from './block-thread.js';
import { type CreateConvertLine, createConvertBlock } from './convert-block.js';
import { SpareMemory } from './spare-memory.js';

export interface Pool {
  /** How many blocks it works on at once. */
  readonly size: number;
  convert: ConvertBlock;
  close(): Promise<void>;
}

/** Without a thread. */
export function createInlinePool(settings: Settings, create?: CreateConvertLine): Pool {
  return createSharedPool(settings, [], create);
}

/** The main thread only hands out: it has something else to do. */
export function createThreadPool(settings: Settings, size: number): Pool {
  const threads = Array.from({ length: size }, () => new BlockThread());
  return new BlockPool(settings, threads, undefined);
}

/**
 * The main thread converts, too: it is loaded and warm when the threads still begin, and a thread that only waits for
 * others costs the start of one more.
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

/** One that a thread works on, and others for the time in which the main thread looks at nothing else. */
const LEAD = 3;

class BlockPool implements Pool {
  readonly size: number;
  readonly #waiting: Waiting[] = [];
  #converts = false;

  /** `own`: what the main thread does itself. */
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

  /** Threads first: while the main thread converts, it gives them nothing. */
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

  /** Lets the event loop turn before each. */
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

/** The pools of a run, by settings. There are several only where some outputs of a folder are compressed. */
export interface Pools {
  of(settings: Settings): Pool;
  close(): Promise<void>;
}

/** `size`: bytes of the input; 0 where it is not known. `early`: threads that run already. */
export function createPools(sizes: Sizes, size: number, early: readonly BlockThread[] = []): Pools {
  const pools = new Map<string, Pool>();
  const spare = [...early];
  const create = (settings: Settings) => {
    const count = threadsFor(sizes, size) - 1;
    const threads = Array.from({ length: count }, () => spare.shift() ?? new BlockThread());
    return createSharedPool(settings, threads);
  };
  return {
    of(settings) {
      const key = JSON.stringify(settings);
      const pool = pools.get(key) ?? create(settings);
      pools.set(key, pool);
      return pool;
    },
    async close() {
      for (const pool of [...pools.values(), ...spare]) await pool.close();
    },
  };
}
