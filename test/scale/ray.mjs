// Ray Data on two CPUs: its time beside that of one process with two threads, and the same rows after a worker (of a task,
// then an actor) and a filter were killed. Needs a Python that has ray and pyarrow: DRAGOMAN_RAY_PYTHON, else python3.

import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openParquet } from '../../packages/convert/dist/files/index.js';

const CPUS = 2;
/** The most that Ray may take, as a multiple of one process with as many threads. */
const LIMIT = 1.4;
/** How often a new cluster is measured. */
const ROUNDS = 3;

/** Milliseconds that a filter may run on without its worker. */
const END_WITHIN = 10_000;

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const python = process.env.DRAGOMAN_RAY_PYTHON ?? 'python3';

/** `convert` runs the command alone, and gives its seconds. Gives the faults. */
export async function runRay({ folder, bin, input, convert }) {
  if (spawnSync(python, ['-c', 'import ray, pyarrow']).status !== 0) {
    console.log(`SKIP  Ray Data: ${python} has no ray and pyarrow; DRAGOMAN_RAY_PYTHON names one that has`);
    return [];
  }
  const faults = [];
  const start = (name, { watched, way = 'cold' } = {}) => {
    rmSync(join(folder, name), { recursive: true, force: true });
    const env = { ...environment(bin), ...(watched && { DRAGOMAN_WATCHED: watched }) };
    const args = [here('ray_rows.py'), input, join(folder, name), String(CPUS), way];
    const child = spawn(python, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let errors = '';
    child.stdout.on('data', (piece) => (output += piece));
    child.stderr.on('data', (piece) => (errors += piece));
    const ended = once(child, 'close').then(([code]) => {
      if (code !== 0) throw new Error(`Ray ended with ${code}:\n${errors.slice(-3000)}`);
      // Ray prints what it retries.
      return JSON.parse(output.split('\n').findLast((line) => line.startsWith('{')));
    });
    return { child, ended };
  };
  const [load] = loadavg();
  const alone = [await convert(CPUS)];
  const wanted = await rowsOfLines(join(folder, 'one.jsonl'));
  // Of one process and Ray in turns, as machines change their speed: the middle of the ratios counts.
  const ways = { cold: [], warm: [], identity: [] };
  for (const way of [...Array(ROUNDS).fill('cold'), 'warm', 'identity']) {
    const { seconds } = await start('ray', { way }).ended;
    if (way !== 'identity') await compare(`Ray Data, ${way}`, join(folder, 'ray'), wanted, faults);
    const before = alone.at(-1);
    alone.push(await convert(CPUS));
    ways[way].push({ seconds, ratio: (2 * seconds) / (before + alone.at(-1)) });
  }
  const ratio = ways.cold.map((one) => one.ratio).sort((a, b) => a - b)[ROUNDS >> 1];
  const isBusy = load > availableParallelism();
  const times = (way) =>
    ways[way].map((one) => `${one.seconds.toFixed(1)} s (${one.ratio.toFixed(2)})`).join(', ');
  console.log(
    `Ray Data, ${CPUS} CPUs  ${times('cold')}; on a cluster that has run a pipeline ${times('warm')};` +
      ` without a filter ${times('identity')}; one process with ${CPUS} threads before, between and after` +
      ` ${alone.map((one) => one.toFixed(1)).join(', ')} s; load ${load.toFixed(1)} before, ${loadavg()[0].toFixed(1)} after`,
  );
  if (ratio > LIMIT && isBusy)
    console.log(`      more than ${LIMIT}, on a machine that was busy: not judged`);
  else if (ratio > LIMIT)
    faults.push(`Ray Data took ${ratio.toFixed(2)} times one process, at most ${LIMIT}`);
  for (const way of ['cold', 'actors']) faults.push(...(await disturb(folder, start, way, wanted)));
  faults.push(...convertTables(folder, bin));
  return faults;
}

/** Kills a filter, then a worker, whose filter must end. Each worker names both in a file. */
async function disturb(folder, start, way, wanted) {
  const faults = [];
  const what = way === 'actors' ? 'an actor' : 'the process of a task';
  const watched = join(folder, 'watched');
  rmSync(watched, { recursive: true, force: true });
  mkdirSync(watched);
  const { ended } = start('killed', { watched, way });
  let isOver = false;
  const over = ended.finally(() => {
    isOver = true;
  });
  over.catch(() => {});
  const workers = () => readdirSync(watched).filter((name) => /^[0-9]+$/.test(name));
  while (!isOver && workers().length < CPUS) await delay(20);
  const [first, second] = workers();
  // The filter of a task may have ended by itself, with its task. That of an actor lives as long as it does.
  const hasKilledFilter = !isOver && kill(readFileSync(join(watched, first), 'utf8'));
  if (way === 'actors' && !hasKilledFilter) faults.push('the filter of an actor could not be killed');
  await delay(1000);
  const filter = readFileSync(join(watched, second), 'utf8');
  if (isOver || !kill(second)) faults.push(`Ray was done before ${what} could be killed: give it more rows`);
  else if (!(await endsSoon(filter)))
    faults.push(`the filter ${filter} of ${what} that was killed still runs`);
  await over;
  const killed = hasKilledFilter ? `a filter and ${what}` : what;
  await compare(`Ray Data, ${killed} killed`, join(folder, 'killed'), wanted, faults);
  if (faults.length === 0) console.log(`Ray Data: ${killed} killed: the same rows`);
  return faults;
}

/** Whether a process ends within some seconds. A filter does so when nobody holds its input any more. */
async function endsSoon(text) {
  const id = processId(text);
  for (const end = Date.now() + END_WITHIN; Date.now() < end; await delay(50)) if (!runs(id)) return true;
  return false;
}

/** One that has ended and that nobody has waited for does not run. */
function runs(id) {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
    return !stat.slice(stat.lastIndexOf(')')).startsWith(') Z');
  } catch {
    return false;
  }
}

function processId(text) {
  const id = Number(text);
  // 0 and negative numbers would be groups of processes.
  if (!(Number.isSafeInteger(id) && id > 0))
    throw new Error(`expected the id of a process, found ${JSON.stringify(text)}`);
  return id;
}

/** Gives whether the process was still there. */
function kill(text) {
  const id = processId(text);
  try {
    return process.kill(id, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
    return false;
  }
}

/** `read_json` and `read_parquet` in, `write_parquet` out. */
function convertTables(folder, bin) {
  const { status, stderr } = spawnSync(python, [here('ray_tables.py'), folder], {
    env: environment(bin),
    encoding: 'utf8',
  });
  if (status !== 0) return [`tables through Ray Data: ${stderr.slice(-2000)}`];
  console.log(
    'Ray Data: JSON to Parquet, Parquet to Parquet, one sample a turn, and merged arguments: the same rows',
  );
  return [];
}

function environment(bin) {
  return {
    ...process.env,
    DRAGOMAN_COMMAND: `"${process.execPath}" "${bin}"`,
    PYTHONPATH: here('../../clients/python'),
  };
}

/** A sum that does not depend on the order: Ray names its files, and their order is its own. */
class RowSum {
  count = 0;
  #sum = 0n;

  add(row) {
    this.count++;
    const hash = createHash('sha256').update(row).digest().readBigUInt64LE(0);
    this.#sum = BigInt.asUintN(128, this.#sum + hash);
  }

  toString() {
    return `${this.count} rows, ${this.#sum.toString(16)}`;
  }
}

async function rowsOfLines(path) {
  const sum = new RowSum();
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity }))
    sum.add(line);
  return String(sum);
}

async function compare(what, folder, wanted, faults) {
  const sum = new RowSum();
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.parquet'))) {
    const file = await openParquet(join(folder, name));
    for (let group = 0; group < file.groups; group++)
      for (const row of await file.readGroup(group)) sum.add(JSON.parse(row).text);
    await file.close();
  }
  if (String(sum) !== wanted) faults.push(`${what}: ${sum}, and one process has ${wanted}`);
}
