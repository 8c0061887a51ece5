import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type LoadResult, loadConfig } from './load-config.js';
import { type ConfigWatch, type WatchOptions, watchConfig } from './watch-config.js';

let folder = '';
let path = '';
let watch: ConfigWatch | undefined;
let told: LoadResult[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dragoman-watch-'));
  path = join(folder, 'dragoman.config.yaml');
  writeFileSync(path, 'port: 1');
  told = [];
});
afterEach(() => {
  watch?.close();
  rmSync(folder, { recursive: true });
});

async function begin(options: WatchOptions = {}): Promise<ConfigWatch> {
  const begun = watchConfig(path, (result) => told.push(result), {
    env: {},
    debounce: 10,
    settle: 10,
    patience: 20,
    poll: 0,
    ...options,
  });
  watch = begun;
  // The contents at the start are known once a first look has been taken.
  await begun.check();
  return begun;
}

async function untilTold(count: number): Promise<void> {
  while (told.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
}

const ports = () => told.map((result) => (result.ok ? result.config.port : result.problems[0]?.line));

it('tells of a file that was written', async () => {
  await begin();
  writeFileSync(path, 'port: 2');
  await untilTold(1);
  expect(ports()).toEqual([2]);
});

it('waits for a file that is empty, as one is that is being written', async () => {
  const begun = await begin();
  writeFileSync(path, '');
  await begun.check();
  writeFileSync(path, ' \n');
  await begun.check();
  expect(told).toEqual([]);
  writeFileSync(path, 'port: 2');
  await untilTold(1);
  expect(ports()).toEqual([2]);
});

it('tells of a file that was replaced by another, twice', async () => {
  await begin();
  for (const port of [2, 3]) {
    writeFileSync(join(folder, 'new'), `port: ${port}`);
    renameSync(join(folder, 'new'), path);
    await untilTold(port - 1);
  }
  expect(ports()).toEqual([2, 3]);
});

it('tells of a link that points elsewhere', async () => {
  for (const port of [1, 2]) writeFileSync(join(folder, `v${port}`), `port: ${port}`);
  unlinkSync(path);
  symlinkSync('v1', path);
  await begin();
  symlinkSync('v2', join(folder, 'next'));
  renameSync(join(folder, 'next'), path);
  await untilTold(1);
  expect(ports()).toEqual([2]);
});

it('tells the problems, and then the cure', async () => {
  await begin();
  writeFileSync(path, '\nprot: 2');
  await untilTold(1);
  writeFileSync(path, 'port: 4');
  await untilTold(2);
  expect(told.map(({ ok }) => ok)).toEqual([false, true]);
  expect(ports()).toEqual([2, 4]);
});

it('says nothing of what is the same, of other files, and of a file that is gone', async () => {
  const { check } = await begin();
  writeFileSync(path, 'port: 1');
  writeFileSync(join(folder, 'other.yaml'), 'port: 9');
  await check();
  unlinkSync(path);
  await check();
  expect(told).toEqual([]);
  writeFileSync(path, 'port: 5');
  await untilTold(1);
  expect(ports()).toEqual([5]);
});

it('looks now and then, where nothing tells', async () => {
  await begin({ poll: 10, debounce: 600_000 });
  writeFileSync(path, 'port: 2');
  await untilTold(1);
  expect(ports()).toEqual([2]);
});

it('gives the variables and flags of the start', async () => {
  await begin({ env: { PORT: '7' }, flags: { inspect: 3 } });
  writeFileSync(path, `port: \${PORT}`);
  await untilTold(1);
  expect(told[0]).toMatchObject({ ok: true, config: { port: 7, inspect: 3 } });
});

it('takes no contents that change while they settle', async () => {
  const { check } = await begin({ settle: 200, debounce: 600_000 });
  writeFileSync(path, 'port: 2\n');
  const looking = check();
  await new Promise((resolve) => setTimeout(resolve, 50));
  writeFileSync(path, 'port: 2\nhost: 127.0.0.1\n');
  await looking;
  expect(told).toEqual([]);
  await check();
  expect(ports()).toEqual([2]);
});

it('waits longer for a file without a line break at its end, and tells', async () => {
  const notes: boolean[] = [];
  watch = watchConfig(path, (_, { isUnended }) => notes.push(isUnended), { env: {}, poll: 0, settle: 1 });
  await watch.check();
  for (const [text, most] of [
    ['port: 22\n', 600],
    ['{ port: 23 }', 600],
    ['port: 24', 60_000],
  ] as const) {
    const began = performance.now();
    writeFileSync(path, text);
    await watch.check();
    const took = performance.now() - began;
    expect(took > 900 || took < most).toBe(true);
  }
  expect(notes).toEqual([false, false, true]);
});

it('takes no file without the end mark where the first one had it', async () => {
  writeFileSync(path, 'port: 1\n...\n');
  const { check } = await begin();
  for (const text of ['port: 2\n', 'port: 2\n..', 'port: 3\n...\n']) {
    writeFileSync(path, text);
    await check();
  }
  expect(told.map(({ ok }) => ok)).toEqual([false, false, true]);
  expect(ports().at(-1)).toBe(3);
});

/** Whether the process watches the folder, as Linux tells it. */
function isWatched(): boolean {
  const mark = `ino:${statSync(folder).ino.toString(16)} `;
  return readdirSync('/proc/self/fdinfo').some((fd) => {
    const info = `/proc/self/fdinfo/${fd}`;
    return existsSync(info) && readFileSync(info, 'utf8').includes(mark);
  });
}

it('is silent once it is closed', async () => {
  const { check, close } = await begin({ poll: 60_000 });
  writeFileSync(path, 'port: 2');
  const looking = check();
  close();
  await looking;
  await check();
  expect(told).toEqual([]);
});

it.runIf(existsSync('/proc/self/fdinfo'))('lets go of the folder when it is closed', async () => {
  const { close } = await begin();
  expect(isWatched()).toBe(true);
  close();
  expect(isWatched()).toBe(false);
});

it('tells of a change that was made between the loading and the watch', async () => {
  const { text } = await loadConfig(path, { env: {} });
  writeFileSync(path, 'port: 2');
  await begin({ text });
  await untilTold(1);
  expect(ports()).toEqual([2]);
});

it('tells of nothing where the file is the one that was loaded', async () => {
  const { text } = await loadConfig(path, { env: {} });
  const begun = await begin({ text });
  await begun.check();
  expect(told).toEqual([]);
});

it('needs the mark for the end if the loaded file had it', async () => {
  writeFileSync(path, 'port: 1\n...\n');
  const { text } = await loadConfig(path, { env: {} });
  writeFileSync(path, 'port: 2\n');
  await begin({ text });
  await untilTold(1);
  expect(told[0]?.ok).toBe(false);
});
