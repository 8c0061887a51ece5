import { describe, expect, it } from 'vitest';
import { Checkpoints } from './checkpoints.js';
import { NOTHING_YET } from './sink.js';

const at = (blocks: number) => ({ ...NOTHING_YET, blocks });

function slowSink() {
  const begun: number[] = [];
  const ends: { resolve(): void; reject(error: Error): void }[] = [];
  const checkpoint = ({ blocks }: { blocks: number }) => {
    begun.push(blocks);
    return new Promise<void>((resolve, reject) => ends.push({ resolve, reject }));
  };
  return { begun, ends, checkpoint };
}

const turn = () => new Promise(setImmediate);

describe('checkpoints', () => {
  it('are begun one at a time, and those that come meanwhile are left out', async () => {
    const sink = slowSink();
    const checkpoints = new Checkpoints(sink, 0);
    for (const blocks of [1, 2, 3]) checkpoints.offer(at(blocks));
    expect(sink.begun).toEqual([1]);
    sink.ends[0]?.resolve();
    await turn();
    checkpoints.offer(at(4));
    expect(sink.begun).toEqual([1, 4]);
  });

  it('have a pause between them', async () => {
    const sink = slowSink();
    const checkpoints = new Checkpoints(sink, 60_000);
    checkpoints.offer(at(1));
    expect(sink.begun).toEqual([]);
  });

  it('end with one that waits for that under way', async () => {
    const sink = slowSink();
    const checkpoints = new Checkpoints(sink, 0);
    checkpoints.offer(at(1));
    const last = checkpoints.write(at(2));
    await turn();
    expect(sink.begun).toEqual([1]);
    sink.ends[0]?.resolve();
    await turn();
    expect(sink.begun).toEqual([1, 2]);
    sink.ends[1]?.resolve();
    await last;
  });

  it('that fail are told at the next occasion', async () => {
    const sink = slowSink();
    const checkpoints = new Checkpoints(sink, 0);
    checkpoints.offer(at(1));
    sink.ends[0]?.reject(new Error('no space'));
    await turn();
    expect(() => checkpoints.offer(at(2))).toThrow('no space');
    await expect(checkpoints.settled()).rejects.toThrow('no space');
    await expect(checkpoints.write(at(2))).rejects.toThrow('no space');
    expect(sink.begun).toEqual([1]);
  });
});
