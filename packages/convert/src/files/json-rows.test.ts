import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentLines, isDocument } from './json-rows.js';

async function linesOf(text: string, cut = text.length || 1): Promise<string[]> {
  const bytes = Buffer.from(text);
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += cut) yield bytes.subarray(at, at + cut);
  };
  let out = '';
  for await (const piece of documentLines(pieces())) out += piece.toString('latin1');
  const lines = Buffer.from(out, 'latin1').toString().split('\n');
  expect(lines.pop()).toBe('');
  return lines;
}

const documents = fc.tuple(
  fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 }), { maxLength: 5 }),
  fc.constantFrom(0, 1, '\t'),
);

describe('a JSON document', () => {
  it('gives the elements of its list, a line each, however it is laid out and cut', async () => {
    const law = fc.asyncProperty(documents, fc.integer({ min: 1, max: 40 }), async ([rows, indent], cut) => {
      const lines = await linesOf(JSON.stringify(rows, null, indent), cut);
      expect(lines.map((line) => JSON.parse(line))).toEqual(rows);
    });
    await fc.assert(law, { seed: 7, numRuns: 300 });
  });

  it('gives documents one behind the other', async () => {
    expect((await linesOf('{\n"a": 1\n}\n{"b": [\n]}{}')).map((line) => JSON.parse(line))).toEqual([
      { a: 1 },
      { b: [] },
      {},
    ]);
  });

  it.each([
    ['[{"a":1},', ['{"a":1}', '[']],
    ['[{"a":1', ['{"a":1', '[']],
    ['[{"a":1}]]', ['{"a":1}', ']']],
    ['[1, "a,b", {"c":2}]', ['1', '"a,b"', '{"c":2}']],
    ['[{"a":"b\nc"}]', ['{"a":"b\rc"}']],
    ['\ufeff[{}]', ['{}']],
    ['[]', []],
  ])('lets nothing of %j go', async (text, lines) => {
    for (const cut of [1, 2, 100])
      expect(await linesOf(text, Math.max(cut, text.startsWith('\ufeff') ? 3 : 1))).toEqual(lines);
  });

  it.each([
    ['[{"a":1},\n{"b":2}]', 'a.jsonl', true],
    ['[\n  {', 'a', true],
    ['[{"a":1}]\n', 'a.jsonl', true],
    ['[{"a":1}]\n{"a":1}\n', 'a.json', false],
    ['[1]\n', 'a.jsonl', false],
    ['{"a":1}\n{"b":2}\n', 'a.json', false],
    ['{\n "a":1}', 'a.json', true],
    ['{\n "a":1}', 'a.json.gz', true],
    ['{\n "a":1}', 'a.jsonl', false],
    ['{"a":1}', 'a.json', false],
    ['', 'a.json', false],
  ])('is told from lines: %j in %s', (head, name, expected) => {
    expect(isDocument(Buffer.from(head), name)).toBe(expected);
  });
});
