// A configuration that is broken while it is read again: the gateway, a process, answers all the while, with the last
// one that was whole.

import { chmodSync, mkdirSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createRandom, openServedStage, post } from './served-process.js';
import { apis } from './three-apis.js';

const stage = openServedStage();
const path = join(stage.folder, 'live.yaml');
/** In braces, so that no part of it is a configuration. */
const config = (name: string) => `{ # ${'x'.repeat(3000)}\n  upstream: demo, models: [${name}, always] }\n`;

/** Milliseconds. */
const BETWEEN_REQUESTS = 20;
/** Milliseconds: longer than contents must stay the same. */
const SETTLES = 400;

const REFUSED = 'so the old one stays';

it('every request is answered, whatever happens to the file, and the last whole one counts', async () => {
  stage.write('live.yaml', config('first'));
  const gateway = await stage.serve('live.yaml');
  const ask = async (model: string) => {
    const response = await post(`${gateway.url}${apis.chat.path}`, { ...apis.chat.body, model });
    await response.arrayBuffer();
    return response.status;
  };
  const statuses: number[] = [];
  let goesOn = true;
  const asking = Array.from({ length: 8 }, async () => {
    for (; goesOn; await wait(BETWEEN_REQUESTS)) statuses.push(await ask('always'));
  });
  const random = createRandom(20);
  const refusals = () => gateway.stdout.split(REFUSED).length - 1;
  /** Contents that are read, and refused. */
  const invalid: (() => void)[] = [
    () => truncateSync(path, 1 + Math.floor(random() * 200)),
    () => stage.write('live.yaml', '\0\ufffd'.repeat(1000)),
    () => stage.write('live.yaml', `models: ${'['.repeat(9000)}`),
    () =>
      stage.write(
        'live.yaml',
        `a: &a [x]\n${Array.from({ length: 40 }, (_, at) => `b${at}: &b${at} [*a, *a]`).join('\n')}`,
      ),
    () => stage.write('live.yaml', 'upstream: http://127.0.0.1:1/v1\nupstream: demo\n'),
    () => stage.write('live.yaml', 'keys: [short]\nupstream: demo\n'),
  ];
  for (const [at, broken] of invalid.entries()) {
    const before = refusals();
    stage.write('live.yaml', config(`before-${at}`));
    broken();
    await expect.poll(refusals).toBe(before + 1);
  }
  /** What is no file with contents is waited for. */
  const missing: (() => void)[] = [
    () => stage.write('live.yaml', ''),
    () => rmSync(path),
    () => {
      rmSync(path);
      mkdirSync(path);
    },
    () => chmodSync(path, 0),
  ];
  for (const [at, broken] of missing.entries()) {
    rmSync(path, { recursive: true, force: true });
    stage.write('live.yaml', config(`gone-${at}`));
    broken();
    await wait(SETTLES + random() * SETTLES);
  }
  // Written in pieces, and renamed into place.
  rmSync(path, { recursive: true, force: true });
  const whole = config('last');
  for (let at = 0; at < whole.length; at += 500) {
    stage.write('live.yaml', whole.slice(0, at));
    await wait(20);
  }
  stage.write('next.yaml', whole);
  renameSync(join(stage.folder, 'next.yaml'), path);
  await expect.poll(() => ask('last')).toBe(200);
  goesOn = false;
  await Promise.all(asking);
  expect(statuses.length).toBeGreaterThan(3);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  expect(await gateway.stop('SIGTERM')).toBe(0);
});

/** In blocks, so that most parts of it are configurations: without keys, or without a limit. */
const block = `upstream: demo
models:
  - always
inspect: 5
keys:
  - key: the-key-of-alice
    admin: true
  - key: the-key-of-bob
    requestsPerMinute: 1
`;

const lineEnds = (text: string) => [...text.matchAll(/\n/g)].map(({ index }) => index + 1);

it('a file in blocks that is cut at any line lets nobody in', async () => {
  stage.write('live.yaml', block);
  const gateway = await stage.serve('live.yaml');
  // The file is watched a moment after the start.
  await wait(500);
  const url = `${gateway.url}${apis.chat.path}`;
  const statuses: number[] = [];
  for (const end of lineEnds(block)) {
    stage.write('live.yaml', block.slice(0, end));
    await wait(350);
    statuses.push((await post(url, { ...apis.chat.body, model: 'always' })).status);
    statuses.push((await fetch(`${gateway.url}/inspector/exchanges`)).status);
  }
  expect(new Set(statuses)).toEqual(new Set([401]));
  expect(gateway.stdout).toContain('restart the gateway');
  expect(await gateway.stop('SIGTERM')).toBe(0);
});

it('a file that is cut while it is written changes nothing, nor does any part of one with an end mark', async () => {
  const marked = `${block}...\n`;
  stage.write('live.yaml', marked);
  const gateway = await stage.serve('live.yaml');
  // The file is watched a moment after the start.
  await wait(500);
  for (const end of lineEnds(marked).slice(0, -1)) {
    stage.write('live.yaml', marked.slice(0, end));
    await wait(250);
    stage.write('live.yaml', marked.slice(0, end + 2));
    await wait(50);
  }
  const url = `${gateway.url}${apis.chat.path}`;
  const ask = async () => (await post(url, { ...apis.chat.body, model: 'always' }, 'the-key-of-bob')).status;
  expect([await ask(), await ask()]).toEqual([200, 429]);
  expect(gateway.stdout).not.toContain('was read again');
  expect(await gateway.stop('SIGTERM')).toBe(0);
});
