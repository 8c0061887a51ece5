// A large configuration that is read again is checked in a thread: nobody waits for it.

import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { oneOf } from '../effort.js';

/** Milliseconds of processor time. */
const LONGEST_WAIT = 50;
/** How often the file is written again: a pause that is its fault comes every time. */
const TRIES = 6;

const folder = mkdtempSync(join(tmpdir(), 'dragoman-reload-'));
const path = join(folder, 'dragoman.config.yaml');
const running: ChildProcess[] = [];
afterAll(() => {
  for (const child of running) child.kill();
  rmSync(folder, { recursive: true });
});

/** Of half the values that a file may have: what is left for the main thread grows with them. */
function many(round: number): string {
  const models = Array.from({ length: 10_000 }, (_, at) => `model-${round}-${'x'.repeat(24)}-${at}`);
  return `upstream: demo\nmodels:\n${models.map((name) => `  - ${name}\n`).join('')}`;
}

/** Of fewer models with members. */
function wide(round: number): string {
  const models = Array.from(
    { length: 3900 },
    (_, at) => `  m${round}-${at}: { dialect: hermes, aliases: [a${round}-${at}, b${round}-${at}] }\n`,
  );
  return `upstream: demo\nmodels:\n${models.join('')}`;
}

const shapes: [name: string, text: (round: number) => string][] = [
  ['10,000 models', many],
  ['3,900 models with options', wide],
];

interface Report {
  url: string;
  stretch: number;
  reloads: number;
}

describe.skipIf(process.platform !== 'linux')('a large configuration, read again', () => {
  it.each(oneOf(2, shapes))('%s: nobody waits for it', async (name, text) => {
    writeFileSync(path, text(0));
    const script = fileURLToPath(new URL('./probed-gateway.mjs', import.meta.url));
    const gateway = fork(script, ['http://127.0.0.1:9/v1', 'chat']);
    running.push(gateway);
    const heard = () => new Promise<Report>((hear) => gateway.once('message', hear as () => void));
    const { url } = await heard();
    const tell = (word: string | object) => {
      const answer = heard();
      gateway.send(word);
      return answer;
    };
    // The second thread, which gets the configuration, too.
    const content = 'x'.repeat(600_000);
    await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
    }).then((response) => response.text());
    await tell({ watch: path });
    await wait(300);
    let least = Number.POSITIVE_INFINITY;
    for (let round = 1; round <= TRIES && least > LONGEST_WAIT; round++) {
      await tell('reset');
      writeFileSync(path, text(round));
      let report = await tell('report');
      while (report.reloads < round) {
        await wait(20);
        report = await tell('report');
      }
      await wait(200);
      // The first one compiles what is run.
      if (round > 1) least = Math.min(least, (await tell('report')).stretch);
    }
    if (process.env.DRAGOMAN_TELL) console.log(`${name}: ${least.toFixed(0)} ms`);
    expect(least).toBeLessThanOrEqual(LONGEST_WAIT);
  });
});
