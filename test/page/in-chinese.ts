// Every view in Chinese, with something in it.

import type { Page } from 'playwright-core';
import { soon } from './soon.js';
import type { WatchedPage } from './watched-page.js';

const views: Record<string, (page: Page) => Promise<void>> = {
  解读: async (page) => {
    await page.locator('.call').first().waitFor();
  },
  书写: async (page) => {
    await soon(() => page.locator('.write-verdict').count()).toBe(2);
  },
  试用: async (page) => {
    await page.getByRole('combobox', { name: '模型', exact: true }).selectOption('demo/hermes');
    await page.locator('.composer button.main').click();
    await page.locator('.call-results').waitFor();
  },
  检查: async (page) => {
    await page.locator('.exchange-rows button').first().click();
    await page.locator('.waterfall').waitFor();
  },
  验证: async (page) => {
    await page.locator('.bar').waitFor();
  },
};

/** axe looks at each view, in all colours. */
export async function walkInChinese(watched: WatchedPage): Promise<void> {
  const { page } = watched;
  await page.getByRole('combobox', { name: 'Language' }).selectOption('zh');
  await soon(() => page.evaluate(() => document.documentElement.lang)).toBe('zh-CN');
  for (const [name, fill] of Object.entries(views)) {
    await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
    await soon(() => page.locator('[aria-current=page]').textContent()).toBe(name);
    await fill(page);
    await watched.examine(`chinese ${name}`);
  }
}
