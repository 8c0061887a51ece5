import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { layoutNames, type ScoreData } from '@dragoman/convert';
import { afterAll, describe, expect, it } from 'vitest';
import { manyRuns } from '../many-runs.fixture.js';
import { LAYOUTS } from '../score/score-choices.js';
import { checkWords } from '../score/score-words.js';

const folder = mkdtempSync(join(tmpdir(), 'dragoman-score-'));
const runs = manyRuns(folder);
const score = (argv: string[], input = '') => runs(['score', ...argv], input);
const path = (name: string) => join(folder, name);

afterAll(async () => {
  await runs.end();
  rmSync(folder, { recursive: true });
});

const tools = [
  { name: 'add', parameters: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] } },
];
const call = (a: unknown) =>
  `<tool_call>\n{"name": "add", "arguments": {"a": ${JSON.stringify(a)}}}\n</tool_call>`;
const glm = '<tool_call>add\n<arg_key>a</arg_key>\n<arg_value>2</arg_value>\n</tool_call>';
const expectTwo = [{ name: 'add', arguments: { a: 2 } }];

/** One of each verdict, read as hermes. */
const outputs = [
  { id: 'one', text: call(2), verdict: 'right' },
  { id: 'two', text: call(3), verdict: 'model' },
  { id: 'three', text: glm, verdict: 'parser' },
];
const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

const plain = outputs.map(({ id, text }) => ({ id, text, tools, expect: expectTwo }));
const bfcl = outputs.map(({ id, text }) => ({ id: `simple_${id}`, result: text }));
const questions = outputs.map(({ id }) => ({
  id: `simple_${id}`,
  question: [[{ role: 'user', content: 'Add.' }]],
  function: [{ ...tools[0], parameters: { ...tools[0]?.parameters, type: 'dict' } }],
}));
const answers = outputs.map(({ id }) => ({ id: `simple_${id}`, ground_truth: [{ add: { a: [2] } }] }));
const lmEval = outputs.map(({ id, text }) => ({
  doc_id: id,
  doc: { tools },
  target: "[{'name': 'add', 'arguments': {'a': 2}}]",
  resps: [[text]],
  filtered_resps: [text],
}));
const samples = outputs.map(({ id, text, verdict }) => ({
  id,
  epoch: 1,
  input: 'Add.',
  target: JSON.stringify(expectTwo),
  messages: [
    { role: 'user', content: 'Add.', source: 'input' },
    {
      role: 'assistant',
      content: verdict === 'model' ? [{ type: 'text', text }] : 'attachment://long',
      source: 'generate',
      ...(verdict !== 'parser' && {
        tool_calls: [{ id: 'c', function: 'add', arguments: { a: verdict === 'right' ? 2 : 3 } }],
      }),
    },
  ],
  events: [{ event: 'model', tools: tools.map((tool) => ({ ...tool, options: null })) }],
  attachments: { long: text },
}));
const log = {
  version: 2,
  eval: { task: 'a "samples": [] b', list: [1] },
  samples,
  reductions: [{ samples: [5] }],
};

/** An archive as inspect_ai writes one: a sample each, packed or not. The check sums are not read. */
function archive(entries: readonly [name: string, text: string, packed: boolean][]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, text, packed] of entries) {
    const data = packed ? deflateRawSync(text) : Buffer.from(text);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(packed ? 8 : 0, 10);
    entry.writeUInt32LE(data.length, 20);
    entry.writeUInt32LE(Buffer.byteLength(text), 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    files.push(local, Buffer.from(name), data);
    directory.push(entry, Buffer.from(name));
    at += 30 + name.length + data.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...files, listed, end]);
}

writeFileSync(path('plain.jsonl'), lines(plain));
writeFileSync(path('plain.json.gz'), gzipSync(JSON.stringify(plain)));
writeFileSync(path('bfcl.json'), lines(bfcl));
writeFileSync(path('questions.json'), lines(questions));
writeFileSync(path('answers.json'), lines(answers));
writeFileSync(path('lm.jsonl'), lines(lmEval));
writeFileSync(path('log.json'), JSON.stringify(log, null, 2));
writeFileSync(path('log-in-one-line.json'), `${JSON.stringify(log)}\n`);
writeFileSync(path('log.gz'), gzipSync(JSON.stringify(log, null, 2)));
writeFileSync(path('samples.jsonl'), lines(samples));
mkdirSync(path('logs'));
writeFileSync(
  path('logs/run.eval'),
  archive([
    ['_journal/start.json', '{"samples": 1}', true],
    ...samples.map((sample, at): [string, string, boolean] => {
      return [`samples/${at}_epoch_1.json`, JSON.stringify(sample, null, 2), at !== 1];
    }),
    ['header.json', JSON.stringify({ version: 2 }), false],
  ]),
);

const hermes = ['--dialect', 'hermes'];
const joins = ['--join', 'questions.json', '--join', 'answers.json'];
const ways: [name: string, argv: string[]][] = [
  ['JSON lines', ['plain.jsonl']],
  ['a packed list', ['plain.json.gz']],
  ['results of the leaderboard', ['bfcl.json', '--layout', 'bfcl', ...joins]],
  ['samples of lm-evaluation-harness', ['lm.jsonl', '--layout', 'lm-eval']],
  ['a log of inspect_ai', ['log.json', '--layout', 'inspect']],
  ['a log of inspect_ai in one line', ['log-in-one-line.json', '--layout', 'inspect']],
  ['a packed log of inspect_ai, whatever its name', ['log.gz', '--layout', 'inspect']],
  ['samples of inspect_ai as JSON lines', ['samples.jsonl', '--layout', 'inspect']],
  ['a folder with an archive of inspect_ai', ['logs', '--layout', 'inspect']],
];

/** Gives the cells of a table of the page, row by row, without the line of heads. */
function rowsOf(page: string, label: string): string[][] {
  const table = page.slice(page.indexOf(`aria-label="${label}"`)).split('</table>')[0] ?? '';
  const body = table.split('<tbody')[1] ?? '';
  return [...body.matchAll(/<tr [^>]*>(.*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<td [^>]*>(.*?)<\/td>/g)].map(([, cell = '']) => plainText(cell)),
  );
}

const plainText = (html: string) =>
  html.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');

describe('dragoman score', () => {
  it.each(ways)('scores %s', async (_, argv) => {
    const { status, stdout } = await score([...argv, ...hermes, '--json']);
    const data: ScoreData & { rows: number; badRows: number } = JSON.parse(stdout);
    expect(data).toMatchObject({
      rows: 3,
      badRows: 0,
      outputs: 3,
      right: 1,
      model: 1,
      parser: 1,
      unscored: 0,
    });
    expect(data.errors.model).toEqual({ arguments: 1 });
    expect(data.errors.parser).toMatchObject({ count: 1 });
    expect(Object.keys(data.dialects)).toEqual(['hermes']);
    expect(status).toBe(1);
  });

  it('writes the verdict of each row, in one thread or several the same', async () => {
    const many = Array.from({ length: 400 }, (_, at) => ({ ...plain[at % 3], id: at }));
    writeFileSync(path('many.jsonl'), lines(many));
    for (const jobs of ['1', '3'])
      await score([
        'many.jsonl',
        ...hermes,
        '-j',
        jobs,
        '--block-size',
        '4k',
        '-o',
        `v${jobs}.jsonl`,
        '--json',
      ]);
    const rows = readFileSync(path('v1.jsonl'), 'utf8');
    expect(readFileSync(path('v3.jsonl'), 'utf8')).toBe(rows);
    const verdicts = rows.trimEnd().split('\n');
    expect(verdicts).toHaveLength(400);
    expect(verdicts.map((row) => JSON.parse(row).verdict).slice(0, 4)).toEqual([
      ...['right', 'model', 'parser', 'right'],
    ]);
    expect(JSON.parse(verdicts[399] as string)).toMatchObject({ id: '399' });
  });

  it('is a filter', async () => {
    const { status, stdout, stderr } = await score(['--jsonl', ...hermes], lines([...plain, { text: 5 }]));
    expect(stdout.split('\n').map((line) => line && JSON.parse(line).verdict)).toEqual([
      ...['right', 'model', 'parser', ''],
    ]);
    expect(JSON.parse(stderr)).toMatchObject({ line: 4, path: 'text' });
    expect(status).toBe(1);
  });

  it("compares with an engine's own reading", async () => {
    writeFileSync(path('engine.jsonl'), lines([{ ...plain[0], engine: { content: '', tool_calls: [] } }]));
    const { stdout } = await score(['engine.jsonl', ...hermes, '--reader', 'engine', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ parser: 1, by: { engine: 1 }, reader: { right: 0, of: 1 } });
  });

  it('prints a table, and writes a page that holds nothing of the outputs as markup', async () => {
    const { stdout } = await score(['plain.jsonl', ...hermes, '--html', 'page.html']);
    expect(stdout).toContain('1 of 3 outputs are right (33.3 %), 1 error of the model, 1 of a parser.');
    expect(stdout).toContain('Right in another dialect: glm-4.5 (1).');
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    const page = readFileSync(path('page.html'), 'utf8');
    expect(page).toContain('&lt;tool_call&gt;add');
    expect(page).not.toContain('<tool_call>');
    expect(rowsOf(page, 'By dialect')).toEqual([
      ['hermes', '3', '1', '0', '1', '1', '0', '33.3 %'],
      ['all', '3', '1', '0', '1', '1', '0', '33.3 %'],
    ]);
    expect(rowsOf(page, 'By error')).toEqual([
      ['count', '0', '1', checkWords.count],
      ['name', '0', '0', checkWords.name],
      ['arguments', '1', '0', checkWords.arguments],
      ['schema', '0', '0', checkWords.schema],
      ['leak', '0', '1', checkWords.leak],
    ]);
  });

  it('counts each dialect of its own on the page, and all of them together', async () => {
    const mended = call(2).replace('}}', ',}}');
    const rows = [
      { ...plain[0], dialect: 'hermes', text: mended },
      { ...plain[1], dialect: 'hermes' },
      { ...plain[2], dialect: 'glm-4.5' },
      { text: 'It rains.', dialect: 'glm-4.5' },
      { ...plain[0], dialect: 'glm-4.5', text: glm.replace('>2<', '>4<') },
    ];
    writeFileSync(path('dialects.jsonl'), lines(rows));
    await score(['dialects.jsonl', '--html', 'dialects.html']);
    const page = readFileSync(path('dialects.html'), 'utf8');
    expect(rowsOf(page, 'By dialect')).toEqual([
      ['-', '1', '0', '0', '0', '0', '1', ''],
      ['glm-4.5', '2', '1', '0', '1', '0', '0', '50.0 %'],
      ['hermes', '2', '1', '1', '1', '0', '0', '50.0 %'],
      ['all', '5', '2', '1', '2', '0', '1', '50.0 %'],
    ]);
    expect(rowsOf(page, 'By error').map((cells) => cells.slice(0, 3))).toEqual([
      ['count', '0', '0'],
      ['name', '0', '0'],
      ['arguments', '2', '0'],
      ['schema', '0', '0'],
      ['leak', '0', '0'],
    ]);
  });

  it.skipIf(!existsSync('/dev/full'))('prints the table if the page cannot be written', async () => {
    const { status, stdout, stderr } = await score(['plain.jsonl', ...hermes, '--html', '/dev/full']);
    expect(stdout).toContain('1 of 3 outputs are right');
    expect(stderr).toContain('--html: cannot write /dev/full: ENOSPC');
    expect(status).toBe(2);
  });

  it('leaves what cannot be scored out of the rate, with the reason', async () => {
    const rows = [
      { id: 'simple_1', result: [{ add: '{"a": 2}' }] },
      { id: 'multi_turn_base_0', result: [['x']] },
      { id: 'simple_java_0', result: 'x' },
      { id: 'simple_unknown', result: 'x' },
      { id: 'live_irrelevance_0', result: 'No.', function: tools },
      { id: 'live_relevance_0', result: call(7), function: tools },
    ];
    writeFileSync(path('odd.json'), lines(rows));
    const { status, stdout } = await score(['odd.json', '--layout', 'bfcl', ...hermes, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ outputs: 6, right: 2, unscored: 4 },
      reasons: { 'no-output': 1, 'several-turns': 1, 'other-language': 1, 'not-joined': 1 },
    });
    expect(status).toBe(0);
  });

  it.each([
    [['plain.jsonl', ...hermes, '--fail-on', 'never'], 0, ''],
    [['plain.jsonl', ...hermes, '--fail-on', 'parser'], 1, ''],
    [['plain.jsonl', '--dialect', 'auto', '--fail-on', 'parser'], 0, ''],
    [['plain.jsonl'], 1, 'which dialect?'],
    [['plain.jsonl', '--strict'], 3, 'which dialect?'],
    [['plain.jsonl', '--dialect', 'hermse'], 2, 'did you mean hermes'],
    [['plain.jsonl', '--layout', 'plane'], 2, 'expected plain, bfcl, lm-eval, inspect, found plane'],
    [['nowhere.jsonl', ...hermes], 3, 'there is no file or folder nowhere.jsonl'],
    [['bfcl.json', '--layout', 'bfcl', ...hermes, '--join', 'nowhere.json'], 3, 'nowhere.json'],
    [['plain.jsonl', ...hermes, '--jsonl'], 2, '--jsonl reads standard input only'],
    [['plain.jsonl', ...hermes, '--resume'], 2, '--resume needs --output'],
    [['plain.jsonl', ...hermes, '--html', 'no/x.html'], 2, '--html: cannot write'],
  ])('%j ends with %i', async (argv, code, message) => {
    const { status, stderr } = await score(argv);
    expect(stderr).toContain(message);
    expect(status).toBe(code);
  });

  it('says that an archive is damaged', async () => {
    writeFileSync(path('cut.eval'), readFileSync(path('logs/run.eval')).subarray(0, 300));
    const { status, stderr } = await score(['cut.eval', '--layout', 'inspect', ...hermes]);
    expect(stderr).toContain('cut.eval is damaged or cut off');
    expect(status).toBe(3);
  });

  it('has the layouts of the converter', () => {
    expect(LAYOUTS).toEqual(layoutNames);
  });
});
