// The tiny model in the page, in a real Chromium of the size of a phone: loaded by a click, it answers without a server.

import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { phone } from './looks.js';
import { soon } from './soon.js';
import { findChromium, Stage, screenshots } from './stage.js';
import type { WatchedPage } from './watched-page.js';

const chromium = await findChromium();

/** Milliseconds from the click that loads the model to its first call. */
const MOST = 10_000;

describe.skipIf(!chromium)('the tiny model in the page', () => {
  let stage: Stage;
  beforeAll(async () => {
    mkdirSync(screenshots, { recursive: true });
    stage = await Stage.open(chromium as string);
  });
  afterAll(() => stage?.close());

  it('calls a tool within ten seconds of a click, and asks no server for it', async () => {
    const watched = await stage.page(phone);
    const { page } = watched;
    const asked: string[] = [];
    await openTry(page);
    const offer = page.getByRole('region', { name: 'The tiny model' });
    // The size is told before anything is loaded.
    await soon(() => offer.getByRole('button').textContent()).toMatch(/^Load it \(\d\.\d MB\)$/);
    await watched.examine('tiny offered');
    await page.getByRole('textbox', { name: 'Question', exact: true }).fill('What is the weather in Oslo?');
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const start = Date.now();
    await offer.getByRole('button').click();
    await soon(() => model(page).inputValue()).toBe('browser/hermes');
    await page.getByRole('button', { name: 'Send' }).click();
    const name = page.getByRole('article', { name: /^Round 1/ }).locator('.answer-name');
    await soon(() => name.first().textContent()).toContain('get_weather');
    const time = Date.now() - start;
    console.log(`The first call of the tiny model, on a phone's page: ${time} ms after the click`);
    expect(time).toBeLessThan(MOST);
    await soon(() => page.getByText(/^The model calls a tool/).count()).toBe(1);
    expect(asked.filter((path) => !path.startsWith('/assets/'))).toEqual(['/tiny.gguf']);
    await watched.examine('tiny call');
    await seeRawText(page);
    await callInAnotherDialect(page);
    await stopAnAnswer(page);
    await close(watched);
  });
});

const model = (page: Page) => page.getByRole('combobox', { name: 'Model' });

async function openTry(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Try' }).click();
}

async function seeRawText(page: Page): Promise<void> {
  const raw = page.getByRole('textbox', { name: 'Raw text, try 1' });
  await soon(() => raw.first().textContent()).toContain('<tool_call>');
  await page.getByRole('textbox', { name: /^Result of call 1/ }).fill('sunny and warm');
  await page.getByRole('button', { name: /^Go on/ }).click();
  await soon(() => page.getByText('The answer is complete.').count()).toBe(1);
}

async function callInAnotherDialect(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start over' }).click();
  await model(page).selectOption('browser/alkaid');
  await page.getByRole('textbox', { name: 'Question', exact: true }).fill('What is the weather in Rome?');
  await page.getByRole('button', { name: 'Send' }).click();
  await soon(() => page.getByText(/^The model calls a tool/).count()).toBe(1);
  const answer = page.getByRole('article', { name: /^Round 1/ });
  expect(await answer.locator('.answer-name').allTextContents()).toEqual(['get_weather']);
  expect(await answer.locator('.answer').textContent()).toContain('Rome');
  const raw = await page.getByRole('textbox', { name: 'Raw text, try 1' }).first().textContent();
  expect(raw).not.toContain('<tool_call>');
}

/** While it reads a long question: a short one might be answered before the button is reached. */
async function stopAnAnswer(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start over' }).click();
  const question = page.getByRole('textbox', { name: 'Question', exact: true });
  await question.fill('What is the weather in Rome? '.repeat(100));
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('button', { name: 'Stop' }).press('Enter');
  await soon(() => page.getByText(/^Stopped\. /).count()).toBe(1);
  await soon(() => page.getByRole('button', { name: 'Stop' }).count()).toBe(0);
  // It answers the next question.
  await page.getByRole('button', { name: 'Start over' }).click();
  await question.fill('What is the weather in Oslo?');
  await page.getByRole('button', { name: 'Send' }).click();
  await soon(() => page.getByText(/^The model calls a tool/).count()).toBe(1);
}

async function close(watched: WatchedPage): Promise<void> {
  expect(await watched.breaches()).toEqual([]);
  expect(watched.complaints).toEqual([]);
  await watched.close();
}
