import { describe, expect, it } from 'vitest';
import type { Block, BlockResult } from './block.js';
import { identityRows, identitySettings } from './identity-rows.fixture.js';
import { createSharedPool, type PoolThread } from './pool.js';

const blockOf = (text: string): Block => {
  return { kind: 'lines', bytes: new TextEncoder().encode(text), first: false, cut: false };
};
const textOf = ({ output }: BlockResult) => Buffer.from(output).toString();

/** Converts when it is told to. */
class FakeThread implements PoolThread {
  isReady = false;
  given = 0;
  #begun = () => {};
  readonly #asked: (() => Promise<void>)[] = [];

  get load(): number {
    return this.#asked.length;
  }

  begin(_: unknown, onReady: () => void): void {
    this.#begun = onReady;
  }

  ready(): void {
    this.isReady = true;
    this.#begun();
  }

  convert(block: Block): Promise<BlockResult> {
    this.given++;
    return new Promise((resolve, reject) => {
      this.#asked.push(async () => {
        const pool = createSharedPool(identitySettings, [], identityRows);
        await pool.convert(block).then(resolve, reject);
      });
    });
  }

  async answer(): Promise<void> {
    await this.#asked.shift()?.();
  }

  async close(): Promise<void> {}
}

const turns = async () => {
  for (let n = 0; n < 50; n++) await new Promise(setImmediate);
};

describe('a pool that shares its blocks between threads and the main one', () => {
  it('waits for no thread that is not ready', async () => {
    const thread = new FakeThread();
    const pool = createSharedPool(identitySettings, [thread], identityRows);
    const results = await Promise.all(['a\n', 'b\n', 'c\n'].map((text) => pool.convert(blockOf(text))));
    expect(results.map(textOf)).toEqual(['a\n', 'b\n', 'c\n']);
    expect(thread.given).toBe(0);
  });

  it('gives threads a few blocks in advance, and converts the others itself', async () => {
    const thread = new FakeThread();
    const pool = createSharedPool(identitySettings, [thread], identityRows);
    thread.ready();
    const texts = Array.from({ length: 10 }, (_, n) => `row ${n}\n`);
    const done: number[] = [];
    const results = texts.map(async (text, n) => {
      const result = await pool.convert(blockOf(text));
      done.push(n);
      return textOf(result);
    });
    await turns();
    expect(thread.given).toBe(3);
    expect(done).toEqual([3, 4, 5, 6, 7, 8, 9]);
    while (thread.load > 0) await thread.answer();
    expect(await Promise.all(results)).toEqual(texts);
  });

  it('gives the next block to the thread that has the fewest, as soon as one is done', async () => {
    const threads = [new FakeThread(), new FakeThread()];
    const pool = createSharedPool(identitySettings, threads, identityRows);
    for (const thread of threads) thread.ready();
    const results = Array.from({ length: 6 }, () => pool.convert(blockOf('a\n')));
    expect(threads.map(({ load }) => load)).toEqual([3, 3]);
    await threads[1]?.answer();
    await turns();
    results.push(pool.convert(blockOf('b\n')));
    expect(threads.map(({ given }) => given)).toEqual([3, 4]);
    for (const thread of threads) while (thread.load > 0) await thread.answer();
    expect((await Promise.all(results)).map(textOf)).toEqual([...Array(6).fill('a\n'), 'b\n']);
  });

  it('uses the memory of an output again when it is written, and not before', async () => {
    const pool = createSharedPool(identitySettings, [], identityRows);
    const first = await pool.convert(blockOf('a\n'));
    const second = await pool.convert(blockOf('b\n'));
    expect(second.output.buffer).not.toBe(first.output.buffer);
    first.release?.();
    expect((await pool.convert(blockOf('c\n'))).output.buffer).toBe(first.output.buffer);
    expect(textOf(second)).toBe('b\n');
  });

  it('goes on after a block that fails', async () => {
    const pool = createSharedPool(identitySettings, [], identityRows);
    const missing = pool.convert({ kind: 'range', file: 'no-such-file', from: 0, to: 1 });
    await expect(missing).rejects.toThrow('there is no file or folder no-such-file');
    expect(textOf(await pool.convert(blockOf('a\n')))).toBe('a\n');
  });
});
