// A large configuration that is read again is checked in a thread: nobody waits for it.

import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { oneOf } from '../effort.js';

/** Milliseconds of processor time. */
const LONGEST_WAIT = 50;
/** How often the file is written again: a pause that is its fault comes every time. */
const TRIES = 6;

const folder = mkdtempSync(join(tmpdir(), 'dragoman-reload-'));
const path = join(folder, 'dragoman.config.yaml');
const running: ChildProcess[] = [];
// One that goes on would read the files of the next.
afterEach(() => {
  for (const child of running.splice(0)) child.kill();
});
afterAll(() => rmSync(folder, { recursive: true }));

const list = (count: number, item: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => `${item(at)}\n`).join('');
/** The same length in each round, so that no file is longer than it may be. */
const word = (round: number, at: number) => `${round}-${'x'.repeat(14)}-${at}`;

interface Written {
  text: string;
  /** What only this round has. */
  model?: string;
  key?: string;
}

/** As many as a file may hold: what is left for the main thread grows with them. */
const shapes: Record<string, (round: number) => Written> = {
  '19,000 models': (round) => ({
    text: `upstream: demo\nmodels:\n${list(19_000, (at) => `  - model-${word(round, at)}`)}`,
    model: `model-${word(round, 18_999)}`,
  }),
  '19,000 keys': (round) => ({
    text: `upstream: demo\nkeys:\n${list(19_000, (at) => `  - key-${word(round, at)}`)}`,
    key: `key-${word(round, 18_999)}`,
  }),
  '3,900 models with options': (round) => ({
    text: `upstream: demo\nmodels:\n${list(3900, (at) => `  m${round}-${at}: { dialect: hermes, aliases: [a${round}-${at}, b${round}-${at}] }`)}`,
    model: `b${round}-3899`,
  }),
  '6,000 keys with names': (round) => ({
    text: `upstream: demo\nkeys:\n${list(6000, (at) => `  - { key: key-${word(round, at)}, name: n${at} }`)}`,
    key: `key-${word(round, 5999)}`,
  }),
  '4,500 upstreams': (round) => ({
    text: `upstreams:\n  own: demo\n${list(4500, (at) => `  u${word(round, at)}: { url: "http://127.0.0.1:9/v1", key: key-${word(round, at)} }`)}models:\n  model-${round}: { upstream: own }\n`,
    model: `model-${round}`,
  }),
  '6,000 upstreams of one model': (round) => ({
    text: `upstreams:\n  own: demo\n${list(6000, (at) => `  u${word(round, at)}: "http://127.0.0.1:${at + 1000}/v1"`)}models:\n  model-${round}: { upstream: own }\n  all:\n    upstream:\n${list(6000, (at) => `      - u${word(round, at)}`)}`,
    model: `model-${round}`,
  }),
};

/** What the first round takes the place of: the rounds that count replace a large one. */
const SMALL: Written = { text: 'upstream: demo\n' };

interface Report {
  url: string;
  stretch: number;
}

/** Short, or long enough for the second thread. */
type Length = 'short' | 'long';

/** Asks as only a client of this round may. */
async function statusOf(url: string, { model = 'demo', key }: Written, length: Length): Promise<number> {
  const content = length === 'short' ? 'hi' : 'x'.repeat(600_000);
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const body = JSON.stringify({ model, messages: [{ role: 'user', content }] });
  const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body });
  await response.arrayBuffer();
  return response.status;
}

async function isUsed(url: string, written: Written): Promise<void> {
  while ((await statusOf(url, written, 'short')) !== 200) await wait(20);
}

describe.skipIf(process.platform !== 'linux')('a large configuration, read again', () => {
  it.each(oneOf(2, Object.entries(shapes)))('%s: nobody waits for it', async (name, shape) => {
    writeFileSync(path, SMALL.text);
    const script = fileURLToPath(new URL('./probed-gateway.mjs', import.meta.url));
    const gateway = fork(script, ['http://127.0.0.1:9/v1', 'chat', '{}', path]);
    running.push(gateway);
    const heard = () => new Promise<Report>((hear) => gateway.once('message', hear as () => void));
    const { url } = await heard();
    const tell = (word: string) => {
      const answer = heard();
      gateway.send(word);
      return answer;
    };
    // The second thread, which gets the configuration, too.
    expect(await statusOf(url, SMALL, 'long')).toBe(200);
    await wait(300);
    let least = Number.POSITIVE_INFINITY;
    for (let round = 1; round <= TRIES && least > LONGEST_WAIT; round++) {
      const written = shape(round);
      await tell('reset');
      writeFileSync(path, written.text);
      await isUsed(url, written);
      await wait(200);
      const { stretch } = await tell('report');
      // The first one compiles what is run.
      if (round > 1) least = Math.min(least, stretch);
      expect(await statusOf(url, written, 'long')).toBe(200);
    }
    if (process.env.DRAGOMAN_TELL) console.log(`${name}: ${least.toFixed(0)} ms`);
    expect(least).toBeLessThanOrEqual(LONGEST_WAIT);
  });
});
