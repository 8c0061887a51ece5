// The page that `dragoman verify --html` writes, in a real Chromium: it asks for nothing, runs nothing, and can be read.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compareEndpoint, drawSuite, htmlReport } from '@dragoman/verify';
import type { AxeResults } from 'axe-core';
import { type Browser, chromium as playwright } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faults } from '../../packages/verify/src/faults/index.fixture.js';
import { faulty } from '../../packages/verify/src/stand-in.fixture.js';
import { findChromium } from './stage.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const chromium = await findChromium();
const folder = mkdtempSync(join(tmpdir(), 'dragoman-report-'));
const file = join(folder, 'report.html');

/** With faults of many kinds, a comparison, and names that would like to be markup. */
async function writeReport(): Promise<void> {
  const { events } = faults['calls are left in the text in qwen3-coder'] ?? {};
  const fetch = faulty({ ...faults['usage is missing'], ...(events && { events }) });
  const options = { url: 'http://demo.invalid/v1', model: 'demo', suite: drawSuite(12, 1), fetch };
  for await (const event of compareEndpoint(options)) {
    if (event.type !== 'report') continue;
    const { report } = event;
    report.endpoint.model = '<img src=x onerror=alert(1)> 模型';
    writeFileSync(file, htmlReport(report));
  }
}

describe.skipIf(!chromium)('the page of a report', () => {
  let browser: Browser;
  beforeAll(async () => {
    await writeReport();
    const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
    browser = await playwright.launch({ executablePath: chromium as string, args });
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['light', 1100],
    ['dark', 1100],
    ['light', 380],
  ] as const)('can be read in %s at a width of %i', async (colorScheme, width) => {
    // Only so that axe may run: the page itself has no script.
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`));
    const url = pathToFileURL(file).href;
    page.on('request', (request) => {
      if (request.url() !== url) complaints.push(`asks for ${request.url()}`);
    });
    await page.goto(url);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain(
      '<img src=x onerror=alert(1)>',
    );
    expect(await page.locator('img, script, iframe, link').count()).toBe(0);
    expect(await page.locator('section.check.fail .name').first().textContent()).toMatch(
      /^(echo|get_weather)$/,
    );
    for (const summary of await page.locator('summary').all()) await summary.click();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    // No letter is smaller than 11 pixels, also in the plots.
    const sizes = await page.evaluate(() =>
      [...document.querySelectorAll('svg text, .rates span')].map((one) => {
        const scale = one.closest('svg')?.getScreenCTM()?.a ?? 1;
        return Number.parseFloat(getComputedStyle(one).fontSize) * scale;
      }),
    );
    expect(sizes.length).toBeGreaterThan(20);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(11);
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() =>
      (window as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
    );
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('lets no script run, even if one were in it', async () => {
    const injected = join(folder, 'injected.html');
    writeFileSync(
      injected,
      readFileSync(file, 'utf8').replace('<main>', '<main><script>document.title = "run"</script>'),
    );
    const page = await browser.newPage();
    await page.goto(pathToFileURL(injected).href);
    expect(await page.title()).not.toBe('run');
    await page.close();
  });
});
