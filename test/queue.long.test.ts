// The conversion on several workers, with a real Redis: the bytes are those of one machine, whatever is killed on the
// way. `npm run test:scale` does the same with more rows, and measures.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { manyRuns } from '../packages/cli/src/many-runs.fixture.js';
import { CANARY, type RealServer, startServer } from '../packages/gateway/src/store/real-servers.fixture.js';
import { root } from './sources.js';

const bin = join(root, 'packages/cli/bin/dragoman.js');
const started = await startServer('redis');
const isSkipped = typeof started === 'string';
const redis = started as RealServer;
const url = isSkipped ? '' : redis.url;

const top = mkdtempSync(join(tmpdir(), 'dragoman-queue-'));
afterAll(async () => {
  await runs.end();
  if (!isSkipped) await redis.stop();
  rmSync(top, { recursive: true, force: true });
});

let tests = 0;
let folder = top;
beforeEach(async () => {
  folder = join(top, String(tests++));
  mkdirSync(folder);
  if (!isSkipped) await flush();
});

// --- processes -------------------------------------------------------------------------------------------------

interface Running {
  child: ChildProcess;
  /** Exit code, or the signal that ended it. */
  ended: Promise<number | string>;
  printed(): string;
}

const running = new Set<Running>();
afterEach(async () => {
  for (const { child, ended } of running) {
    child.kill('SIGKILL');
    await ended;
  }
  running.clear();
});

function start(...args: string[]): Running {
  const child = spawn(process.execPath, [bin, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => (text += piece));
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  const one = { child, ended, printed: () => text };
  running.add(one);
  return one;
}

const worker = (...args: string[]) => start('worker', '--queue', url, '--jobs', '1', ...args);

const forms = ['--from', 'openai', '--to', 'anthropic', '--block-size', '64k'];
const distributed = (...args: string[]) => start('convert', ...args, ...forms, '--queue', url);

/** On one machine: what the others are held against. */
const runs = manyRuns(() => folder);
const convert = async (...args: string[]) => (await runs(['convert', ...args, ...forms])).status;

async function flush(): Promise<void> {
  const { Redis } = await import('ioredis');
  const client = new Redis(url);
  await client.flushall();
  client.disconnect();
}

async function untilActive(): Promise<void> {
  const { Redis } = await import('ioredis');
  const client = new Redis(url);
  while ((await client.llen('bull:dragoman-convert:active')) === 0) await delay(5);
  client.disconnect();
}

// --- files -----------------------------------------------------------------------------------------------------

const at = (name: string) => join(folder, name);
const read = (name: string) => readFileSync(at(name));

/** Rows of about a kilobyte; every 97th is bad. */
function rows(count: number): string {
  const lines = Array.from({ length: count }, (_, n) => {
    if (n % 97 === 50) return `{"messages": ${n}`;
    const call = { id: `c${n}`, type: 'function', function: { name: 'look', arguments: `{"n":${n}}` } };
    const messages = [
      { role: 'user', content: `Question ${n}. ${'Tell me more. '.repeat(40 + (n % 40))}` },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: `c${n}`, content: `Answer ${n}` },
    ];
    return JSON.stringify({ id: n, messages });
  });
  return `${lines.join('\n')}\n`;
}

/** Good rows that end with an answer. */
function answered(count: number): string {
  return Array.from({ length: count }, (_, n) => {
    const asked = { role: 'user', content: `Question ${n}. ${'Tell me more. '.repeat(20)}` };
    const answer = { role: 'assistant', content: `Answer ${n}` };
    return `${JSON.stringify({ id: n, messages: [asked, answer, asked, answer] })}\n`;
  }).join('');
}

/** The pieces of an output that are whole. */
function pieces(output: string): number {
  const all = at(`.${output}.pieces`);
  if (!existsSync(all)) return 0;
  const names = readdirSync(all, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.json')).length;
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await delay(5);
}

async function sameAsOneMachine(output: string, input: string): Promise<void> {
  const alone = `alone-${basename(output)}`;
  expect(await convert(input, '-o', alone, '--report', 'alone.json')).toBe(1);
  expect(read(output).equals(read(alone))).toBe(true);
  expect(read(`${output}.bad.jsonl`).toString()).toBe(read(`${alone}.bad.jsonl`).toString());
  const { bad: _, ...report } = JSON.parse(read('report.json').toString());
  expect(JSON.parse(read('alone.json').toString())).toMatchObject(report);
}

function leftovers(): string[] {
  return readdirSync(folder).filter((name) => /pieces|partial|journal|tmp/.test(name));
}

// --- what must hold --------------------------------------------------------------------------------------------

describe.skipIf(isSkipped)('a conversion on workers', () => {
  it('gives the bytes of one machine though a worker, the coordinator and Redis are killed', async () => {
    writeFileSync(at('in.jsonl'), rows(5000));
    const output = 'out.jsonl.gz';
    const args = ['in.jsonl', '-o', output, '--report', 'report.json'];
    const [killed, kept] = [worker(), worker()];
    const coordinator = distributed(...args);
    await until(() => pieces(output) + Number(existsSync(at(`${output}.partial`))) > 3);
    killed.child.kill('SIGKILL');
    // Held still, so that nothing is finished meanwhile.
    kept.child.kill('SIGSTOP');
    coordinator.child.kill('SIGKILL');
    await Promise.all([killed.ended, coordinator.ended]);
    const resumed = distributed(...args, '--resume');
    await redis.kill();
    await redis.restart();
    // As Redis without a disk: it comes back and knows nothing.
    await flush();
    kept.child.kill('SIGCONT');
    expect(await resumed.ended, resumed.printed()).toBe(1);
    await sameAsOneMachine(output, 'in.jsonl');
    expect(leftovers()).toEqual([]);
    kept.child.kill('SIGINT');
    expect(await kept.ended).toBe(0);
    for (const { printed } of [coordinator, resumed, kept, killed]) {
      expect(printed()).not.toContain(CANARY);
      expect(printed()).not.toContain(encodeURIComponent(CANARY));
    }
  });

  it('costs no more than its time when a worker dies with a shard, and makes nothing twice', async () => {
    writeFileSync(at('in.jsonl'), rows(2000));
    const args = ['in.jsonl', '-o', 'out.jsonl', '--report', 'report.json'];
    const coordinator = distributed(...args);
    expect(await worker('--once').ended).toBe(0);
    coordinator.child.kill('SIGKILL');
    await coordinator.ended;
    const resumed = distributed(...args, '--resume');
    // The lock of a shard is what tells that it is in hands.
    const killed = worker();
    await untilActive();
    killed.child.kill('SIGKILL');
    const left = worker('--until-empty');
    expect(await resumed.ended, resumed.printed()).toBe(1);
    await sameAsOneMachine('out.jsonl', 'in.jsonl');
    expect(await left.ended).toBe(0);
    const shards = Math.ceil(read('in.jsonl').length / 65_536);
    const count = Number(/(\d+) shards? converted/.exec(left.printed())?.[1]);
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(shards);
  });

  it('goes by a root that is called otherwise at the workers, who touch nothing outside of it', async () => {
    writeFileSync(at('in.jsonl'), rows(300));
    symlinkSync(folder, at('elsewhere'));
    const serving = worker('--root', at('elsewhere'));
    const done = distributed('in.jsonl', '-o', 'out.jsonl', '--report', 'report.json', '--root', '.');
    expect(await done.ended, done.printed()).toBe(1);
    await sameAsOneMachine('out.jsonl', 'in.jsonl');
    serving.child.kill('SIGTERM');
    expect(await serving.ended, serving.printed()).toBe(0);
    mkdirSync(at('inside'));
    const confined = worker('--root', at('inside'));
    const refused = distributed('in.jsonl', '-o', 'again.jsonl', '--root', '..');
    expect(await refused.ended).toBe(3);
    expect(refused.printed()).toContain('cannot be seen here');
    expect(confined.printed()).toContain('use --root on both sides');
  });

  it('is refused by a worker of another version, which gives the shard back', async () => {
    const { Queue } = await import('bullmq');
    const { Redis } = await import('ioredis');
    writeFileSync(at('in.jsonl'), rows(100));
    const waiting = distributed('in.jsonl', '-o', 'out.jsonl');
    const client = new Redis(url, { maxRetriesPerRequest: null });
    const queue = new Queue('dragoman-convert', { connection: client });
    try {
      while ((await queue.getWaitingCount()) === 0) await delay(20);
      const [job] = await queue.getWaiting(0, 0);
      const { writer } = job?.data ?? {};
      await job?.updateData({
        ...job.data,
        writer: { ...writer, dragoman: '99.0.0' },
        fingerprint: '0'.repeat(16),
      });
      const other = worker();
      expect(await other.ended).toBe(4);
      expect(other.printed()).toMatch(/started by dragoman 99\.0\.0, and this worker is dragoman [0-9.]+: /);
      expect((await queue.getJob(job?.id ?? ''))?.attemptsMade).toBe(0);
      expect(await queue.getWaitingCount()).toBeGreaterThan(0);
      expect(existsSync(at('out.jsonl'))).toBe(false);
    } finally {
      client.disconnect();
      waiting.child.kill('SIGINT');
    }
    expect(await waiting.ended).toBe(130);
    expect(waiting.printed()).toContain('--resume goes on');
  });
});

describe.skipIf(isSkipped)('a conversion on a worker that serves others, too', () => {
  let serving: Running;
  beforeAll(() => {
    folder = top;
    serving = worker();
    // It outlives the tests.
    running.delete(serving);
  });
  afterAll(async () => {
    serving.child.kill('SIGTERM');
    // Shards have failed on it.
    expect(await serving.ended, serving.printed()).toBe(1);
  });

  it('divides what can be divided: packed files, tables and folders too', async () => {
    mkdirSync(at('in'));
    writeFileSync(at('in/a.jsonl'), rows(300));
    writeFileSync(at('in/b.jsonl.gz'), gzipSync(rows(200)));
    writeFileSync(
      at('in/c.json'),
      JSON.stringify(
        rows(40)
          .trim()
          .split('\n')
          .slice(0, 40)
          .map(JSON.parse as never),
      ),
    );
    writeFileSync(at('in/empty.jsonl'), '');
    await convert('in/a.jsonl', '-o', 'in/d.parquet');
    expect(await distributed('in', '-o', 'out').ended).toBe(1);
    expect(await convert('in', '-o', 'alone')).toBe(1);
    const names = readdirSync(at('alone'), { recursive: true, encoding: 'utf8' }).sort();
    expect(names.length).toBeGreaterThan(5);
    expect(readdirSync(at('out'), { recursive: true, encoding: 'utf8' }).sort()).toEqual(names);
    for (const name of names) expect(read(`out/${name}`).equals(read(`alone/${name}`)), name).toBe(true);
  });

  it('scores, with files that are joined, as one machine does', async () => {
    const call = (a: number) => `<tool_call>\n{"name": "add", "arguments": {"a": ${a}}}\n</tool_call>`;
    const ids = Array.from({ length: 300 }, (_, n) => n);
    const lines = (of: (n: number) => object) => ids.map((n) => `${JSON.stringify(of(n))}\n`).join('');
    writeFileSync(at('in.json'), `${lines((n) => ({ id: `s${n}`, result: call(n % 5) }))}{"id": \n`);
    writeFileSync(
      at('questions.json'),
      lines((n) => ({ id: `s${n}`, function: [{ name: 'add' }] })),
    );
    writeFileSync(
      at('answers.json'),
      lines((n) => ({ id: `s${n}`, ground_truth: [{ add: { a: [2] } }] })),
    );
    const options = ['--layout', 'bfcl', '--dialect', 'hermes', '--join', 'questions.json'];
    const args = ['in.json', ...options, '--join', 'answers.json', '--block-size', '4k', '--json'];
    const by = start('score', ...args, '-o', 'out.jsonl', '--queue', url, '--quiet');
    expect(await by.ended, by.printed()).toBe(1);
    const one = await runs(['score', ...args, '-o', 'alone.jsonl', '--quiet']);
    expect(one.status).toBe(1);
    expect(read('out.jsonl').equals(read('alone.jsonl'))).toBe(true);
    expect(read('out.jsonl.bad.jsonl').equals(read('alone.jsonl.bad.jsonl'))).toBe(true);
    const { bad: _, ...counts } = JSON.parse(one.stdout);
    expect(counts).toMatchObject({ right: 60, model: 240, badRows: 1 });
    expect(JSON.parse(by.printed())).toMatchObject(counts);
    rmSync(at('answers.json'));
    const lost = start('score', ...args, '-o', 'lost.jsonl', '--queue', url, '--quiet');
    expect(await lost.ended).toBe(3);
  });

  it('makes training data as one machine does: tokens, and samples of turns', async () => {
    copyFileSync(join(root, 'test/masks/byte-level.json'), at('tokenizer.json'));
    writeFileSync(at('in.jsonl'), answered(300));
    const args = ['convert', 'in.jsonl', '--from', 'openai', '--to', 'prompt:hermes', '--block-size', '16k'];
    for (const more of [
      ['--mask', '--tokenizer', 'tokenizer.json'],
      ['--per-turn', '--check-prefix'],
    ]) {
      const by = start(...args, ...more, '-o', 'out.jsonl', '--queue', url, '--force');
      expect(await by.ended, by.printed()).toBe(0);
      expect((await runs([...args, ...more, '-o', 'alone.jsonl', '--force'])).status).toBe(0);
      expect(read('out.jsonl').equals(read('alone.jsonl'))).toBe(true);
    }
  });

  it('ends with the first bad row of the input if it is strict, and goes on without', async () => {
    const [good, bad] = [rows(50), rows(1000)];
    writeFileSync(at('in.jsonl'), good + good + bad);
    const args = ['in.jsonl', '-o', 'out.jsonl', '--report', 'report.json'];
    const strict = distributed(...args, '--strict');
    expect(await strict.ended, strict.printed()).toBe(3);
    expect(strict.printed()).toContain('in.jsonl, line 151');
    const lenient = distributed(...args, '--resume');
    expect(await lenient.ended, lenient.printed()).toBe(1);
    await sameAsOneMachine('out.jsonl', 'in.jsonl');
  });

  it('fails with the reason when a shard fails three times, and can be resumed', async () => {
    const whole = gzipSync(rows(300));
    writeFileSync(
      at('in.jsonl.gz'),
      Buffer.concat([whole.subarray(0, 5000), Buffer.alloc(whole.length - 5000)]),
    );
    const before = serving.printed().length;
    const failed = distributed('in.jsonl.gz', '-o', 'out.jsonl');
    expect(await failed.ended).toBe(3);
    expect(failed.printed()).toMatch(/shard 1 of 1 \(in\.jsonl\.gz\) could not be converted, .* is damaged/);
    expect(
      serving
        .printed()
        .slice(before)
        .match(/a shard failed/g),
    ).toHaveLength(3);
    writeFileSync(at('in.jsonl.gz'), whole);
    expect(
      await distributed('in.jsonl.gz', '-o', 'out.jsonl', '--force', '--report', 'report.json').ended,
    ).toBe(1);
    await sameAsOneMachine('out.jsonl', 'in.jsonl.gz');
  });

  it('converts the rest of a folder when one of its files is damaged, and leaves no pieces of that', async () => {
    mkdirSync(at('in'));
    mkdirSync(at('out'));
    const whole = gzipSync(rows(300));
    writeFileSync(at('in/a.jsonl.gz'), whole.subarray(0, whole.length >> 1));
    writeFileSync(at('in/b.jsonl'), rows(200));
    const run = distributed('in', '-o', 'out');
    expect(await run.ended, run.printed()).toBe(3);
    expect(run.printed()).toContain('1 of 2 files could not be converted, the others are');
    expect(readdirSync(at('out')).sort()).toEqual(['b.jsonl', 'b.jsonl.bad.jsonl', 'b.jsonl.journal']);
  });
});

describe('a queue that is not there', () => {
  const call = (...args: string[]) => {
    const { status, stderr } = spawnSync(process.execPath, [bin, ...args], { encoding: 'utf8', cwd: folder });
    return { status, stderr };
  };

  it('is said without the password', () => {
    const { status, stderr } = call('worker', '--queue', 'redis://:hush@127.0.0.1:1');
    expect(status).toBe(4);
    expect(stderr).toContain('127.0.0.1:1: connect ECONNREFUSED');
    const { status: usage, stderr: wrong } = call('worker', '--queue', 'http://:hush@host');
    expect(usage).toBe(2);
    expect(stderr + wrong).not.toContain('hush');
  });

  it('needs two packages, and says which', () => {
    // Where it is installed alone, nothing of ours is found from elsewhere.
    const loader = `data:text/javascript,${encodeURIComponent(`
      import { register } from 'node:module';
      register('data:text/javascript,' + encodeURIComponent(\`
        export async function resolve(name, context, next) {
          if (name === 'bullmq') throw Object.assign(new Error('none'), { code: 'ERR_MODULE_NOT_FOUND' });
          return next(name, context);
        }\`));`)}`;
    const args = ['--import', loader, bin, 'worker', '--queue', 'redis://127.0.0.1:1'];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect(stderr).toContain('npm install bullmq@6 ioredis@6');
    expect(status).toBe(2);
  });
});
