// Try, as a person uses it.

import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { soon } from './soon.js';
import type { WatchedPage } from './watched-page.js';

export async function walkTry(watched: WatchedPage): Promise<void> {
  const { page } = watched;
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Try' }).click();
  const model = page.getByRole('combobox', { name: 'Model' });
  await model.selectOption('demo/hermes');
  await soon(() => page.getByRole('status').first().textContent()).not.toBe('');
  await watched.examine('try first');
  await breakTools(page);
  await ask(page);
  await seeExampleResults(page);
  await watched.examine('try calls');
  await stop(page);
  await goOn(page, watched.look.width > 600);
  await watched.examine('try answer');
  await openInRead(page);
  await reload(page);
  await askAgain(page);
  await askTwo(watched);
}

const round = (page: Page, number: number) =>
  page.getByRole('article', { name: new RegExp(`^Round ${number}`) });

async function breakTools(page: Page): Promise<void> {
  const tools = page.getByRole('textbox', { name: 'Tools as JSON' });
  await tools.fill('[{]');
  await soon(() => tools.getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByRole('button', { name: 'Send' }).getAttribute('aria-disabled')).toBe('true');
  await page.getByRole('button', { name: 'Example' }).click();
  await soon(() => tools.getAttribute('aria-invalid')).toBe('false');
}

async function ask(page: Page): Promise<void> {
  const question = page.getByRole('textbox', { name: 'Question', exact: true });
  await question.fill('What is the weather in Beijing and in Paris?');
  await question.press('Control+Enter');
  const first = round(page, 1);
  await soon(() => page.getByText(/^The model calls 2 tools/).count()).toBe(1);
  await soon(() => first.getByRole('textbox', { name: 'Raw text, try 1' }).textContent()).toContain(
    '<tool_call>',
  );
  await soon(() => first.locator('.read-as.call-name').allTextContents()).toEqual([
    'get_weather',
    'get_weather',
  ]);
  const answer = await first.locator('.answer').textContent();
  expect(answer).toContain('Beijing');
  expect(answer).toContain('Paris');
}

/** The example tools ran in the page, each for the city it was asked about. */
async function seeExampleResults(page: Page): Promise<void> {
  const result = (number: number) =>
    page.getByRole('textbox', { name: new RegExp(`^Result of call ${number}`) }).inputValue();
  await soon(() => result(1)).toMatch(/^Beijing: .* degrees Celsius$/);
  await soon(() => result(2)).toMatch(/^Paris: .* degrees Celsius$/);
}

/** In the middle of an answer that would take long: the model repeats what it is told, piece by piece. */
async function stop(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: /^Result of call 1/ }).fill('hail and thunder, '.repeat(1000));
  await page.getByRole('textbox', { name: /^Result of call 2/ }).press('Tab');
  await page.keyboard.press('Enter');
  await soon(() => round(page, 2).locator('.answer').textContent()).toContain('hail');
  await page.getByRole('button', { name: 'Stop' }).press('Enter');
  await soon(() => page.getByText(/^Stopped\. .* wait for their results again\.$/).count()).toBe(1);
  await soon(() => page.getByRole('button', { name: 'Stop' }).count()).toBe(0);
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
  const before = page.getByRole('textbox', { name: /^Result of call 1/ });
  await soon(() => before.inputValue()).toContain('hail and thunder, hail and thunder');
}

async function goOn(page: Page, isWide: boolean): Promise<void> {
  await page.getByRole('textbox', { name: /^Result of call 1/ }).fill('hail and thunder');
  await page.getByRole('textbox', { name: /^Result of call 2/ }).press('Tab');
  await page.keyboard.press('Enter');
  await soon(() => page.getByText('The answer is complete.').count()).toBe(1);
  await soon(() => round(page, 3).locator('.answer').textContent()).toContain('hail and thunder');
  if (isWide) await soon(() => isCovered(page, 3)).toBe(false);
}

/** Whether the field for the next question is over the answer. */
async function isCovered(page: Page, number: number): Promise<boolean> {
  const answer = await round(page, number).locator('.round-end').boundingBox();
  const field = await page.locator('.composer').boundingBox();
  return !answer || !field || answer.y + answer.height > field.y;
}

/** After a reload the rounds are there, with their raw text. */
async function reload(page: Page): Promise<void> {
  await soon(() => page.url()).toContain('#try=');
  await page.waitForTimeout(400);
  await page.reload();
  await soon(() => page.getByRole('article').count()).toBe(2);
  await soon(() => round(page, 1).locator('.read-as.call-name').count()).toBe(2);
}

/** The last question again; and an earlier one, edited. */
async function askAgain(page: Page): Promise<void> {
  await round(page, 2).getByRole('button', { name: 'Ask again' }).click();
  await soon(() => page.getByText('The answer is complete.').count()).toBe(1);
  await round(page, 1).getByRole('button', { name: 'Edit the question' }).click();
  await soon(() => page.getByRole('article').count()).toBe(0);
  const question = page.getByRole('textbox', { name: 'Question', exact: true });
  expect(await question.inputValue()).toContain('Beijing and in Paris');
}

/** One question to two models. */
async function askTwo(watched: WatchedPage): Promise<void> {
  const { page } = watched;
  await page.getByRole('combobox', { name: '+ ask others too' }).selectOption('demo/glm-4.7');
  await page.getByRole('button', { name: 'Send' }).click();
  for (const name of ['demo/hermes', 'demo/glm-4.7'])
    await soon(() => page.getByRole('region', { name, exact: true }).locator('.answer-name').count()).toBe(2);
  await watched.examine('try two');
}

/** And back again: the conversation is still there. */
async function openInRead(page: Page): Promise<void> {
  await round(page, 1).getByRole('button', { name: 'Open in Read' }).click();
  const calls = page.getByRole('tabpanel', { name: /^Calls/ });
  await soon(() => calls.locator('.call-head .name').allTextContents()).toEqual([
    'get_weather',
    'get_weather',
  ]);
  expect(await page.getByRole('combobox', { name: 'Dialect' }).inputValue()).toBe('hermes');
  await page.goBack();
  await soon(() => round(page, 3).count()).toBe(1);
}
