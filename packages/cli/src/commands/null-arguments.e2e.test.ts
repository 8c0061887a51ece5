// Arguments and tables through the command: null arguments of JSON lines and of structs, and structs that are written.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openParquet } from '@dragoman/convert/files';
import { afterAll, describe, expect, it } from 'vitest';
import { writeTyped } from '../../../convert/src/files/parquet/typed-parquet.fixture.js';
import { manyRuns } from '../many-runs.fixture.js';

const folder = mkdtempSync(join(tmpdir(), 'dragoman-null-arguments-'));
const dragoman = manyRuns(folder);
const path = (name: string) => join(folder, name);

afterAll(async () => {
  await dragoman.end();
  rmSync(folder, { recursive: true });
});

const tool = (name: string, key: string) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: { [key]: { type: 'string' } } } },
});
const row = (name: string, input: object) => ({
  messages: [
    { role: 'user', content: 'Go.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name, arguments: input } }],
    },
  ],
});

describe('null arguments in JSON lines', () => {
  const text = JSON.stringify({
    ...row('weather', { city: 'Oslo', query: null }),
    tools: [tool('weather', 'city'), tool('search', 'query')],
  });
  writeFileSync(path('rows.jsonl'), `${text}\n`);
  const argv = ['convert', 'rows.jsonl', '--from', 'openai', '--to', 'anthropic', '--json'];
  const inputOf = (name: string) => JSON.parse(readFileSync(path(name), 'utf8')).messages[1].content[0].input;

  const place = 'messages[1].parts[0]';
  const counted = (path: string) => ({ count: 1, example: { row: 1, path } });

  it.each([
    {
      options: [],
      input: { city: 'Oslo', query: null },
      noted: { issues: { 'null-arguments': counted(place) }, repairs: {} },
    },
    {
      options: ['--drop-null-arguments'],
      input: { city: 'Oslo' },
      noted: { issues: {}, repairs: { 'dropped-nulls': counted(`${place}: query`) } },
    },
  ])('are counted, and with the option removed: $options', async ({ options, input, noted }) => {
    const { status, stdout } = await dragoman([...argv, ...options, '-o', 'out.jsonl', '--force']);
    const { issues, repairs } = JSON.parse(stdout);
    expect({ issues, repairs }).toEqual(noted);
    expect(inputOf('out.jsonl')).toEqual(input);
    expect(status).toBe(0);
  });
});

describe('null arguments in a table of structs', () => {
  it('are left out, which both reports of a conversion count', async () => {
    const rows = [row('weather', { city: 'Oslo' }), row('search', { query: 'Dogs' })];
    await writeTyped(
      path('merged.parquet'),
      rows.map((one) => JSON.stringify(one)),
    );
    const argv = ['convert', 'merged.parquet', '--from', 'openai', '--to', 'anthropic', '-o', 'merged.jsonl'];
    const { status, stderr } = await dragoman([...argv, '--report', 'report.json']);
    expect(status).toBe(0);
    expect(stderr).toContain('merged-arguments  2  first in row 1, messages');
    expect(JSON.parse(readFileSync(path('report.json'), 'utf8')).issues).toEqual({
      'merged-arguments': { count: 2, example: { row: 1, path: 'messages' } },
    });
    const inputs = readFileSync(path('merged.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).messages[1].content[0].input);
    expect(inputs).toEqual([{ city: 'Oslo' }, { query: 'Dogs' }]);
  });

  it('are counted by a score', async () => {
    const call = (name: string, input: object) =>
      `<tool_call>\n${JSON.stringify({ name, arguments: input })}\n</tool_call>`;
    const rows = [
      { text: call('weather', { city: 'Oslo' }), expect: [{ name: 'weather', arguments: { city: 'Oslo' } }] },
      { text: call('search', { query: 'Dogs' }), expect: [{ name: 'search', arguments: { query: 'Dogs' } }] },
    ];
    await writeTyped(
      path('expect.parquet'),
      rows.map((one) => JSON.stringify(one)),
    );
    const argv = ['score', 'expect.parquet', '--dialect', 'hermes'];
    const issues = { 'merged-arguments': { count: 2, example: { row: 1, path: 'expect' } } };
    const { stdout: json } = await dragoman([...argv, '--json']);
    expect(JSON.parse(json)).toMatchObject({ outputs: 2, right: 2, issues });
    const { status, stdout } = await dragoman([...argv, '--html', 'page.html']);
    expect(stdout).toContain('merged-arguments (2, first in row 1, expect): A table holds arguments');
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(readFileSync(path('page.html'), 'utf8')).toContain('merged-arguments (2, first in row 1, expect)');
    expect(status).toBe(0);
  });
});

describe('arguments as structs', () => {
  const text = ['1.5', '4611686018427387904'].map(
    (number) =>
      `{"messages":[{"role":"user","content":"Go."},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":{"n":${number}}}}]}]}`,
  );
  const argv = ['--from', 'openai', '--to', 'openai', '--arguments', 'struct', '--json', '--force'];

  it('become JSON text, with the reason, where a struct would change a number', async () => {
    writeFileSync(path('numbers.jsonl'), text.map((line) => `${line}\n`).join(''));
    const { status, stdout } = await dragoman(['convert', 'numbers.jsonl', ...argv, '-o', 'numbers.parquet']);
    expect(status).toBe(0);
    const place = 'messages[].tool_calls[].function.arguments: integers and fractions';
    expect(JSON.parse(stdout)).toMatchObject({
      rows: 2,
      badRows: 0,
      calls: 2,
      issues: { 'text-arguments': { count: 1, example: { row: 2, path: place } } },
    });
    const table = await openParquet(path('numbers.parquet'));
    expect((await table.readGroup(0)).join()).toContain('4611686018427387904');
    await table.close();
  });
});

describe('a Parquet file without a byte', () => {
  it('is a damaged one', async () => {
    writeFileSync(path('empty.parquet'), '');
    const argv = ['convert', 'empty.parquet', '--from', 'openai', '--to', 'openai', '-o', 'none.jsonl'];
    const { status, stderr } = await dragoman(argv);
    expect(status).toBe(3);
    expect(stderr).toContain('empty.parquet is no Parquet file that can be read: it is empty');
  });
});
