// A file far larger than the memory of the process that converts it: `npm run test:convert-long`, or with a size in
// GB, the form to write, the ending of the output and more options: `npm run test:convert-long -- 2 anthropic parquet`,
// `npm run test:convert-long -- 2 prompt:hermes jsonl --mask`; with `--tokenizer test/masks/byte-level.json` behind it,
// which is much slower, 0.1 GB take some minutes. Makes seeded rows, converts them, prints the memory of the process over
// the time, and fails if the second half of the run needed more than the first, or if a row is missing. Linux only, where
// another process's memory can be read.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MB = 1e6;
/** What the most of the second half may be above that of the first. */
const GROWTH = 1.1;
const SAMPLE_MS = 200;
const COLUMNS = 20;

const [gigabytes = '2', to = 'anthropic', ending = 'jsonl', ...more] = process.argv.slice(2);
const built = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

async function main(folder) {
  const { writeRows } = await import(built('bench/dist/convert-rows.js'));
  const input = join(folder, 'rows.jsonl');
  const output = join(folder, `converted.${ending}`);
  console.log(`writing ${gigabytes} GB of rows to ${folder}`);
  const { rows, bytes } = await writeRows(input, 'openai', Number(gigabytes) * 1000 * MB);
  const { samples, seconds } = await convert(input, output);
  const written = ending === 'jsonl' ? await countLines(output) : await countRows(output);
  const size = (await stat(output)).size;
  console.log(
    `${rows} rows, ${mb(bytes)} in, ${mb(size)} out: ${seconds.toFixed(0)} s, ${mb(bytes / seconds)}/s`,
  );
  const grown = show(samples);
  const faults = [];
  if (grown > GROWTH) faults.push(`memory grew: the second half needed ${grown.toFixed(2)} times the first`);
  if (written !== rows) faults.push(`expected ${rows} rows, found ${written}`);
  for (const fault of faults) console.log(`FAIL: ${fault}`);
  if (faults.length === 0) console.log('flat, and nothing missing');
  return faults.length;
}

async function convert(input, output) {
  const args = ['convert', input, '--from', 'openai', '--to', to, '--output', output, '--quiet', ...more];
  const start = performance.now();
  const child = spawn(process.execPath, [built('packages/cli/bin/dragoman.js'), ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  process.once('exit', () => child.kill());
  const samples = [];
  const timer = setInterval(() => {
    const rss = residentBytes(child.pid);
    if (rss !== undefined) samples.push(rss);
  }, SAMPLE_MS);
  const [code] = await once(child, 'exit');
  clearInterval(timer);
  if (code !== 0) throw new Error(`the command ended with ${code}`);
  return { samples, seconds: (performance.now() - start) / 1000 };
}

function residentBytes(pid) {
  try {
    const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return line ? Number(line[1]) * 1024 : undefined;
  } catch {
    return undefined;
  }
}

/** Prints the most of each part of the run, and gives the second half's most over the first's. */
function show(samples) {
  const part = Math.max(1, Math.ceil(samples.length / COLUMNS));
  const parts = Array.from({ length: Math.ceil(samples.length / part) }, (_, n) =>
    Math.max(...samples.slice(n * part, (n + 1) * part)),
  );
  const peak = Math.max(...parts);
  for (const [n, most] of parts.entries()) {
    const at = (((n + 1) * part * SAMPLE_MS) / 1000).toFixed(0).padStart(5);
    console.log(`${at} s  ${mb(most).padStart(8)}  ${'#'.repeat(Math.round((40 * most) / peak))}`);
  }
  const half = Math.ceil(samples.length / 2);
  const [first, second] = [samples.slice(0, half), samples.slice(half)].map((list) => Math.max(...list));
  console.log(`peak ${mb(peak)}; first half ${mb(first)}, second half ${mb(second)}`);
  return second / first;
}

async function countLines(path) {
  let count = 0;
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 }))
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) count++;
  return count;
}

async function countRows(path) {
  const { openParquet } = await import(built('packages/convert/dist/files/index.js'));
  const file = await openParquet(path);
  await file.close();
  return file.rows;
}

const mb = (bytes) => `${(bytes / MB).toFixed(0)} MB`;

const folder = await mkdtemp(join(tmpdir(), 'convert-long-'));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
process.exitCode = (await main(folder)) === 0 ? 0 : 1;
