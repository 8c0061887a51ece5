// How long people wait for the page: until it is there, and while it reads a megabyte. A busy machine makes all of it
// longer, also what is measured by processor time: so no other test runs beside it, and the best of some attempts counts.

import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { smallTokenizer } from '../../packages/playground/src/views/write/tokenizer.fixture.js';
import {
  copy,
  feelPulse,
  longOutputs,
  longTasks,
  paste,
  searchLongText,
  timeToRank,
  timeToShowWork,
  useWhileReading,
  waitUntilRead,
} from './long-output.js';
import { desk } from './looks.js';
import { findChromium, Stage, screenshots } from './stage.js';

const ATTEMPTS = 5;
const MOST = 1000;
/** Milliseconds that a key may wait. */
const LONGEST_TASK = 50;
/** Milliseconds until a person sees that the page works on what was pasted. */
const SHOWN = 100;
/** Milliseconds to guess a dialect. */
const GUESSED = 1000;

const chromium = await findChromium();

/** As large as those of current models. */
function largeTokenizer(): string {
  const { model } = smallTokenizer;
  const words = Array.from({ length: 300_000 }, (_, at) => [`a word of the vocabulary ${at}`, at + 10]);
  const vocab = { ...model.vocab, ...Object.fromEntries(words) };
  return JSON.stringify({ ...smallTokenizer, model: { ...model, vocab } });
}

const isCounted = () => document.querySelector('.write-facts')?.textContent?.includes('by the tokenizer');

describe.skipIf(!chromium)('the page', () => {
  let stage: Stage;
  beforeAll(async () => {
    mkdirSync(screenshots, { recursive: true });
    stage = await Stage.open(chromium as string);
  });
  afterAll(() => stage?.close());

  it('shows its first calls within a second', async () => {
    const times: number[] = [];
    while (times.length < ATTEMPTS && !times.some((time) => time < MOST)) {
      // Nothing of it is known to the browser.
      const watched = await stage.page(desk);
      await watched.firstCall().waitFor();
      times.push(await watched.page.evaluate(() => Math.round(performance.now())));
      await watched.close();
    }
    console.log(`The page, from nothing to the first calls: ${times.join(', ')} ms`);
    expect(Math.min(...times)).toBeLessThan(MOST);
  });

  it.for(Object.entries(longOutputs))(
    'answers within 50 ms while it reads a megabyte: %s',
    async ([name, { text, calls }]) => {
      expect(text.length).toBeGreaterThan(1024 * 1024);
      const longest: number[] = [];
      while (longest.length < ATTEMPTS && !longest.some((time) => time <= LONGEST_TASK))
        longest.push(await longestTask(name, text, calls));
      expect(Math.min(...longest)).toBeLessThanOrEqual(LONGEST_TASK);
    },
  );

  it.for(Object.entries(longOutputs))(
    'shows within 100 ms that it reads a megabyte, and guesses its dialect within a second: %s',
    async ([name, { text, calls }]) => {
      const times: { shown: number; guessed: number }[] = [];
      const isQuick = ({ shown, guessed }: { shown: number; guessed: number }) =>
        shown < SHOWN && guessed < GUESSED;
      while (times.length < ATTEMPTS && !times.some(isQuick)) {
        const watched = await stage.page(desk);
        await watched.firstCall().waitFor();
        const { shown, guessed } = await timesOf(watched.page, text, calls);
        expect(watched.complaints).toEqual([]);
        await watched.close();
        times.push({ shown, guessed });
      }
      console.log(`A megabyte in Read, ${name}: ${JSON.stringify(times)} ms`);
      expect(times.filter(isQuick)).toHaveLength(1);
    },
  );

  it('answers within 50 ms while it loads a tokenizer of many megabytes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dragoman-tokenizer-'));
    const file = join(folder, 'tokenizer.json');
    writeFileSync(file, largeTokenizer());
    expect(statSync(file).size).toBeGreaterThan(10 * 1024 * 1024);
    const longest: number[] = [];
    while (longest.length < ATTEMPTS && !longest.some((time) => time <= LONGEST_TASK)) {
      const watched = await stage.page(desk, `${stage.url}#write`);
      const { page } = watched;
      await page.locator('.write-verdict').last().waitFor();
      const tasks = await longTasks(page, async () => {
        await feelPulse(page);
        await page.locator('.write-tokens input').setInputFiles(file);
        await page.waitForFunction(isCounted);
      });
      expect(watched.complaints).toEqual([]);
      console.log(`A tokenizer in Write: tasks over 50 ms: ${JSON.stringify(tasks)}`);
      longest.push(Math.max(0, ...tasks));
      await watched.close();
    }
    rmSync(folder, { recursive: true });
    expect(Math.min(...longest)).toBeLessThanOrEqual(LONGEST_TASK);
  });

  /** Gives the best time until work is shown of some pastes, and that of guessing. */
  async function timesOf(page: Page, text: string, calls: number) {
    const shown: number[] = [];
    while (shown.length < ATTEMPTS && !shown.some((time) => time < SHOWN)) {
      // Another text each time: what is there already is not read again.
      await copy(page, text + '\n'.repeat(shown.length));
      shown.push(Math.round(await timeToShowWork(page)));
      await waitUntilRead(page, calls);
    }
    return { shown: Math.min(...shown), guessed: Math.round(await timeToRank(page)) };
  }

  /** Gives the longest task of the page while it reads a text and is used. */
  async function longestTask(name: string, text: string, calls: number): Promise<number> {
    const watched = await stage.page(desk);
    const { page } = watched;
    await watched.firstCall().waitFor();
    await copy(page, text);
    const tasks = await longTasks(page, async () => {
      await feelPulse(page);
      await paste(page);
      await useWhileReading(page, calls);
      await searchLongText(page);
    });
    const { frames, late } = await page.evaluate(() => window.pulse);
    expect(frames).toBeGreaterThan(30);
    expect(watched.complaints).toEqual([]);
    await watched.shoot(`read ${name}`, false);
    console.log(
      `A megabyte in Read, ${name}: tasks over 50 ms: ${JSON.stringify(tasks)}, late frames: ${JSON.stringify(late)}`,
    );
    await watched.close();
    return Math.max(0, ...tasks);
  }
});
