// Views are found again as they were left, by their tab and by going back.

import { expect } from 'vitest';
import { soon } from './soon.js';
import type { WatchedPage } from './watched-page.js';

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
}
