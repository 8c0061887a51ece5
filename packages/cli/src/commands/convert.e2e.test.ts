import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { bin, manyRuns, runAlone } from '../many-runs.fixture.js';

// These tests run the command as it is built: in one process, and in processes of their own where it is about streams,
// kills and signals.

const folder = mkdtempSync(join(tmpdir(), 'dragoman-convert-'));
const runs = manyRuns(folder);
const convert = (argv: string[], input: string | Buffer = '') => runs(['convert', ...argv], input);
const convertAlone = (argv: string[], input: string | Buffer = '') =>
  runAlone(folder, ['convert', ...argv], input);
afterAll(async () => {
  await runs.end();
  rmSync(folder, { recursive: true });
});

const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');

function row(n: number): string {
  const call = { id: `call_${n}`, type: 'function', function: { name: 'f', arguments: `{"n":${n}}` } };
  return JSON.stringify({
    id: n,
    messages: [
      { role: 'user', content: `Frage ${n}: 你好 ${'w'.repeat((n * 37) % 400)}` },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: `call_${n}`, content: 'ok' },
    ],
  });
}

const BAD = new Set([4, 199, 200, 512]);
/** Line n is bad, blank, or row n. */
const lines = Array.from({ length: 600 }, (_, n) =>
  BAD.has(n + 1) ? `{"id":${n + 1}` : n % 50 === 20 ? '' : row(n + 1),
);
const text = `${lines.join('\r\n')}\n`;
writeFileSync(join(folder, 'in.jsonl'), text);
const forms = ['--from', 'openai', '--to', 'anthropic'];
const first = convertAlone(['in.jsonl', ...forms, '-o', 'first.jsonl', '-j', '1', '--report', 'first.json']);

describe('dragoman convert', () => {
  it('makes an empty file of an empty file, and says so, with or without the form', async () => {
    writeFileSync(join(folder, 'empty.jsonl'), '');
    for (const from of [['--from', 'openai'], []]) {
      const argv = ['empty.jsonl', ...from, '--to', 'anthropic', '-o', 'none.jsonl', '--force'];
      const { status, stdout, stderr } = await convert(argv);
      expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
      expect(stderr).toMatch(/^0 rows converted, 0 calls\n/);
      expect(read('none.jsonl')).toBe('');
      expect(existsSync(join(folder, 'none.jsonl.bad.jsonl'))).toBe(false);
    }
  });

  it('converts each row, sets bad ones aside with line and reason, and ends with 1', async () => {
    expect(first.status).toBe(1);
    const rows = linesOf(read('first.jsonl')).map((line) => JSON.parse(line));
    const ids = lines.flatMap((line, n) => (line === '' || BAD.has(n + 1) ? [] : [n + 1]));
    expect(rows.map(({ id }) => id)).toEqual(ids);
    expect(rows[0].messages[1].content[0]).toMatchObject({ type: 'tool_use', id: 'call_1', input: { n: 1 } });
    const bad = linesOf(read('first.jsonl.bad.jsonl')).map((line) => JSON.parse(line));
    expect(bad.map(({ line }) => line)).toEqual([...BAD]);
    expect(bad[1]).toMatchObject({ file: 'in.jsonl', path: '', row: '{"id":199' });
    expect(bad[1].reason).not.toBe('');
  });

  it('reports as text and as JSON', async () => {
    const report = JSON.parse(read('first.json'));
    expect(report).toMatchObject({ from: 'openai', to: 'anthropic', rows: 584, calls: 584, badRows: 4 });
    expect(first.stderr).toContain('584 rows converted, 584 calls, 4 rows set aside');
    expect(first.stderr).toContain('set aside in first.jsonl.bad.jsonl');
    const { stdout, stderr } = await convert(['in.jsonl', ...forms, '-o', 'json.jsonl', '--json']);
    expect(JSON.parse(stdout)).toEqual({ ...report, bad: ['json.jsonl.bad.jsonl'] });
    expect(stderr).toBe('');
    expect(await convert(['in.jsonl', ...forms, '-o', 'quiet.jsonl', '--quiet'])).toEqual({
      status: 1,
      stdout: '',
      stderr: '',
    });
  });

  it('says that a report cannot be written before it converts anything', async () => {
    for (const path of ['no/report.json', '.', 'in.jsonl/report.json']) {
      const { status, stdout, stderr } = await convert([
        'in.jsonl',
        ...forms,
        '-o',
        'u.jsonl',
        '--report',
        path,
      ]);
      expect(stderr).toContain(`--report: cannot write ${path}: `);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(existsSync(join(folder, 'u.jsonl'))).toBe(false);
    }
    // The folder of the output is made by the conversion.
    const made = await convert([
      'in.jsonl',
      ...forms,
      '-o',
      'made/rows.jsonl',
      '--report',
      'made/report.json',
    ]);
    expect([made.status, existsSync(join(folder, 'made/report.json'))]).toEqual([1, true]);
    const missing = ['nowhere.jsonl', ...forms, '--report', 'early.json'];
    expect((await convert(missing)).status).toBe(3);
    expect(existsSync(join(folder, 'early.json'))).toBe(false);
  });

  it.skipIf(!existsSync('/dev/full'))('prints a report that cannot be written when it is due', async () => {
    for (const more of [[], ['--quiet']]) {
      const argv = ['in.jsonl', ...forms, '-o', 'due.jsonl', '--force', '--report', '/dev/full', ...more];
      const { status, stderr } = await convert(argv);
      expect(stderr).toContain('dragoman: --report: cannot write /dev/full: ENOSPC');
      expect(stderr).toContain('584 rows converted, 584 calls, 4 rows set aside');
      expect(status).toBe(2);
    }
    const filtered = await convert([...forms, '--jsonl', '--report', '/dev/full'], `${lines[0]}\n`);
    expect(filtered.stderr).toContain('1 row converted');
    expect(filtered).toMatchObject({ status: 2, stdout: expect.stringMatching(/^\{.*\}\n$/) });
  });

  it.each(['1', '2', '4'])('gives the same bytes with --jobs %s', async (jobs) => {
    const argv = ['in.jsonl', ...forms, '-j', jobs, '--block-size', '1000', '--report', `j${jobs}.json`];
    expect((await convert([...argv, '-o', `j${jobs}.jsonl`])).status).toBe(1);
    expect(read(`j${jobs}.jsonl`)).toBe(read('first.jsonl'));
    expect(read(`j${jobs}.jsonl.bad.jsonl`)).toBe(read('first.jsonl.bad.jsonl'));
    expect(read(`j${jobs}.json`).replace(`j${jobs}.jsonl`, 'first.jsonl')).toBe(read('first.json'));
  });

  it('reads a pipe, packed or not, a packed file and a document as it reads a file', async () => {
    const printed = convertAlone(forms, text);
    expect(printed.stdout).toBe(read('first.jsonl'));
    expect(linesOf(printed.stderr)[0]).toMatch(/^\{"line":4,"file":"-",/);
    expect(convertAlone(forms, gzipSync(text)).stdout).toBe(printed.stdout);
    writeFileSync(join(folder, 'in.jsonl.gz'), gzipSync(text));
    expect((await convert(['in.jsonl.gz', ...forms, '--block-size', '900', '-j', '2'])).stdout).toBe(
      printed.stdout,
    );
    const good = lines.filter((line, n) => line !== '' && !BAD.has(n + 1));
    writeFileSync(join(folder, 'in.json'), `[\n${good.join(',\n')}\n]\n`);
    expect(await convert(['in.json', ...forms])).toMatchObject({ status: 0, stdout: printed.stdout });
  });

  it('packs by the name, so that gunzip reads it', async () => {
    await convert(['in.jsonl', ...forms, '-o', 'packed.jsonl.gz', '--block-size', '5k']);
    expect(gunzipSync(readFileSync(join(folder, 'packed.jsonl.gz'))).toString()).toBe(read('first.jsonl'));
    expect((await convert(['in.jsonl', ...forms, '-o', 'packed.jsonl.br'])).stderr).toContain(
      'brotli is read, but not written',
    );
  });

  it('keeps and drops members beside the conversation', async () => {
    const line = JSON.stringify({ messages: [{ role: 'user', content: 'a' }], id: 1, b: 2, c: 3 });
    const members = async (...argv: string[]) =>
      Object.keys(JSON.parse((await convert([...forms, ...argv], line)).stdout)).sort();
    expect(await members()).toEqual(['b', 'c', 'id', 'messages']);
    expect(await members('--keep', 'id,c', '--drop', 'c')).toEqual(['id', 'messages']);
  });

  it('converts a folder into a folder, each file into one of its name', async () => {
    mkdirSync(join(folder, 'data/deep'), { recursive: true });
    writeFileSync(join(folder, 'data/a.jsonl'), text);
    writeFileSync(join(folder, 'data/deep/b.jsonl.gz'), gzipSync(`${row(1)}\n`));
    writeFileSync(join(folder, 'data/deep/c.json'), `[${row(2)}]`);
    writeFileSync(join(folder, 'data/notes.txt'), 'no data');
    expect((await convert(['data', ...forms, '-o', 'data/out'])).status).toBe(1);
    const names = readdirSync(join(folder, 'data/out'), { recursive: true }).map(String).sort();
    expect(names).toEqual(['a.jsonl', 'a.jsonl.bad.jsonl', 'deep', 'deep/b.jsonl.gz', 'deep/c.jsonl']);
    expect(read('data/out/a.jsonl')).toBe(read('first.jsonl'));
    expect(gunzipSync(readFileSync(join(folder, 'data/out/deep/b.jsonl.gz'))).toString()).toBe(
      `${linesOf(read('first.jsonl'))[0]}\n`,
    );
    const again = await convert(['data', ...forms, '-o', 'data/out']);
    expect(again).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('exists; --force replaces it'),
    });
    const one = await convert(['data/a.jsonl', 'data/deep/c.json', ...forms, '-o', 'both.jsonl']);
    expect(one.status).toBe(1);
    expect(read('both.jsonl')).toBe(`${read('first.jsonl')}${read('data/out/deep/c.jsonl')}`);
  });

  it('writes and reads Parquet', async () => {
    const good = linesOf(read('first.jsonl'));
    expect(
      (await convert(['first.jsonl', '--from', 'anthropic', '--to', 'anthropic', '-o', 't.parquet'])).status,
    ).toBe(0);
    const back = await convert(['t.parquet', '--from', 'anthropic', '--to', 'anthropic', '-j', '2']);
    expect(linesOf(back.stdout).map((line) => JSON.parse(line))).toEqual(
      good.map((line) => JSON.parse(line)),
    );
    expect(readdirSync(folder).filter((name) => name.startsWith('t.parquet'))).toEqual(['t.parquet']);
  });

  it('divides the input into shards that are together the whole', async () => {
    let whole = '';
    let bad = '';
    for (const i of [1, 2, 3]) {
      const argv = ['in.jsonl', ...forms, '--shard', `${i}/3`, '-o', `shard-${i}.jsonl`];
      expect((await convert(argv)).status).toBeLessThan(2);
      whole += read(`shard-${i}.jsonl`);
      if (existsSync(join(folder, `shard-${i}.jsonl.bad.jsonl`))) bad += read(`shard-${i}.jsonl.bad.jsonl`);
    }
    expect(whole).toBe(read('first.jsonl'));
    expect(bad).toBe(read('first.jsonl.bad.jsonl'));
  });

  it('converts the parts of files that the lines of a filter name', async () => {
    const size = statSync(join(folder, 'in.jsonl')).size;
    const cuts = [0, 1, 700, 701, 2000, 2000, size];
    const parts = cuts.slice(1).map((end, at) => ({ path: 'in.jsonl', start: cuts[at], end }));
    const asked = parts.map((part) => `${JSON.stringify(part)}\n`).join('');
    const { status, stdout, stderr } = await convert(
      ['--jsonl', '--parts', ...forms, '--block-size', '300', '-j', '2'],
      asked,
    );
    expect(status).toBe(1);
    // Each part ends with an empty line, also one without rows.
    const found = stdout.split('\n\n').flatMap((rows) => rows.replace(/^\n+/, ''));
    expect(`${found.filter((rows) => rows !== '').join('\n')}\n`).toBe(read('first.jsonl'));
    expect(stdout.split('\n').filter((line) => line === '')).toHaveLength(parts.length + 1);
    const bad = linesOf(stderr).map((line) => JSON.parse(line));
    expect(bad.map(({ file, row }) => [file, row])).toEqual(
      linesOf(read('first.jsonl.bad.jsonl')).map((line) => {
        const { row } = JSON.parse(line);
        return ['in.jsonl', row];
      }),
    );
    expect(
      await convert(['--jsonl', '--parts', ...forms], '{"path": "in.jsonl", "start": 5}\n'),
    ).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('expected a part of a file'),
    });
    expect((await convert(['in.jsonl', '--parts', ...forms])).stderr).toContain('--parts is for --jsonl');
  });

  it('stops at the first bad row with --strict, and goes on without it', async () => {
    const { status, stderr } = await convert([
      'in.jsonl',
      ...forms,
      '--strict',
      '-o',
      's.jsonl',
      '--block-size',
      '2k',
    ]);
    expect(status).toBe(3);
    expect(stderr).toMatch(/^dragoman: in\.jsonl, line 4: .*--resume without --strict/m);
    expect(existsSync(join(folder, 's.jsonl'))).toBe(false);
    const resumed = await convert(['in.jsonl', ...forms, '--resume', '-o', 's.jsonl', '--block-size', '2k']);
    expect(resumed.status).toBe(1);
    expect(read('s.jsonl')).toBe(read('first.jsonl'));
    expect(read('s.jsonl.bad.jsonl')).toBe(read('first.jsonl.bad.jsonl'));
    const printed = convertAlone([...forms, '--strict'], text);
    expect(printed).toMatchObject({ status: 3, stderr: expect.stringContaining('standard input, line 4') });
    expect(linesOf(printed.stdout)).toEqual(linesOf(read('first.jsonl')).slice(0, 3));
  });

  it('tells the form from the first rows, and says so', async () => {
    const guessed = await convert(['in.jsonl', '--to', 'anthropic', '-o', 'guessed.jsonl']);
    expect(guessed.stderr).toContain('rows are read as openai');
    expect(read('guessed.jsonl')).toBe(read('first.jsonl'));
    writeFileSync(join(folder, 'no-form.jsonl'), '{"a":1}\n');
    expect(await convert(['no-form.jsonl', '--to', 'anthropic'])).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('say which with --from'),
    });
  });

  it.each([
    [['nowhere.jsonl', ...forms], 3, 'there is no file or folder nowhere.jsonl'],
    [['in.jsonl', ...forms, '-o', 'in.jsonl', '--force'], 2, 'would be overwritten by its own conversion'],
    [['in.jsonl', ...forms, '--resume'], 2, '--resume needs --output'],
  ])('%j is a sentence on standard error', async (argv, code, message) => {
    const { status, stdout, stderr } = await convert(argv);
    expect(stderr).toContain(message);
    expect(stdout).toBe('');
    expect(status).toBe(code);
  });

  it('says of a packed file that is cut off that it is', async () => {
    writeFileSync(join(folder, 'cut.jsonl.gz'), gzipSync(text).subarray(0, 2000));
    const { status, stderr } = await convert(['cut.jsonl.gz', ...forms, '-o', 'cut.jsonl']);
    expect(status).toBe(3);
    expect(stderr).toContain('cut.jsonl.gz is damaged or cut off');
    expect(existsSync(join(folder, 'cut.jsonl'))).toBe(false);
  });
});

describe('dragoman convert --jsonl', () => {
  it('answers each row before the next is sent, and leaves bad ones out', async () => {
    const child = spawn(process.execPath, [bin, 'convert', '--jsonl', ...forms], { cwd: folder });
    let out = '';
    let errors = '';
    child.stdout.on('data', (piece) => {
      out += piece;
    });
    child.stderr.on('data', (piece) => {
      errors += piece;
    });
    const answers = async (count: number) => {
      while (linesOf(out).length < count) await once(child.stdout, 'data');
    };
    for (const n of [1, 2, 3]) {
      child.stdin.write(`${row(n)}\n`);
      await answers(n);
    }
    child.stdin.end(`broken\n${row(5)}`);
    const [code] = await once(child, 'close');
    expect(code).toBe(1);
    expect(out).toBe(
      `${linesOf(read('first.jsonl')).slice(0, 3).join('\n')}\n${(await convert(forms, row(5))).stdout}`,
    );
    expect(JSON.parse(errors)).toMatchObject({ line: 4, row: 'broken' });
  });

  it('gives the same with several threads, in order', async () => {
    expect(convertAlone(['--jsonl', ...forms, '-j', '3'], text).stdout).toBe(read('first.jsonl'));
  });
});

describe('an interrupted conversion', () => {
  const big = join(folder, 'big.jsonl');
  const argv = ['big.jsonl', ...forms, '--block-size', '8k'];
  const blocksOf = (name: string): number => {
    const path = join(folder, `${name}.journal`);
    return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).blocks : 0;
  };
  const start = (name: string, ...more: string[]) =>
    spawn(process.execPath, [bin, 'convert', ...argv, '-o', name, ...more], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });

  it('that was killed five times and resumed gives the bytes of an undisturbed one', async () => {
    writeFileSync(big, text.repeat(15));
    expect((await convert([...argv, '-o', 'calm.jsonl.gz'])).status).toBe(1);
    let known = 0;
    let kills = 0;
    for (let kill = 0; kill < 5; kill++) {
      const child = start('killed.jsonl.gz', '--resume', '-j', String(1 + (kill % 3)));
      const ended = once(child, 'close');
      // Each time it has come further, and a little further than the journal says.
      while (child.exitCode === null && blocksOf('killed.jsonl.gz') <= known) await wait(5);
      await wait(kill * 7);
      child.kill('SIGKILL');
      await ended;
      if (existsSync(join(folder, 'killed.jsonl.gz'))) break;
      kills++;
      known = blocksOf('killed.jsonl.gz');
    }
    expect(known).toBeGreaterThan(0);
    expect(kills).toBeGreaterThan(2);
    await convert([...argv, '-o', 'killed.jsonl.gz', '--resume', '--quiet']);
    for (const ending of ['', '.bad.jsonl']) {
      const bytes = (name: string) => readFileSync(join(folder, `${name}.jsonl.gz${ending}`));
      expect(bytes('killed').equals(bytes('calm'))).toBe(true);
    }
    expect(readdirSync(folder).filter((name) => /^killed.*(partial|journal)/.test(name))).toEqual([]);
  });

  it('by Ctrl-C writes its journal, says how to go on, and ends with 130', async () => {
    const child = start('stopped.jsonl.gz');
    let errors = '';
    child.stderr.on('data', (piece) => {
      errors += piece;
    });
    const closed = once(child, 'close');
    while (child.exitCode === null && blocksOf('stopped.jsonl.gz') === 0) await wait(5);
    child.kill('SIGINT');
    const [code] = await closed;
    expect(errors).toContain('stopped; the same command with --resume goes on');
    expect(code).toBe(130);
    await convert([...argv, '-o', 'stopped.jsonl.gz', '--resume']);
    const bytes = (name: string) => readFileSync(join(folder, `${name}.jsonl.gz`));
    expect(bytes('stopped').equals(bytes('calm'))).toBe(true);
  });
});
