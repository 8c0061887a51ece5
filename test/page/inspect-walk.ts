// Inspect, as a person uses it.

import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { soon } from './soon.js';
import type { WatchedPage } from './watched-page.js';

export async function walkInspect(watched: WatchedPage): Promise<void> {
  const { page, url } = watched;
  await askModel(url, 'demo/glm-4.7');
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Inspect' }).click();
  await soon(() => names(page)).toContain('demo/glm-4.7');
  const before = await names(page);
  await askModel(url, 'demo/xnl');
  await soon(() => names(page)).toEqual(['demo/xnl', ...before].slice(0, 50));
  await watched.examine('inspect list');
  await filter(page);
  await openFirst(page);
  await watched.examine('inspect exchange');
  await openInRead(page);
  await close(page);
}

export async function askModel(url: string, model: string): Promise<void> {
  const response = await fetch(`${url}v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      messages: [{ role: 'user', content: 'What is the weather in Oslo?' }],
      tools: [
        {
          type: 'function',
          function: {
            name: 'get_weather',
            parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
          },
        },
      ],
    }),
  });
  expect(await response.text()).toContain('get_weather');
}

const table = (page: Page) => page.getByRole('table', { name: 'Exchanges' });
const names = (page: Page) => table(page).getByRole('button').allTextContents();
const exchange = (page: Page) => page.getByRole('region', { name: /^Exchange/ });

async function filter(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Model' }).selectOption('demo/xnl');
  await soon(async () => new Set(await names(page))).toEqual(new Set(['demo/xnl']));
  await page.getByRole('checkbox', { name: 'Only with issues' }).check();
  await soon(() => names(page)).toEqual([]);
  await page.getByRole('checkbox', { name: 'Only with issues' }).uncheck();
  await page.getByRole('button', { name: 'Pause' }).click();
  await soon(() => page.getByText(/Paused\.$/).count()).toBe(1);
  await page.getByRole('button', { name: 'Resume' }).click();
  await soon(() => page.getByText(/New ones appear by themselves\.$/).count()).toBe(1);
}

async function openFirst(page: Page): Promise<void> {
  await table(page).getByRole('button').first().press('Enter');
  const heading = exchange(page).getByRole('heading', { name: /^Exchange/ });
  await soon(() => heading.evaluate((one) => one === document.activeElement)).toBe(true);
  for (const title of ['Request', 'Prompt', 'Raw text', 'Time line', 'Answer'])
    await soon(() => exchange(page).getByRole('heading', { name: title, exact: true }).count()).toBe(1);
  await exchange(page).getByRole('heading', { name: 'Request', exact: true }).click();
  await unfold(exchange(page).locator('.fold').first(), '"What is the weather in Oslo?"');
  await exchange(page).getByRole('heading', { name: 'Prompt', exact: true }).click();
  await soon(() => exchange(page).getByRole('textbox').count()).toBeGreaterThan(1);
  await soon(() => exchange(page).getByRole('textbox', { name: 'Raw text' }).textContent()).toContain(
    'get_weather',
  );
  expect(await exchange(page).locator('.time-line li').count()).toBeGreaterThan(3);
  await soon(() => exchange(page).locator('.answer').textContent()).toContain('Oslo');
}

/** Opens what is folded, from the top, until the text is seen. */
async function unfold(place: Locator, text: string): Promise<void> {
  const folded = place.locator('[aria-expanded=false] > .row');
  while ((await place.locator('.value', { hasText: text }).count()) === 0) await folded.first().click();
}

async function openInRead(page: Page): Promise<void> {
  await exchange(page).getByRole('button', { name: 'Open in Read' }).click();
  const calls = page.getByRole('region', { name: /^Calls/ });
  await soon(() => calls.locator('.call-head .name').allTextContents()).toEqual(['get_weather']);
  expect(await page.getByRole('combobox', { name: 'Dialect' }).inputValue()).toBe('xnl');
  await page.goBack();
  await soon(() => table(page).getByRole('button', { pressed: true }).count()).toBe(1);
}

/** Who closes it goes on in the list. */
async function close(page: Page): Promise<void> {
  await exchange(page).getByRole('button', { name: 'Close' }).press('Enter');
  await soon(() => exchange(page).count()).toBe(0);
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await soon(focused).toBe('demo/xnl');
}
