// A conversion that is killed again and again: `node test/convert-kills.mjs`, or with a size in MB, a number of kills,
// the ending of the output and a seed: `node test/convert-kills.mjs 100 20 jsonl.gz 7`. The command runs as it is
// built, is killed with SIGKILL at random moments and resumed each time; at the end its output and the rows it set
// aside are byte for byte those of an undisturbed run. A run that ends before it is killed counts as one comparison,
// and the next kill begins anew.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  createReadStream,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const [megabytes = '100', kills = '20', ending = 'jsonl', seed = '1'] = process.argv.slice(2);
const bin = fileURLToPath(new URL('../packages/cli/bin/dragoman.js', import.meta.url));

/** Seeded, so that a failure can be had again. */
function createRandom(start) {
  let state = start;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const random = createRandom(Number(seed));

/** One row in a hundred or so is bad, so that both outputs grow. */
function row(n) {
  if (random() < 0.01) return `{"id": ${n}, "messages": "none"}`;
  const call = { id: `call_${n}`, type: 'function', function: { name: 'look', arguments: `{"n":${n}}` } };
  const messages = [
    { role: 'user', content: `Question ${n}, ${'words '.repeat(random() * 300)}` },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: `call_${n}`, content: 'ü'.repeat(random() * 200) },
  ];
  return JSON.stringify({ id: n, messages });
}

function writeRows(path, bytes) {
  const file = openSync(path, 'w');
  for (let n = 0, written = 0; written < bytes; ) {
    written += writeSync(file, Array.from({ length: 500 }, () => `${row(n++)}\n`).join(''));
  }
  closeSync(file);
}

function start(input, output, jobs) {
  const args = [
    'convert',
    input,
    '--from',
    'openai',
    '--to',
    'anthropic',
    '--output',
    output,
    '--quiet',
    '--resume',
  ];
  return spawn(process.execPath, [bin, ...args, '--jobs', String(jobs), '--block-size', '512k'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function digestOf(path) {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest('hex');
}

/** Of the output and of the rows that were set aside. */
const digestsOf = async (output) => [await digestOf(output), await digestOf(`${output}.bad.jsonl`)].join(' ');

function doneBlocks(output) {
  try {
    return JSON.parse(readFileSync(`${output}.journal`, 'utf8')).blocks;
  } catch {
    return 0;
  }
}

async function finish(input, output) {
  const [code] = await once(start(input, output, 2), 'exit');
  if (code !== 1) throw new Error(`expected the exit code 1, for some rows are bad; found ${code}`);
}

async function main(folder) {
  const input = join(folder, 'rows.jsonl');
  writeRows(input, Number(megabytes) * 1e6);
  const calm = join(folder, `calm.${ending}`);
  const begun = performance.now();
  await finish(input, calm);
  const whole = performance.now() - begun;
  const expected = await digestsOf(calm);
  console.log(
    `${megabytes} MB undisturbed: ${(whole / 1000).toFixed(1)} s, ${expected.slice(0, 16)}…; seed ${seed}`,
  );
  const output = join(folder, `killed.${ending}`);
  let compared = 0;
  const compare = async () => {
    if ((await digestsOf(output)) !== expected)
      throw new Error('the resumed output is not that of an undisturbed run');
    compared++;
    for (const path of [output, `${output}.bad.jsonl`]) rmSync(path);
  };
  for (let kill = 1; kill <= Number(kills); kill++) {
    const jobs = 1 + (kill % 3);
    const child = start(input, output, jobs);
    const ended = once(child, 'exit');
    const moment = Math.round(random() * whole * 0.5);
    await Promise.race([wait(moment), ended]);
    child.kill('SIGKILL');
    await ended;
    const whereabouts = existsSync(`${output}.journal`)
      ? `${doneBlocks(output)} blocks in the journal`
      : 'no journal';
    const isWhole = child.signalCode === null;
    console.log(
      `${String(kill).padStart(3)}  after ${String(moment).padStart(5)} ms, ${jobs} jobs: ${isWhole ? 'had ended' : whereabouts}`,
    );
    if (isWhole) await compare();
  }
  if (existsSync(`${output}.journal`) || compared === 0) {
    await finish(input, output);
    await compare();
  }
  console.log(`killed ${kills} times, whole ${compared} times: byte for byte the same`);
}

const folder = mkdtempSync(join(tmpdir(), 'convert-kills-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
await main(folder);
