// The floor under `dragoman convert`: a process that reads a file by lines, does JSON.parse and JSON.stringify to
// each, and writes it. On two cores each thread has half of the file and an output of its own, which no converter
// that keeps the order could have cheaper.
//
//   node convert-floor-process.js <input> <output> <threads>

import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

const BLOCK = 1 << 20;
const LINE_FEED = 0x0a;

interface FilePart {
  input: string;
  output: string;
  from: number;
  to: number;
}

function rewrite(text: string): string {
  let out = '';
  for (const line of text.split('\n')) if (line !== '') out += `${JSON.stringify(JSON.parse(line))}\n`;
  return out;
}

/** The lines that begin in [from, to). */
function rewriteFile({ input, output, from, to }: FilePart): void {
  const file = openSync(input, 'r');
  const sink = openSync(output, 'w');
  let rest = Buffer.alloc(0);
  let at = from;
  for (;;) {
    const block = Buffer.allocUnsafe(BLOCK);
    const read = readSync(file, block, 0, BLOCK, at);
    const bytes = Buffer.concat([rest, block.subarray(0, read)]);
    const base = at - rest.length;
    at += read;
    const wanted =
      at >= to ? bytes.indexOf(LINE_FEED, Math.max(0, to - 1 - base)) : bytes.lastIndexOf(LINE_FEED);
    const end = wanted < 0 && read === 0 ? bytes.length : wanted + 1;
    writeSync(sink, Buffer.from(rewrite(bytes.toString('utf8', 0, end))));
    if (at >= to && (wanted >= 0 || read === 0)) break;
    rest = bytes.subarray(end);
  }
  closeSync(file);
  closeSync(sink);
}

/** Where the first line at or behind `at` begins. */
function lineStart(input: string, at: number): number {
  if (at === 0) return 0;
  const file = openSync(input, 'r');
  const block = Buffer.alloc(BLOCK);
  const read = readSync(file, block, 0, BLOCK, at - 1);
  closeSync(file);
  return at + block.subarray(0, read).indexOf(LINE_FEED);
}

if (isMainThread) {
  const [input = '', output = '', threads = '1'] = process.argv.slice(2);
  const { size } = statSync(input);
  const count = Number(threads);
  const cuts = Array.from({ length: count + 1 }, (_, n) =>
    n === count ? size : lineStart(input, Math.floor((size * n) / count)),
  );
  const parts = cuts.slice(1).map((to, n) => ({ input, output: `${output}.${n}`, from: cuts[n] ?? 0, to }));
  if (count === 1) for (const part of parts) rewriteFile(part);
  else for (const part of parts) new Worker(fileURLToPath(import.meta.url), { workerData: part });
} else rewriteFile(workerData as FilePart);
