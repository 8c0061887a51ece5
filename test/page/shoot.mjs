// Makes the pictures of the page for the documentation: `npm run screenshots`, after a build. They are WebP, and small.

import { mkdirSync, writeFileSync } from 'node:fs';
import { configFromFlags, serve } from '@dragoman/gateway';
import { chromium } from 'playwright-core';
import { find } from '../debian.mjs';

const folder = new URL('../../docs/images/', import.meta.url);
const QUALITY = 70;

const executablePath = find('chromium-headless-shell') ?? find('chromium');
if (!executablePath) throw new Error('Chromium is not installed: apt install chromium');

const read = configFromFlags({ demo: true, port: 0, inspect: 50 });
if (!read.ok) throw new Error(JSON.stringify(read.problems));
const gateway = await serve(read.config, { write: () => {} });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });

const desk = { width: 1280, height: 800 };
const phone = { width: 390, height: 780 };

/** @typedef {import('playwright-core').Page} Page */

/**
 * @param {string} name
 * @param {{ size?: typeof desk, scheme?: 'light' | 'dark', view?: string, prepare?: (page: Page) => Promise<void> }} moment
 */
async function shoot(name, { size = desk, scheme = 'light', view = 'read', prepare = async () => {} } = {}) {
  const context = await browser.newContext({ viewport: size, colorScheme: scheme });
  const page = await context.newPage();
  await page.goto(`${gateway.url}/#${view}`);
  await prepare(page);
  await page.mouse.move(0, 0);
  await page.waitForTimeout(700);
  const client = await context.newCDPSession(page);
  const { data } = await client.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  const bytes = Buffer.from(data, 'base64');
  writeFileSync(new URL(`${name}.webp`, folder), bytes);
  console.log(`${name}.webp: ${Math.round(bytes.length / 1024)} KB`);
  await context.close();
}

/** @param {Page} page */
const readIt = (page) => page.locator('.call').first().waitFor();

/** @param {Page} page */
async function ask(page) {
  await page.getByRole('combobox', { name: 'Model' }).selectOption('demo/glm-4.7');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText(/^The model calls 2 tools/).waitFor();
}

/** @param {Page} page */
async function inspect(page) {
  for (let n = 0; n < 3; n++) {
    await page.getByRole('button', { name: 'Send a sample' }).click();
    await page.getByText('A sample is in the list.').waitFor();
  }
  await page.locator('.exchange-rows button').first().click();
  await page.locator('.waterfall').waitFor();
}

/** @param {Page} page */
async function verify(page) {
  await page.getByRole('combobox', { name: 'Model' }).selectOption('demo/hermes');
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await page.getByText(/^All \d+ probes are judged/).waitFor({ timeout: 120_000 });
}

mkdirSync(folder, { recursive: true });
try {
  await shoot('playground-read', { prepare: readIt });
  await shoot('playground-read-dark', { scheme: 'dark', prepare: readIt });
  await shoot('playground-phone', { size: phone, prepare: readIt });
  await shoot('playground-write', {
    view: 'write',
    prepare: (page) => page.locator('.write-verdict').last().waitFor(),
  });
  await shoot('playground-try', { view: 'try', prepare: ask });
  await shoot('playground-inspect', { view: 'inspect', prepare: inspect });
  await shoot('playground-verify', { view: 'verify', prepare: verify });
} finally {
  await browser.close();
  await gateway.close();
}
