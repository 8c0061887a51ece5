import { expect, it } from 'vitest';
import { Desk } from './desk.js';
import type { ReadInput } from './jobs.js';
import type { Ask, Said } from './protocol.js';
import { createReader, type Line } from './reader.js';

/** A worker in the same thread: messages wait for each other as they would in two. */
function desk(): Line & { said: Said[] } {
  const said: Said[] = [];
  let hear: (event: { data: Said }) => void = () => undefined;
  const say = (data: Said) => {
    said.push(data);
    setTimeout(() => hear({ data: structuredClone(data) }));
  };
  const made = new Desk(say, () => new Promise((go) => setTimeout(go)));
  return {
    said,
    postMessage: (ask: Ask) => void setTimeout(() => made.take(structuredClone(ask))),
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
  const reader = createReader(desk());
  expect((await reader.read(input(call)))?.reading.calls).toMatchObject([{ name: 'f', state: 'complete' }]);
  expect((await reader.seek(call.indexOf('{}') + 1))?.calls).toMatchObject([{ name: 'f', state: 'open' }]);
  expect((await reader.seek(5))?.calls).toEqual([]);
  expect((await reader.shuffle(1))?.differs).toBeUndefined();
});

it('leaves a long text for a newer one', async () => {
  const line = desk();
  const reader = createReader(line);
  const long = reader.read(input('word '.repeat(2_000_000), 'auto'));
  await new Promise((go) => setTimeout(go, 30));
  const short = await reader.read(input(call));
  expect(short?.reading.calls).toHaveLength(1);
  expect(await long).toBeUndefined();
  expect(line.said).toHaveLength(1);
});

it('of many places asked for at once gives the last', async () => {
  const reader = createReader(desk());
  await reader.read(input(call));
  const readings = await Promise.all([1, 2, 3, 4].map((at) => reader.seek(at)));
  expect(readings.map((reading) => reading?.fed)).toEqual([undefined, undefined, undefined, 4]);
});

it('says what it cannot do', async () => {
  await expect(createReader(desk()).read(input(call, 'nobody-speaks-this'))).rejects.toThrow(
    'nobody-speaks-this',
  );
});

it('says so where there is no worker', async () => {
  let fail: () => void = () => undefined;
  const line: Line = {
    postMessage: () => undefined,
    addEventListener: (type: 'message' | 'error', hear: (event: { data: Said }) => void) => {
      if (type === 'error') fail = hear as () => void;
    },
    terminate: () => undefined,
  };
  const reading = createReader(line).read(input(call));
  fail();
  await expect(reading).rejects.toThrow('could not be started');
});
