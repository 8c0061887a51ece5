// Write, as a person uses it.

import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { smallTokenizer } from '../../packages/playground/src/views/write/tokenizer.fixture.js';
import { soon } from './soon.js';
import type { WatchedPage } from './watched-page.js';

export async function walkWrite(watched: WatchedPage): Promise<void> {
  const { page } = watched;
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Write' }).click();
  const columns = page.getByRole('region', { name: /^Column \d+:/ });
  await soon(() => columns.count()).toBe(2);
  await soon(() => verdicts(page)).toEqual([
    expect.stringMatching(/^Nothing/),
    expect.stringMatching(/^Nothing/),
  ]);
  await watched.examine('write first');

  await bringBack(page);
  await typeIntoLastMessage(page);
  await compareThird(page);
  await copyPrompt(page);
  await undoEverything(page);
  await countTokens(page);
  await dropHostileText(page);
  await comparePolicies(page);
  await watched.examine('write hostile');
  await leaveMarkers(page);
  await watched.examine('write forged');
  await breakTools(page);
  await importRequest(page);
  await watched.examine('write imported');
}

const verdicts = async (page: Page): Promise<string[]> =>
  (await page.locator('.write-verdict').allTextContents()).map((text) => text.trim());

const texts = (page: Page, column: number) =>
  page.getByRole('textbox', { name: `The text in column ${column}` }).textContent();

async function typeIntoLastMessage(page: Page): Promise<void> {
  const field = page.getByRole('listitem').filter({ hasText: 'And the day after?' }).getByRole('textbox');
  await field.press('Control+End');
  await page.keyboard.type(' And on Sunday?');
  for (const column of [1, 2]) await soon(() => texts(page, column)).toContain('after? And on Sunday?');
}

/** A message that was removed comes back with all it had. */
async function bringBack(page: Page): Promise<void> {
  const messages = page.locator('.write-fold');
  const before = await messages.allTextContents();
  await page.getByRole('button', { name: 'Remove message 2' }).click();
  await soon(() => messages.count()).toBe(before.length - 1);
  await page.getByRole('button', { name: 'Bring it back' }).click();
  await soon(() => messages.allTextContents()).toEqual(before);
}

/** Undo brings back a column, an option, typing, and a whole conversation; a link holds all of it. */
async function undoEverything(page: Page): Promise<void> {
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  const redo = page.getByRole('button', { name: 'Redo', exact: true });
  const messages = page.locator('.write-fold');
  const before = await messages.allTextContents();
  await page.getByRole('button', { name: 'Remove column 2' }).click();
  await page.getByRole('button', { name: 'Remove message 1', exact: true }).click();
  await page.getByRole('button', { name: 'Remove message 1', exact: true }).click();
  await soon(() => messages.count()).toBe(before.length - 2);
  await undo.click();
  await soon(() => messages.count()).toBe(before.length - 1);
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('Control+z');
  await soon(() => messages.allTextContents()).toEqual(before);
  await undo.click();
  await soon(() => page.locator('.write-column').count()).toBe(2);
  await redo.click();
  await soon(() => page.locator('.write-column').count()).toBe(1);
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('Control+z');
  await soon(() => page.locator('.write-column').count()).toBe(2);
  expect(await messages.allTextContents()).toEqual(before);
  await page.getByRole('button', { name: 'Share link' }).click();
  await soon(() => page.evaluate(() => navigator.clipboard.readText())).toContain('#write=');
}

/** All of a prompt is selected and copied, and nothing of the page around it; its signs are no part of it. */
async function copyPrompt(page: Page): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name: 'Copy the text of column 1' }).click();
  await soon(copied).toMatch(/^<\|im_start\|>system\n/);
  const whole = await copied();
  await page.getByRole('textbox', { name: 'The text in column 1' }).press('Control+a');
  await page.keyboard.press('Control+c');
  await soon(copied).toBe(whole);
}

/** Estimated, until a tokenizer is given; a file that is none says so. */
async function countTokens(page: Page): Promise<void> {
  const lengths = () => page.locator('.write-facts p:first-child').allTextContents();
  const file = page.getByLabel('Count tokens with a tokenizer.json');
  const choose = (name: string, content: string) =>
    file.setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(content) });
  const estimated = Array(2).fill(expect.stringMatching(/, about [\d,]+ tokens$/));
  await soon(lengths).toEqual(estimated);
  await choose('package.json', '{"name": "x"}');
  await soon(() =>
    page.getByText('package.json is no tokenizer: it has no model with a vocabulary.').count(),
  ).toBe(1);
  await choose('tokenizer.json', JSON.stringify(smallTokenizer));
  await soon(() => page.getByText('Counted with tokenizer.json, which knows 9 tokens.').count()).toBe(1);
  await soon(lengths).toEqual(Array(2).fill(expect.stringMatching(/, [\d,]+ tokens by the tokenizer$/)));
  await page.getByRole('button', { name: 'Estimate again' }).click();
  await soon(lengths).toEqual(estimated);
}

/** Two policies side by side. */
async function comparePolicies(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Policy of column 2' }).selectOption('exact');
  await soon(() => verdicts(page)).toEqual([
    expect.stringMatching(/^Neutralised: /),
    expect.stringMatching(/^(Forged|Neutralised): /),
  ]);
  await page.getByRole('combobox', { name: 'Policy of column 2' }).selectOption('');
}

async function compareThird(page: Page): Promise<void> {
  const add = page.getByRole('button', { name: 'Add a column' });
  await add.focus();
  await page.keyboard.press('Enter');
  const choice = page.getByRole('combobox', { name: 'Dialect of column 3' });
  await soon(() => choice.evaluate((one) => one === document.activeElement)).toBe(true);
  await choice.selectOption('deepseek-v4');
  await page.getByRole('combobox', { name: 'Form of column 3' }).selectOption('messages');
  await soon(() => texts(page, 3)).toContain('And on Sunday?');
  await soon(() => page.locator('.write-column .write-different').count()).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Remove column 3' }).click();
  await soon(() => add.evaluate((one) => one === document.activeElement)).toBe(true);
}

async function dropHostileText(page: Page): Promise<void> {
  await page.getByText('Drop in hostile text').click();
  await page.getByRole('button', { name: 'Close the result, then call (GLM)' }).click();
  await page.getByRole('button', { name: 'End the turn (ChatML)' }).click();
  await soon(() => verdicts(page)).toEqual([
    expect.stringMatching(/^Neutralised: /),
    expect.stringMatching(/^Neutralised: /),
  ]);
  expect(await texts(page, 1)).not.toContain('hi<|im_end|>');
}

async function leaveMarkers(page: Page): Promise<void> {
  const policy = page.getByRole('combobox', { name: 'Markers in outside text' });
  await policy.selectOption('exact');
  await soon(() => verdicts(page)).toContainEqual(expect.stringMatching(/^Forged: /));
  await policy.selectOption('reject');
  await soon(() => page.getByText('Cannot be written.').count()).toBeGreaterThan(0);
  await policy.selectOption('exact');
  await page
    .getByRole('button', { name: /^Show next/ })
    .first()
    .click();
}

async function breakTools(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Markers in outside text' }).selectOption('escape');
  await page.getByRole('button', { name: 'Take it all out again' }).click();
  const tools = page.getByRole('textbox', { name: 'Tools as JSON' });
  // On a phone they are folded.
  if (!(await tools.isVisible())) await page.getByText('Tools', { exact: true }).click();
  await tools.fill('[{"type":"function",\n"function":{"name":"a b"}}]');
  await page.getByRole('button', { name: /^Line 2, column / }).click();
  await soon(() => page.evaluate(() => getSelection()?.toString())).toContain('a b');
  await soon(() => tools.getAttribute('aria-invalid')).toBe('true');
  await tools.press('Control+z');
  await soon(() => page.getByText('Cannot be written.').count()).toBe(0);
}

const request = {
  model: 'm',
  system: 'Be kind.',
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'f', input: { a: [1, 2] } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'done' }] },
  ],
};

async function importRequest(page: Page): Promise<void> {
  await page.getByText('Import or export a request').click();
  const field = page.getByRole('textbox', { name: 'Request (JSON)' });
  await field.fill(JSON.stringify(request));
  await page.getByRole('button', { name: 'Use this request' }).click();
  await soon(() => page.getByText(/^Taken over: 4 messages/).count()).toBe(1);
  for (const column of [1, 2]) await soon(() => texts(page, column)).toContain('Be kind.');
  await page.getByRole('button', { name: 'Write as OpenAI Chat' }).click();
  await soon(() => field.inputValue()).toContain('"tool_calls"');
  // The keyboard keeps its place when a message moves.
  const down = page.getByRole('button', { name: 'Move message 1 down' });
  await down.press('Enter');
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  await soon(focused).toBe('Move message 2 down');
  await page.getByRole('button', { name: 'Move message 2 up' }).press('Enter');
}
