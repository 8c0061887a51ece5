// Conversions beyond one process, as docs/scale.md describes them: `npm run test:scale`, with 1,000 MB of input, or with
// another size in MB: `npm run test:scale -- 300`; with `ray` after it, only that part. A real Redis that keeps nothing on
// the disk, real worker processes.
//
//   1. Ray Data, where a Python has it (ray.mjs): first, as its time is judged only on a machine that was idle;
//   2. rows a second with 1, 2 and 4 workers, beside one process with the same number of threads;
//   3. workers killed again and again, the coordinator killed once, Redis once: it forgets everything;
//   4. the examples of docs/scale.md.
//
// Each time the output must be that of one machine, byte for byte.

import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  createReadStream,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, open } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findOrInstall } from '../debian.mjs';
import { reportMissing } from '../installs.mjs';
import { startForgetfulRedis } from './forgetful-redis.mjs';
import { runRay } from './ray.mjs';

const MB = 1e6;
const WORKERS = [1, 2, 4];
/** A worker dies this often, in milliseconds. */
const KILL_EVERY = 1500;

const [megabytes = '1000', only] = process.argv.slice(2);
if (!(Number(megabytes) > 0) || (only !== undefined && only !== 'ray'))
  throw new Error(`expected a size in MB, and nothing or 'ray' after it, found ${process.argv.slice(2)}`);
const built = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const bin = built('packages/cli/bin/dragoman.js');
const FORMS = ['--from', 'openai', '--to', 'anthropic'];

const faults = [];
const children = new Set();

// --- processes -------------------------------------------------------------------------------------------------

function dragoman(args, stdio = ['ignore', 'ignore', 'inherit']) {
  const child = spawn(process.execPath, [bin, ...args], { cwd: folder, stdio });
  children.add(child);
  const ended = once(child, 'exit').then(([code, signal]) => {
    children.delete(child);
    return code ?? signal;
  });
  return { child, ended };
}

/** Resolves when it waits for shards. */
async function startWorker() {
  const worker = dragoman(['worker', '--queue', redis.url, '--jobs', '1'], ['ignore', 'ignore', 'pipe']);
  await once(worker.child.stderr, 'data');
  worker.child.stderr.resume();
  return worker;
}

async function stopWorkers(workers) {
  for (const { child } of workers) child.kill('SIGINT');
  await Promise.all(workers.map(({ ended }) => ended));
}

// --- 2: rows a second --------------------------------------------------------------------------------------------

async function measure() {
  const lines = [];
  for (const count of WORKERS) {
    const seconds = { alone: await alone(count), many: 0 };
    const workers = await Promise.all(Array.from({ length: count }, startWorker));
    const args = ['convert', 'rows.jsonl', ...FORMS, '-o', 'many.jsonl', '--queue', redis.url, '--force'];
    seconds.many = await timed(args);
    await stopWorkers(workers);
    await compare(`${count} workers`);
    lines.push({ count, alone: seconds.alone, seconds: seconds.many });
  }
  const speed = (seconds) =>
    `${Math.round(rows / seconds)
      .toLocaleString('en')
      .padStart(8)} rows/s`;
  for (const { count, alone: one, seconds } of lines) {
    const ratio = (lines[0].seconds / seconds).toFixed(2);
    console.log(
      `${count} worker${count > 1 ? 's' : ' '}  ${speed(seconds)}  ${seconds.toFixed(1).padStart(6)} s  ${ratio} times one` +
        `   | one process, ${count} thread${count > 1 ? 's' : ' '} ${speed(one)}`,
    );
  }
}

/** The seconds of one process. */
function alone(threads) {
  const output = ['-o', 'one.jsonl', '-j', String(threads), '--force'];
  return timed(['convert', 'rows.jsonl', ...FORMS, ...output]);
}

/** Of the whole command, with its start. */
async function timed(args) {
  const start = performance.now();
  expectCode(await dragoman([...args, '--quiet']).ended, 1, args.join(' '));
  return (performance.now() - start) / 1000;
}

// --- 3: kills ----------------------------------------------------------------------------------------------------

async function disturb() {
  const before = faults.length;
  const workers = await Promise.all(Array.from({ length: 4 }, startWorker));
  const args = ['convert', 'rows.jsonl', ...FORMS, '-o', 'many.jsonl', '--queue', redis.url, '--quiet'];
  for (const name of ['many.jsonl', 'many.jsonl.bad.jsonl']) rmSync(join(folder, name));
  let coordinator = dragoman(args);
  let done = false;
  let killed = 0;
  const killing = (async () => {
    for (;;) {
      await delay(KILL_EVERY);
      if (done) return;
      workers[killed % workers.length].child.kill('SIGKILL');
      workers[killed % workers.length] = await startWorker();
      killed++;
    }
  })();
  await shareDone(0.2);
  coordinator.child.kill('SIGKILL');
  await coordinator.ended;
  coordinator = dragoman([...args, '--resume']);
  await shareDone(0.5);
  await redis.kill();
  await delay(1000);
  await redis.start();
  const early = existsSync(join(folder, 'many.jsonl'));
  expectCode(await coordinator.ended, 1, 'the disturbed run');
  done = true;
  await killing;
  await stopWorkers(workers);
  await compare('the disturbed run');
  if (early) faults.push('the disturbed run was over before Redis was killed: give it more rows');
  const left = readdirSync(folder).filter((name) => /pieces|partial|journal/.test(name));
  if (left.length > 0) faults.push(`left behind: ${left.join(', ')}`);
  if (faults.length === before)
    console.log(`${killed} workers killed, the coordinator once, Redis once (it forgot all): the same bytes`);
}

/** Waits until so much of the output is put together. */
async function shareDone(share) {
  const whole = sizeOf('one.jsonl') * share;
  while (sizeOf('many.jsonl.partial') < whole && !existsSync(join(folder, 'many.jsonl'))) await delay(10);
}

// --- 4: the examples ---------------------------------------------------------------------------------------------

/** Blocks marked as bash, one after the other in one folder. */
async function runExamples() {
  const hasParallel = await findOrInstall('parallel').then(
    () => true,
    (error) => void reportMissing('examples with GNU parallel', error),
  );
  const examples = join(folder, 'examples');
  const shim = join(folder, 'dragoman');
  writeFileSync(shim, `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
  chmodSync(shim, 0o755);
  execFileSync('mkdir', [examples]);
  const env = {
    ...process.env,
    QUEUE: redis.url,
    PATH: folder + delimiter + process.env.PATH,
    NO_COLOR: '1',
  };
  const text = readFileSync(built('docs/scale.md'), 'utf8');
  const blocks = [...text.matchAll(/^```bash\n([\s\S]*?)^```$/gm)];
  if (blocks.length < 4) faults.push(`docs/scale.md has only ${blocks.length} examples`);
  for (const [, code] of blocks) {
    const title = code.split('\n').find((line) => line.includes('dragoman') || line.includes('parallel'));
    if (!hasParallel && /^parallel /m.test(code)) {
      console.log(`SKIP  ${title}`);
      continue;
    }
    const child = spawn('bash', ['-e', '-c', code], {
      cwd: examples,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let errors = '';
    child.stderr.on('data', (piece) => (errors += piece));
    const [status] = await once(child, 'close');
    console.log(`${status === 0 ? 'ok  ' : 'FAIL'}  ${title ?? code.split('\n')[0]}`);
    if (status !== 0) faults.push(`an example of docs/scale.md ended with ${status}:\n${code}\n${errors}`);
  }
}

// --- comparing ---------------------------------------------------------------------------------------------------

async function compare(what) {
  for (const ending of ['', '.bad.jsonl']) {
    const [one, many] = await Promise.all(
      ['one', 'many'].map((name) => hash(join(folder, `${name}.jsonl${ending}`))),
    );
    if (one !== many) faults.push(`${what}: other bytes than one machine's in many.jsonl${ending}`);
  }
}

async function hash(path) {
  const sum = createHash('sha256');
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) sum.update(piece);
  return sum.digest('hex');
}

function expectCode(found, expected, what) {
  if (found !== expected) throw new Error(`${what}: expected exit code ${expected}, found ${found}`);
}

function sizeOf(name) {
  return statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
}

/** A part that throws does not hide what the parts before it have found. */
async function attempt(name, run) {
  try {
    await run();
  } catch (error) {
    faults.push(`${name}: ${error instanceof Error ? error.stack : error}`);
  }
}

// --- all of it ---------------------------------------------------------------------------------------------------

const folder = await mkdtemp(join(tmpdir(), 'dragoman-scale-'));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
const redis = only === undefined ? await startForgetfulRedis() : undefined;
const { writeRows } = await import(built('bench/dist/convert-rows.js'));
const input = join(folder, 'rows.jsonl');
const { rows, bytes } = await writeRows(input, 'openai', Number(megabytes) * MB);
// A bad row at the end, so that its line number is that of the whole.
const handle = await open(input, 'a');
await handle.write('{"messages": 7}\n');
await handle.close();
console.log(
  `${rows} rows, ${Math.round(bytes / MB)} MB, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)} before`,
);
await attempt('Ray Data', async () => faults.push(...(await runRay({ folder, bin, input, convert: alone }))));
if (redis) {
  await attempt('workers', measure);
  await attempt('kills', disturb);
  await attempt('examples', runExamples);
  await redis.kill();
}
for (const fault of faults) console.log(`FAIL: ${fault}`);
if (faults.length === 0) console.log('the same bytes as on one machine, every time');
process.exitCode = faults.length === 0 ? 0 : 1;
