// The pages that `dragoman verify --html` and `dragoman score --html` write, in a real Chromium: they ask for nothing,
// run nothing, and can be read.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ReportData, VerdictCounts } from '@dragoman/convert';
import { compareEndpoint, drawSuite, htmlReport } from '@dragoman/verify';
import type { AxeResults } from 'axe-core';
import { type Browser, chromium as playwright } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scorePage } from '../../packages/cli/src/score/score-page.js';
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

/** Of a large evaluation, with a dialect of one's own, whose name is long. */
function scoredReport(): ReportData {
  const counts: VerdictCounts = {
    ...{ outputs: 1_200_000, right: 1_072_500, repaired: 120_000 },
    ...{ model: 27_000, parser: 500, unscored: 100_000 },
  };
  const dialects = { 'deepseek-v3.1': counts, [`my-own-dialect-${'x'.repeat(60)}`]: counts };
  const score = {
    ...{ ...counts, dialects, errors: { model: { arguments: 27_000 }, parser: { leak: 500 } } },
    ...{
      by: { engine: 500, dragoman: 0 },
      readsAs: {},
      reader: { right: 0, of: 0 },
      reasons: {},
      examples: [],
    },
  };
  return { rows: 1_200_000, badRows: 0, calls: 0, repairs: {}, issues: {}, losses: {}, score };
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

  it.each([1280, 960, 800, 600, 390])('shows whole tables of scores at a width of %i', async (width) => {
    const scores = join(folder, 'scores.html');
    writeFileSync(scores, scorePage(scoredReport(), ['results/bfcl.json']));
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    await page.goto(pathToFileURL(scores).href);
    const hidden = page
      .locator('.scroll')
      .evaluateAll((tables) => tables.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
    expect(await hidden).toEqual([0, 0]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    expect(await page.getByRole('cell', { name: '97.5 %' }).count()).toBe(3);
    await page.close();
  });
});
