// What a link carries: the same address in another tab shows the same.

import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { askModel } from './inspect-walk.js';
import { soon } from './soon.js';
import type { WatchedPage } from './watched-page.js';

/** What is seen of a view. */
type Seen = (page: Page) => Promise<unknown>;

interface Visit {
  prepare(page: Page): Promise<void>;
  seen: Seen;
}

const go = (page: Page, title: string) =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: title }).click();
const fieldValue = (page: Page, role: 'combobox' | 'textbox', name: string | RegExp) =>
  page.getByRole(role, { name }).inputValue();

export const visits: Record<string, Visit> = {
  Read: {
    async prepare(page) {
      await page
        .getByRole('combobox', { name: 'Example' })
        .selectOption({ label: 'Cut off inside a call (glm-4.5)' });
      await page.locator('.menu > summary', { hasText: 'More' }).click();
      await page.getByRole('checkbox', { name: 'It begins inside reasoning' }).check();
      await page.keyboard.press('Escape');
      await page.getByRole('combobox', { name: 'Dialect' }).selectOption('glm-4.7');
      await page.locator('.menu > summary', { hasText: 'Tools' }).click();
      await page.getByRole('textbox', { name: 'Tools as JSON' }).fill('[{"name": "look"}]');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Step back' }).click();
      await page.getByRole('button', { name: 'Step back' }).click();
      await soon(() => page.locator('.place .unseen').textContent()).toMatch(/^\d+ of/);
    },
    async seen(page) {
      return {
        text: await page.getByRole('textbox', { name: 'What the model wrote' }).textContent(),
        dialect: await fieldValue(page, 'combobox', 'Dialect'),
        thinking: await page.locator('.menu input[type=checkbox]').isChecked(),
        tools: await page.locator('.tools-status').textContent(),
        at: await page.locator('.place .unseen').textContent(),
        calls: await page.getByRole('tabpanel', { name: /^Calls/ }).textContent(),
      };
    },
  },
  Write: {
    async prepare(page) {
      await page.getByRole('combobox', { name: 'Dialect of column 2' }).selectOption('xnl');
      await page.getByRole('combobox', { name: 'Markers in outside text' }).selectOption('exact');
      await page.getByRole('button', { name: 'Add a column' }).click();
      await page.getByText('Drop in hostile text').click();
      await page.getByRole('button', { name: 'A new turn (DeepSeek)' }).click();
      await soon(() => page.locator('.write-verdict').count()).toBe(3);
    },
    async seen(page) {
      const facts = await page.locator('.write-facts p').allTextContents();
      const dialects = await page.getByRole('combobox', { name: /^Dialect of column/ }).all();
      return {
        dialects: await Promise.all(dialects.map((one) => one.inputValue())),
        // Without the button that counts what was looked at.
        facts: facts.map((text) => text.replace(/Show next.*/, '')),
        policy: await fieldValue(page, 'combobox', 'Markers in outside text'),
        tools: await page.locator('.tools-text .cm-content').textContent(),
        messages: await page.locator('.write-fold').allTextContents(),
      };
    },
  },
  Try: {
    async prepare(page) {
      await page.getByRole('combobox', { name: 'Model' }).selectOption('demo/xnl');
      await page.getByRole('textbox', { name: 'Question', exact: true }).fill('Is it cold in Oslo?');
      await page.getByRole('textbox', { name: 'System text' }).fill('Be brief.');
      await page.getByRole('button', { name: 'Clear' }).click();
    },
    async seen(page) {
      return {
        model: await fieldValue(page, 'combobox', 'Model'),
        question: await page.getByRole('textbox', { name: 'Question', exact: true }).inputValue(),
        system: await fieldValue(page, 'textbox', 'System text'),
        tools: await page.locator('.tools-text .cm-content').textContent(),
      };
    },
  },
  Inspect: {
    async prepare(page) {
      await askModel(new URL('/', page.url()).href, 'demo/xnl');
      await page.getByRole('combobox', { name: 'Model' }).selectOption('demo/xnl');
      await page.getByRole('list', { name: 'Exchanges' }).getByRole('button').first().click();
      await page.getByRole('checkbox', { name: 'Only with issues' }).check();
    },
    async seen(page) {
      return {
        model: await fieldValue(page, 'combobox', 'Model'),
        issues: await page.getByRole('checkbox', { name: 'Only with issues' }).isChecked(),
        search: await page.getByRole('searchbox').inputValue(),
        exchange: await page.getByRole('heading', { name: /^Exchange/ }).textContent(),
      };
    },
  },
};

export async function followLink(
  watched: WatchedPage,
  title: string,
  { prepare, seen }: Visit,
): Promise<void> {
  const { page } = watched;
  await go(page, title);
  const first = page.url();
  await prepare(page);
  await soon(() => page.url()).not.toBe(first);
  // The link is written when nothing has changed for a moment.
  let last = '';
  await soon(async () => {
    const now = JSON.stringify([page.url(), await seen(page)]);
    const rests = now === last;
    last = now;
    if (!rests) await page.waitForTimeout(400);
    return rests;
  }).toBe(true);
  expect(page.url()).toContain(`#${title.toLowerCase()}=`);
  const other = await watched.again();
  const expected = await seen(page);
  await soon(() => seen(other.page)).toEqual(expected);
  expect(other.complaints).toEqual([]);
}
