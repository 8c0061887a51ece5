// Every view with something in it, in every width, in all colours, in a language.

import type { Page } from 'playwright-core';
import { oneOf } from '../effort.js';
import { soon } from './soon.js';
import type { WatchedPage } from './watched-page.js';

/** In the order of their tabs. */
const views: Record<string, (page: Page) => Promise<void>> = {
  read: async (page) => {
    await page.locator('.call').first().waitFor();
  },
  write: async (page) => {
    await soon(() => page.locator('.write-verdict').count()).toBe(2);
  },
  try: async (page) => {
    await page.getByRole('combobox', { name: /^(Model|模型)$/ }).selectOption('demo/hermes');
    await page.locator('.composer button.main').click();
    await page.locator('.call-results').waitFor();
  },
  inspect: async (page) => {
    await page.locator('.exchange-rows button').first().click();
    await page.locator('.waterfall').waitFor();
  },
  verify: async (page) => {
    await page.getByRole('combobox', { name: /^(Model|模型)$/ }).selectOption('demo/hermes');
    await page.locator('.verify-buttons button.main').click();
    await page.locator('.verify-checks tbody tr').first().waitFor();
    await page.locator('.verify-buttons button:not(.main)').click();
  },
};

const sizes = [
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
  { width: 390, height: 844 },
];

/** axe looks at each of them. */
export async function seeEveryLook(watched: WatchedPage, language: string): Promise<void> {
  const { page } = watched;
  await page.getByRole('combobox', { name: 'Language' }).selectOption(language);
  await soon(() => page.evaluate(() => document.documentElement.lang)).toMatch(language);
  for (const [name, fill] of Object.entries(views)) {
    await page.setViewportSize(sizes[0] as (typeof sizes)[number]);
    await page.getByRole('navigation').locator(`a[href="#${name}"]`).click();
    await soon(() => page.locator(`a[href="#${name}"][aria-current=page]`).count()).toBe(1);
    await fill(page);
    // Of the second language the plain run looks at one width.
    for (const size of language === 'en' ? sizes : oneOf(3, sizes)) {
      await page.setViewportSize(size);
      await watched.examine(`${name} ${language} ${size.width}`);
    }
  }
}
