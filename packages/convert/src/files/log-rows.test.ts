import { describe, expect, it } from 'vitest';
import { documentLines } from './json-rows.js';
import { isLog, memberRows } from './member-rows.js';

async function rowsOf(text: string, size: number): Promise<string[]> {
  const bytes = Buffer.from(text);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const found: Buffer[] = [];
  for await (const piece of documentLines(memberRows(pieces(), 'samples'))) found.push(piece);
  const lines = Buffer.concat(found).toString('utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.stringify(JSON.parse(line)));
}

const samples = [
  { id: 1, text: '"samples": [ ] } \\ K\u00f6ln' },
  { id: 2, list: [[1], { samples: [3] }] },
];
const log = {
  version: 2,
  eval: { samples: [9], list: [[{ samples: [8] }]], text: '{"samples": [7]}' },
  note: 'samples',
  samples,
  last: [{ id: 3 }],
};
const wanted = samples.map((sample) => JSON.stringify(sample));

describe('the rows of a log', () => {
  it.each([1, 2, 3, 7, 64, 10_000])('are the elements of its member, in pieces of %i bytes', async (size) => {
    expect(await rowsOf(JSON.stringify(log), size)).toEqual(wanted);
    expect(await rowsOf(JSON.stringify(log, null, 2), size)).toEqual(wanted);
    expect(await rowsOf(`\ufeff ${JSON.stringify(log)}`, size)).toEqual(wanted);
  });

  it.each([1, 5, 10_000])(
    'are those of a list that is the whole document, in pieces of %i bytes',
    async (size) => {
      expect(await rowsOf(JSON.stringify(samples), size)).toEqual(wanted);
    },
  );

  it('are none where the member is missing, empty or no list', async () => {
    expect(await rowsOf('{"a": 1}', 3)).toEqual([]);
    expect(await rowsOf('{"samples": []}', 3)).toEqual([]);
    expect(await rowsOf('{"samples": {"a": [1]}}', 3)).toEqual([]);
  });

  it.each([
    [JSON.stringify(log), true],
    [JSON.stringify(log, null, 2), true],
    [`\ufeff${JSON.stringify(log).slice(0, 60)}`, true],
    ['{"eval": {"messages": 1}', true],
    ['{"samples": [', true],
    [lines(samples), false],
    ['{"id": 1, "eval": 2, "messages": []}', false],
    ['{"id": 1, "metadata": {"eval": 1, "samples": []}}', false],
    ['{"id": 1, "input": "\\"eval\\": \\"samples\\": [', false],
    ['[{"eval": 1}]', false],
    ['', false],
  ])('are told from lines of samples: %j', (head, expected) => {
    expect(isLog(Buffer.from(head), 'samples')).toBe(expected);
  });
});

function lines(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
