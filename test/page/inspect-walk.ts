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
  await goesOn(watched);
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

const list = (page: Page) => page.getByRole('list', { name: 'Exchanges' });
const names = (page: Page) => list(page).getByRole('button').locator('b').allTextContents();
const exchange = (page: Page) => page.getByRole('region', { name: /^Exchange/ });
const tab = (page: Page, name: RegExp) => exchange(page).getByRole('tab', { name });

async function filter(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Model' }).selectOption('demo/xnl');
  await soon(async () => new Set(await names(page))).toEqual(new Set(['demo/xnl']));
  await page.getByRole('checkbox', { name: 'Only with issues' }).check();
  await soon(() => page.getByText('None of them passes the filters.').count()).toBe(1);
  await page.getByRole('checkbox', { name: 'Only with issues' }).uncheck();
  await page.getByRole('combobox', { name: 'Model' }).selectOption('');
  await page.getByRole('searchbox').fill('GLM');
  await soon(async () => new Set(await names(page))).toEqual(new Set(['demo/glm-4.7']));
  await page.getByRole('searchbox').fill('');
  await page.getByRole('button', { name: 'Pause' }).click();
  await soon(() => page.getByText(/Paused\.$/).count()).toBe(1);
  await page.getByRole('button', { name: 'Resume' }).click();
  await soon(() => page.getByText(/New ones appear by themselves\.$/).count()).toBe(1);
}

async function openFirst(page: Page): Promise<void> {
  await list(page).getByRole('button').first().press('Enter');
  await soon(() => exchange(page).getByRole('textbox', { name: 'Raw text' }).textContent()).toContain(
    'get_weather',
  );
  const fall = exchange(page).getByRole('list', { name: 'Where the time went' });
  await soon(() => fall.textContent()).toMatch(/Waiting for the model.*get_weather.*Answer sent/);
  await tab(page, /^Request/).click();
  await unfold(exchange(page).getByRole('tabpanel'), '"What is the weather in Oslo?"');
  await tab(page, /^Prompt/).click();
  await soon(() => exchange(page).getByRole('tabpanel').getByRole('textbox').count()).toBeGreaterThan(0);
  await tab(page, /^Events/).click();
  await soon(() => exchange(page).locator('.time-line li').count()).toBeGreaterThan(3);
  await tab(page, /^Answer/).click();
  await soon(() => exchange(page).locator('.answer').textContent()).toContain('Oslo');
  await exchange(page).getByRole('button', { name: 'Next exchange' }).click();
  await soon(() => exchange(page).locator('.facts').textContent()).toContain('demo/glm-4.7');
  await exchange(page).getByRole('button', { name: 'Previous exchange' }).click();
  await soon(() => exchange(page).locator('.facts').textContent()).toContain('demo/xnl');
  await tab(page, /^Raw text/).click();
}

/** Opens what is folded, from the top, until the text is seen. */
async function unfold(place: Locator, text: string): Promise<void> {
  const folded = place.locator('[aria-expanded=false] > .row');
  while ((await place.locator('.value', { hasText: text }).count()) === 0) await folded.first().click();
}

/** A new exchange does not take away the one that is open; as a command it is the request that was sent. */
async function goesOn(watched: WatchedPage): Promise<void> {
  const { page, url } = watched;
  const id = await exchange(page)
    .getByRole('heading', { name: /^Exchange/ })
    .textContent();
  await askModel(url, 'demo/hermes');
  await soon(() => page.locator('.exchange-rows li').count()).toBe(3);
  expect(
    await exchange(page)
      .getByRole('heading', { name: /^Exchange/ })
      .textContent(),
  ).toBe(id);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await exchange(page).getByRole('button', { name: 'Copy as curl' }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await soon(copied).toContain(`curl ${url}v1/chat/completions`);
  expect(await copied()).toContain('What is the weather in Oslo?');
}

async function openInRead(page: Page): Promise<void> {
  await exchange(page).getByRole('button', { name: 'Open in Read' }).click();
  const calls = page.getByRole('tabpanel', { name: /^Calls/ });
  await soon(() => calls.locator('.call-head .name').allTextContents()).toEqual(['get_weather']);
  expect(await page.getByRole('combobox', { name: 'Dialect' }).inputValue()).toBe('xnl');
  await page.goBack();
  await soon(() => page.locator('.exchange-rows [aria-pressed=true]').count()).toBe(1);
}

/** Who closes it goes on in the list. */
async function close(page: Page): Promise<void> {
  await exchange(page).getByRole('button', { name: 'Close' }).press('Enter');
  await soon(() => exchange(page).count()).toBe(0);
  const focused = () => page.evaluate(() => document.activeElement?.querySelector('b')?.textContent);
  await soon(focused).toBe('demo/xnl');
}

/** An empty list teaches, and a sample fills it. */
export async function sendSample({ page }: WatchedPage): Promise<void> {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Inspect' }).click();
  await soon(() => page.getByText(/^Nothing has gone through yet/).count()).toBe(1);
  await page.getByRole('button', { name: 'Send a sample' }).click();
  await soon(() => names(page)).toEqual(['demo']);
  // Opened while it is being written, it grows to its end.
  await page.getByRole('list', { name: 'Exchanges' }).getByRole('button').first().click();
  await soon(() => page.getByRole('textbox', { name: 'Raw text' }).textContent()).toMatch(
    /^<tools>.*<\/tools>$/,
  );
}
