// Null arguments through the command: of JSON lines, and of tables that hold arguments as structs.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

  it.each([
    { options: [], input: { city: 'Oslo', query: null } },
    { options: ['--drop-null-arguments'], input: { city: 'Oslo' } },
  ])('are counted, and with the option removed: $options', async ({ options, input }) => {
    const { status, stdout } = await dragoman([...argv, ...options, '-o', 'out.jsonl', '--force']);
    expect(JSON.parse(stdout).issues).toMatchObject({ 'null-arguments': { count: 1 } });
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
