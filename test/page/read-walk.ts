// Read, as a person uses it.

import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { askModel } from './inspect-walk.js';
import { soon } from './soon.js';
import type { WatchedPage } from './watched-page.js';

export async function walkRead(watched: WatchedPage): Promise<void> {
  const { page } = watched;
  await soon(() => callNames(page)).toEqual(['get_weather', 'get_forecast', 'get_wether']);
  await soon(() => page.getByRole('status').first().textContent()).toContain('hermes');
  await soon(() => calls(page).locator('.call .state').allTextContents()).toEqual([
    'complete',
    'complete',
    'complete, with an issue',
  ]);
  await watched.shoot('read first');
  await lightUp(page);
  await watched.examine('read lit');
  await walkTree(page);
  await replay(page, () => watched.examine('read half'));
  await shuffle(page);
  await breakTools(page);
  await watched.shoot('read tools');
  await chooseExample(page);
  await watched.examine('read example');
  await listen(page, watched.url);
  await typeOwnText(page);
  await watched.shoot('read own');
}

const output = (page: Page) => page.getByRole('textbox', { name: 'What the model wrote' });
const calls = (page: Page) => page.getByRole('region', { name: /^Calls/ });
const callNames = (page: Page) => calls(page).locator('.call-head .name').allTextContents();
const lit = async (page: Page) => (await output(page).locator('.lit').allTextContents()).join('');

/** Each side lights up the other, under the pointer and with the keyboard. */
async function lightUp(page: Page): Promise<void> {
  await calls(page)
    .getByRole('button', { name: /^get_wether/ })
    .focus();
  await soon(() => lit(page)).toContain('"Oslo"');
  await output(page).getByText('get_weather').first().hover();
  await soon(() => calls(page).locator('.call.lit').textContent()).toContain('get_weather');
  await soon(() => page.getByText(/^Character \d+: call name of the call get_weather/).count()).toBe(1);
  await output(page).press('Control+Home');
  await soon(() => page.getByText('Character 1: markup.').count()).toBe(1);
  await page
    .getByRole('region', { name: /^Repairs/ })
    .getByRole('button')
    .first()
    .focus();
  await soon(() => lit(page)).not.toBe('');
}

/** With the arrows, as trees go. */
async function walkTree(page: Page): Promise<void> {
  const tree = page.getByRole('tree', { name: 'Arguments of get_forecast' });
  const focused = () => page.evaluate(() => document.activeElement?.firstElementChild?.textContent ?? '');
  await tree.getByRole('treeitem').first().focus();
  await page.keyboard.press('ArrowDown');
  expect(await focused()).toContain('city: "Paris"');
  await soon(() => lit(page)).toContain('Paris');
  await page.keyboard.press('End');
  expect(await focused()).toContain('"rain"');
  await page.keyboard.press('ArrowLeft');
  expect(await focused()).toContain('of: ');
  await page.keyboard.press('ArrowLeft');
  await soon(() => tree.locator('.value', { hasText: '"rain"' }).count()).toBe(0);
  await page.keyboard.press('ArrowRight');
  await soon(() => tree.locator('.value', { hasText: '"rain"' }).count()).toBe(1);
}

async function replay(page: Page, shoot: () => Promise<void>): Promise<void> {
  const bar = page.getByRole('region', { name: 'Replay the stream' });
  const place = () => bar.locator('.place').textContent();
  const slider = bar.getByRole('slider', { name: 'Characters that have arrived' });
  await slider.press('Home');
  await soon(place).toMatch(/^0 of/);
  await soon(() => callNames(page)).toEqual([]);
  await bar.getByRole('spinbutton', { name: 'Characters a chunk' }).fill('75');
  for (const at of ['75', '150', '225', '300']) {
    await bar.getByRole('button', { name: 'Step forward' }).press('Enter');
    await soon(place).toContain(`${at} of`);
  }
  await soon(() => calls(page).locator('.call').count()).toBe(2);
  await soon(() => calls(page).locator('.call').last().textContent()).toContain('still being written');
  await shoot();
  await bar.getByRole('button', { name: 'Step back' }).press('Enter');
  await soon(place).toContain('225 of');
  await bar.getByRole('combobox', { name: 'Speed' }).selectOption('fast');
  await bar.getByRole('button', { name: 'Play' }).click();
  await soon(place).toBe('All of it has arrived.');
  await soon(() => callNames(page)).toHaveLength(3);
  await bar.getByRole('spinbutton', { name: 'Characters a chunk' }).fill('1');
  await bar.getByRole('combobox', { name: 'Speed' }).selectOption('slow');
  await bar.getByRole('button', { name: 'Play' }).click();
  await bar.getByRole('button', { name: 'Pause' }).click();
  await soon(place).toMatch(/^\d+ of/);
  await slider.press('End');
  await soon(place).toBe('All of it has arrived.');
}

async function shuffle(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Shuffle the chunks' }).click();
  await soon(() => page.getByText(/^Cut anew \d+ times.*nothing changed/).count()).toBe(1);
}

async function breakTools(page: Page): Promise<void> {
  await page.locator('summary').filter({ hasText: 'Tools' }).click();
  const tools = page.getByRole('textbox', { name: 'Tools as JSON' });
  await tools.press('Control+Home');
  await page.keyboard.type('[,');
  const said = page.getByRole('button', { name: /^Line 1, column/ });
  await soon(() => said.count()).toBe(1);
  await said.click();
  await soon(() => tools.locator('.lit, .lit-point').count()).toBeGreaterThan(0);
  await tools.press('Control+Home');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Delete');
  await soon(() => page.getByText('Offered: get_weather, get_forecast.').count()).toBe(1);
}

async function chooseExample(page: Page): Promise<void> {
  const example = page.getByRole('combobox', { name: 'Example' });
  await example.selectOption({ label: 'Three calls in DSML (deepseek-v4)' });
  await soon(() => output(page).textContent()).toContain('DSML');
  expect(await page.getByRole('combobox', { name: 'Dialect' }).inputValue()).toBe('deepseek-v4');
  await soon(() => callNames(page)).toHaveLength(3);
}

/** What a model writes for anyone arrives in the text. */
async function listen(page: Page, url: string): Promise<void> {
  await page.getByRole('button', { name: 'Listen to the gateway' }).click();
  await soon(() => page.getByText('Listening: what a model writes next appears here.').count()).toBe(1);
  await askModel(url, 'demo/glm-4.7');
  await soon(() => callNames(page)).toEqual(['get_weather']);
  await soon(() => output(page).textContent()).toContain('Oslo</arg_value></tool_call>');
  expect(await page.getByRole('combobox', { name: 'Dialect' }).inputValue()).toBe('glm-4.7');
  await page.getByRole('button', { name: 'Stop listening' }).click();
}

async function typeOwnText(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Dialect' }).selectOption('auto');
  await output(page).press('Control+a');
  await page.keyboard.press('Delete');
  await soon(() => callNames(page)).toEqual([]);
  await page.keyboard.insertText('Let me see.\n<tool_call>\n{"name": "look", "arguments": {"at": "the sk');
  await soon(() => callNames(page)).toEqual(['look']);
  await page.keyboard.type('y"}}\n</tool_call>');
  await soon(() => calls(page).locator('.call').textContent()).toContain('"the sky"');
  await soon(() => page.getByRole('combobox', { name: 'Example' }).inputValue()).toBe('-1');
}
