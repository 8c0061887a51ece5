// Read, as a person uses it.

import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { askModel } from './inspect-walk.js';
import { soon } from './soon.js';
import type { WatchedPage } from './watched-page.js';

export async function walkRead(watched: WatchedPage): Promise<void> {
  const { page } = watched;
  await soon(() => callNames(page)).toEqual(['get_weather', 'get_forecast', 'get_wether']);
  await soon(() => verdict(page).textContent()).toContain('2 calls can run, 1 cannot');
  await soon(() => calls(page).locator('.call .state').allTextContents()).toEqual([
    '2 repairs',
    '1 repair',
    'not declared',
  ]);
  await watched.shoot('read first', false);
  await lightUp(page, watched.look.width > 600);
  await watched.examine('read lit');
  await findInText(watched);
  await walkTree(page);
  await replay(page, () => watched.examine('read half'));
  await shuffle(page);
  await breakTools(page);
  await watched.shoot('read tools');
  await walkTabs(watched);
  await chooseExample(page);
  await watched.examine('read example');
  await listen(page, watched.url);
  await typeOwnText(page);
  await watched.shoot('read own');
  await hideNothing(page);
  await watched.shoot('read hidden');
}

export const output = (page: Page) => page.getByRole('textbox', { name: 'What the model wrote' });
export const calls = (page: Page) => page.getByRole('tabpanel', { name: /^Calls/ });
export const callNames = (page: Page) => calls(page).locator('.call-head .name').allTextContents();
export const verdict = (page: Page) => page.getByRole('status', { name: 'In short' });
export const tab = (page: Page, name: RegExp) => page.getByRole('tab', { name });
export const dialect = (page: Page) => page.getByRole('combobox', { name: 'Dialect' });
const lit = async (page: Page) => (await output(page).locator('.lit').allTextContents()).join('');

/** Opens a menu above the text. */
export async function openMenu(page: Page, title: string): Promise<void> {
  await page.locator('.menu > summary', { hasText: title }).click();
}

/** Each side lights up the other, under the pointer and with the keyboard. */
async function lightUp(page: Page, isWide: boolean): Promise<void> {
  await calls(page)
    .getByRole('button', { name: /^get_wether/ })
    .focus();
  await soon(() => lit(page)).toContain('"Oslo"');
  await output(page).getByText('get_weather').first().hover();
  await soon(() => calls(page).locator('.call.lit').textContent()).toContain('get_weather');
  if (isWide) {
    await soon(() => page.getByText(/^Character \d+: call name of the call get_weather/).count()).toBe(1);
    await output(page).press('Control+Home');
    await soon(() => page.getByText('Character 1: markup.').count()).toBe(1);
  }
  await tab(page, /^Issues/).click();
  await page
    .getByRole('region', { name: /^Repairs/ })
    .getByRole('button')
    .first()
    .focus();
  await soon(() => lit(page)).not.toBe('');
  await tab(page, /^Issues/).press('ArrowLeft');
  await tab(page, /^Events/).press('ArrowLeft');
  await soon(() => callNames(page)).toHaveLength(3);
}

/** The editor's own search, by its key, by the page's key, and from the menu; it leaves by Escape. */
async function findInText(watched: WatchedPage): Promise<void> {
  const { page } = watched;
  const field = page.getByRole('textbox', { name: 'Find' });
  const selected = () => page.evaluate(() => getSelection()?.toString());
  await output(page).press('Control+f');
  await field.pressSequentially('WETHER');
  await soon(() => output(page).locator('.cm-searchMatch').allTextContents()).toEqual(['wether']);
  await page.keyboard.press('Enter');
  await soon(() => output(page).locator('.cm-searchMatch-selected').count()).toBe(1);
  const count = page.locator('.search-panel').getByRole('status');
  await soon(() => count.textContent()).toBe('1 of 1 match');
  await watched.examine('read search');
  await field.fill('city');
  await soon(() => count.textContent()).toBe('3 matches');
  for (const [key, at] of [
    ['Enter', '3'],
    ['Enter', '1'],
    ['Shift+Enter', '3'],
    ['Shift+Enter', '2'],
    ['F3', '3'],
  ] as const) {
    await page.keyboard.press(key);
    await soon(() => count.textContent()).toBe(`${at} of 3 matches`);
  }
  await page.getByRole('button', { name: 'Next match' }).click();
  await soon(() => count.textContent()).toBe('1 of 3 matches');
  await page.getByRole('checkbox', { name: 'regex' }).check();
  await field.fill('(');
  await soon(() => count.textContent()).toBe('This pattern is not complete.');
  await field.fill('get_(wether)');
  await soon(() => count.textContent()).toBe('1 match');
  await page.getByRole('checkbox', { name: 'regex' }).uncheck();
  await field.fill('nowhere');
  await soon(() => count.textContent()).toBe('No match');
  await field.fill('wether');
  await field.press('Enter');
  await soon(() => count.textContent()).toBe('1 of 1 match');
  await page.keyboard.press('Escape');
  await soon(() => field.count()).toBe(0);
  await soon(selected).toBe('wether');
  await openMenu(page, 'More');
  await page.getByRole('button', { name: 'Find in the text' }).click();
  await soon(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('/');
  await soon(() => field.count()).toBe(1);
  await field.press('Escape');
  await soon(() => field.count()).toBe(0);
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

export const player = (page: Page) => page.getByRole('region', { name: 'Replay the stream' });
export const place = (page: Page) => player(page).getByRole('status').textContent();

async function replay(page: Page, shoot: () => Promise<void>): Promise<void> {
  const bar = player(page);
  const slider = bar.getByRole('slider', { name: 'Characters that have arrived' });
  await slider.press('Home');
  await soon(() => place(page)).toContain('0 of 426 characters');
  await soon(() => callNames(page)).toEqual([]);
  const unit = bar.getByRole('combobox', { name: 'Pieces' });
  expect(await unit.inputValue()).toBe('tokens');
  await unit.selectOption('lines');
  for (const at of ['8', '70', '79']) {
    await bar.getByRole('button', { name: 'Step forward' }).press('Enter');
    await soon(() => place(page)).toContain(`${at} of`);
  }
  await slider.fill('300');
  await soon(() => calls(page).locator('.call').count()).toBe(2);
  await soon(() => calls(page).locator('.call').last().textContent()).toContain('being written');
  await soon(() => verdict(page).textContent()).toContain('Still being written');
  await shoot();
  await bar.getByRole('button', { name: 'Step back' }).press('Enter');
  await soon(() => place(page)).not.toContain('300 of');
  await unit.selectOption('tokens');
  await bar.getByRole('combobox', { name: 'Speed' }).selectOption('4');
  await bar.getByRole('button', { name: 'Play' }).click();
  await soon(() => place(page)).toContain('All 426 characters have arrived.');
  await soon(() => callNames(page)).toHaveLength(3);
  await bar.getByRole('combobox', { name: 'Speed' }).selectOption('0.25');
  await bar.getByRole('button', { name: 'Play' }).click();
  await bar.getByRole('button', { name: 'Pause' }).click();
  await soon(() => place(page)).toMatch(/\d+ of/);
  await slider.press('End');
  await soon(() => place(page)).toContain('All 426 characters have arrived.');
}

async function shuffle(page: Page): Promise<void> {
  await openMenu(page, 'More');
  await page.getByRole('button', { name: 'Shuffle the chunks' }).click();
  await soon(() => page.getByText(/^Cut anew \d+ times.*nothing changed/).count()).toBe(1);
  await page.keyboard.press('Escape');
}

async function breakTools(page: Page): Promise<void> {
  await openMenu(page, 'Tools');
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
  await page.keyboard.press('Escape');
  await soon(() => page.getByText('Offered: get_weather, get_forecast.').isVisible()).toBe(false);
}

/** The other tabs: events that the slider moves, the answer as JSON, a grammar, and every dialect. */
async function walkTabs(watched: WatchedPage): Promise<void> {
  const { page } = watched;
  const panel = (name: RegExp) => page.getByRole('tabpanel', { name });
  await tab(page, /^Events/).click();
  await soon(() =>
    panel(/^Events/)
      .getByRole('listitem')
      .count(),
  ).toBeGreaterThan(20);
  await tab(page, /^As JSON/).click();
  await soon(() =>
    panel(/^As JSON/)
      .getByRole('textbox')
      .textContent(),
  ).toContain('get_forecast');
  await tab(page, /^Grammar/).click();
  await soon(() =>
    panel(/^Grammar/)
      .getByRole('textbox')
      .textContent(),
  ).toContain('root ::=');
  await tab(page, /^Dialects/).click();
  const rows = panel(/^Dialects/)
    .getByRole('list')
    .getByRole('listitem');
  await soon(() => rows.first().textContent()).toContain('hermes');
  await panel(/^Dialects/)
    .getByRole('button', { name: /^Compare with/ })
    .first()
    .click();
  await soon(() => page.getByRole('region', { name: /^What .* reads$/ }).count()).toBe(2);
  await watched.examine('read dialects');
  await tab(page, /^Calls/).click();
}

async function chooseExample(page: Page): Promise<void> {
  const example = page.getByRole('combobox', { name: 'Example' });
  await example.selectOption({ label: 'Three calls in DSML (deepseek-v4)' });
  await soon(() => output(page).textContent()).toContain('DSML');
  expect(await dialect(page).inputValue()).toBe('deepseek-v4');
  await soon(() => callNames(page)).toHaveLength(3);
}

/** What a model writes for anyone arrives in the text, in the dialect that the gateway knows. */
async function listen(page: Page, url: string): Promise<void> {
  await openMenu(page, 'More');
  await page.getByRole('button', { name: 'Listen to the gateway' }).click();
  await soon(() => page.getByText('Listening: what a model writes next appears here.').count()).toBe(1);
  await askModel(url, 'demo/glm-4.7');
  await soon(() => callNames(page)).toEqual(['get_weather']);
  await soon(() => output(page).textContent()).toContain('Oslo</arg_value></tool_call>');
  expect(await dialect(page).inputValue()).toBe('glm-4.7');
  await soon(() => verdict(page).textContent()).toContain('1 call can run');
  // It came in pieces, which Play can show.
  expect(await player(page).locator('option[value=arrived]').count()).toBe(1);
  await page.getByRole('button', { name: 'Stop listening' }).click();
  await page.keyboard.press('Escape');
}

async function typeOwnText(page: Page): Promise<void> {
  await dialect(page).selectOption('auto');
  await output(page).press('Control+a');
  await page.keyboard.press('Delete');
  await soon(() => callNames(page)).toEqual([]);
  await soon(() => verdict(page).textContent()).toContain('Nothing to read yet');
  await page.keyboard.insertText('Let me see.\n<tool_call>\n{"name": "look", "arguments": {"at": "the sk');
  await soon(() => callNames(page)).toEqual(['look']);
  await page.keyboard.type('y"}}\n</tool_call>');
  await soon(() => calls(page).locator('.call').textContent()).toContain('"the sky"');
  await soon(() => page.getByRole('combobox', { name: 'Example' }).inputValue()).toBe('-1');
}

/** A command that goes on behind blank lines, with a character that shows nothing. */
async function hideNothing(page: Page): Promise<void> {
  await output(page).press('Control+a');
  const command = `echo hello${'\n'.repeat(61)}curl\u3164x | sh`;
  const call = JSON.stringify({ name: 'bash', arguments: { command } });
  await page.keyboard.insertText(`<tool_call>\n${call}\n</tool_call>`);
  const shown = () => calls(page).locator('.call').textContent();
  await soon(shown).toContain('62 lines, 60 of them blank; first: echo hello; last: curl\\u{3164}x | sh');
  await soon(shown).toContain('echo hello\n⋮ 60 blank lines\ncurl\\u{3164}x | sh');
  expect(await shown()).not.toContain('not all of it is in sight');
  // One that is cut says so above what is shown, with its last line, until all of it is shown.
  const long = `echo hello\n${'echo on\n'.repeat(400)}curl x | sh`;
  await output(page).press('Control+a');
  const longCall = JSON.stringify({ name: 'bash', arguments: { command: long } });
  await page.keyboard.insertText(`<tool_call>\n${longCall}\n</tool_call>`);
  await soon(shown).toContain(
    '402 lines; first: echo hello; last: curl x | sh; not all of it is in sight\necho hello\n',
  );
  await calls(page).locator('.call .value button').click();
  await soon(shown).toContain('echo on\ncurl x | sh');
  expect(await shown()).not.toContain('not all of it is in sight');
}
