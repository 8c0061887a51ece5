// Views are found again as they were left, by their tab and by going back.

import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { soon } from './soon.js';
import type { WatchedPage } from './watched-page.js';

/** More than a link can carry. */
const long = 'A long story. '.repeat(80_000);

async function keepLong(page: Page, tab: (name: string) => Locator): Promise<void> {
  await tab('Write').click();
  const field = () =>
    page
      .getByRole('region', { name: 'Conversation', exact: true })
      .getByRole('textbox', { name: /^Text/ })
      .first();
  await field().fill(long);
  await soon(() => page.getByText('too long for a link').count()).toBe(1);
  await tab('Try').click();
  await tab('Write').click();
  await soon(() => field().textContent()).toContain('A long story. A long story.');
  expect(await page.getByText('too long for a link').count()).toBe(1);
  await page.goBack();
  await page.goBack();
  await soon(() => field().textContent()).toContain('A long story. A long story.');
}

export async function comeBack({ page }: WatchedPage): Promise<void> {
  const tab = (name: string) => page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name });
  const output = page.getByRole('textbox', { name: 'What the model wrote' });
  await output.press('Control+a');
  await page.keyboard.insertText('My own words.');
  // At once, before the link was written.
  await tab('Try').click();
  const question = page.getByRole('textbox', { name: 'Question', exact: true });
  await question.fill('Is it cold in Oslo?');
  await tab('Read').click();
  await soon(() => output.textContent()).toBe('My own words.');
  await tab('Try').click();
  await soon(() => question.inputValue()).toBe('Is it cold in Oslo?');
  await page.goBack();
  await soon(() => output.textContent()).toBe('My own words.');
  await page.goBack();
  await soon(() => question.inputValue()).toBe('Is it cold in Oslo?');
  await page.goBack();
  await soon(() => output.textContent()).toBe('My own words.');
  expect(page.url()).toContain('#read=');
  await keepLong(page, tab);
}
