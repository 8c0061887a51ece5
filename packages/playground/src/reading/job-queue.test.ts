import type { Dialect } from '@dragoman/core';
import { dialects, hermes } from '@dragoman/core/dialects';
import { wires } from '@dragoman/core/wire';
import { expect, it } from 'vitest';
import { doExtra } from './extra-work.js';
import { JobQueue, type WorkerReply, type WorkerRequest } from './job-queue.js';
import type { ReadInput } from './jobs.js';
import { createReader, type ReadWorker } from './reader.js';

/** A worker in the same thread; messages are delivered asynchronously, as between two. */
function queue(): ReadWorker & { replies: WorkerReply[] } {
  const replies: WorkerReply[] = [];
  let hear: (event: { data: WorkerReply }) => void = () => undefined;
  const reply = (data: WorkerReply) => {
    replies.push(data);
    setTimeout(() => hear({ data: structuredClone(data) }));
  };
  let all: readonly Dialect[] | undefined;
  const source = {
    for: (name: string) => all ?? (name === hermes.name ? [hermes] : undefined),
    load: async () => {
      all = dialects;
    },
  };
  const rest = () => new Promise<void>((go) => setTimeout(go));
  const made = new JobQueue(reply, rest, source, doExtra);
  return {
    replies,
    postMessage: (ask: WorkerRequest) => void setTimeout(() => made.take(structuredClone(ask))),
    addEventListener: (type: 'message' | 'error', listener: typeof hear) => {
      if (type === 'message') hear = listener;
    },
    terminate: () => undefined,
  };
}

const input = (text: string, dialect = 'hermes'): ReadInput => ({
  text,
  dialect,
  tools: [],
  thinking: false,
});
const call = '<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>';

it('reads, replays and shuffles one text', async () => {
  const reader = createReader(queue());
  expect((await reader.read(input(call)))?.reading.calls).toMatchObject([{ name: 'f', state: 'complete' }]);
  expect((await reader.seek(call.indexOf('{}') + 1))?.calls).toMatchObject([{ name: 'f', state: 'open' }]);
  expect((await reader.seek(5))?.calls).toEqual([]);
  expect((await reader.shuffle(1))?.differs).toBeUndefined();
});

it('leaves a long text for a newer one', async () => {
  const line = queue();
  const reader = createReader(line);
  const long = reader.read(input('word '.repeat(2_000_000), 'auto'));
  await new Promise((go) => setTimeout(go, 30));
  const short = await reader.read(input(call));
  expect(short?.reading.calls).toHaveLength(1);
  expect(await long).toBeUndefined();
  expect(line.replies).toHaveLength(1);
});

it('loads dialects when a text needs them, and a newer text does not wait for an older one', async () => {
  const reader = createReader(queue());
  const [old, now] = [reader.read(input('<tool_call>f\n</tool_call>', 'glm-4.5')), reader.read(input(call))];
  expect(await old).toBeUndefined();
  expect((await now)?.dialect).toBe('hermes');
  expect((await reader.read(input('<tool_call>f\n</tool_call>', 'glm-4.5')))?.reading.calls).toHaveLength(1);
  expect((await reader.rank())?.dialects[0]?.reads).toBe(true);
});

it('writes the answer for an API, and a grammar', async () => {
  const reader = createReader(queue());
  await reader.read({ ...input(call), tools: [{ name: 'f' }] });
  for (const { name } of wires.filter(({ served }) => served))
    expect(await reader.json(name)).toContain('"f"');
  expect((await reader.grammar('gbnf'))?.text).toContain('root ::=');
});

it('of many places asked for at once gives the last', async () => {
  const reader = createReader(queue());
  await reader.read(input(call));
  const readings = await Promise.all([1, 2, 3, 4].map((at) => reader.seek(at)));
  expect(readings.map((reading) => reading?.fed)).toEqual([undefined, undefined, undefined, 4]);
});

it('reports what it cannot do', async () => {
  await expect(createReader(queue()).read(input(call, 'nobody-speaks-this'))).rejects.toThrow(
    'nobody-speaks-this',
  );
});

it('reports a worker that cannot be started', async () => {
  let fail: () => void = () => undefined;
  const line: ReadWorker = {
    postMessage: () => undefined,
    addEventListener: (type: 'message' | 'error', hear: (event: { data: WorkerReply }) => void) => {
      if (type === 'error') fail = hear as () => void;
    },
    terminate: () => undefined,
  };
  const reading = createReader(line).read(input(call));
  fail();
  await expect(reading).rejects.toThrow('could not be started');
});
