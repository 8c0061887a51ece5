// What first-time users stumbled over in Read, each as they would meet it.

import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { callNames, calls, dialect, openMenu, output, place, player, tab, verdict } from './read-walk.js';
import { soon } from './soon.js';
import type { WatchedPage } from './watched-page.js';

const own = '<tool_call>\n{"name": "search_web", "arguments": {"for": "the sky"}}\n</tool_call>';

async function pasteInto(page: Page, text: string): Promise<void> {
  await output(page).press('Control+a');
  await output(page).evaluate((content, given) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', given);
    content.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

const tools = async (page: Page) => (await page.locator('.tools-menu .amount').textContent()) ?? '';

export const readFaults: Record<string, (watched: WatchedPage) => Promise<void>> = {
  'own text is not blamed for the tools of an example, and undo brings back all of it': async ({ page }) => {
    await soon(() => callNames(page)).toHaveLength(3);
    await pasteInto(page, own);
    await soon(() => callNames(page)).toEqual(['search_web']);
    await soon(() => verdict(page).textContent()).toContain('1 call can run');
    expect(await tools(page)).toBe('0');
    expect(await dialect(page).inputValue()).toBe('auto');
    await output(page).press('Control+z');
    await soon(() => callNames(page)).toHaveLength(3);
    expect(await tools(page)).toBe('2');
    expect(await dialect(page).inputValue()).toBe('hermes');
  },

  'an example is one step of undo, with its dialect and tools': async ({ page }) => {
    await page
      .getByRole('combobox', { name: 'Example' })
      .selectOption({ label: 'A call as JavaScript (xnl)' });
    await soon(() => dialect(page).inputValue()).toBe('xnl');
    await page.getByRole('button', { name: 'Undo' }).click();
    await soon(() => dialect(page).inputValue()).toBe('hermes');
    await soon(() => callNames(page)).toEqual(['get_weather', 'get_forecast', 'get_wether']);
    expect(await tools(page)).toBe('2');
  },

  'a tool that is missing is declared by one click': async ({ page }) => {
    await page.getByRole('button', { name: 'Declare get_wether' }).click();
    await soon(() => verdict(page).textContent()).toContain('3 calls can run');
    expect(await tools(page)).toBe('3');
  },

  'the slider follows a text that grows': async ({ page }) => {
    await pasteInto(page, own);
    await soon(() => place(page)).toContain(`All ${own.length} characters`);
    await output(page).press('Control+End');
    await page.keyboard.insertText('\nThat is all.');
    await soon(() => place(page)).toContain(`All ${own.length + 13} characters`);
    const slider = player(page).getByRole('slider');
    expect(await slider.inputValue()).toBe(String(own.length + 13));
    expect(await slider.getAttribute('max')).toBe(String(own.length + 13));
    // The cursor stands behind the last character, which is there.
    await soon(() => page.locator('.here').textContent()).toBe('The end of the text.');
  },

  'what each dialect reads fits beside the text, with its buttons': async ({ page }) => {
    await tab(page, /^Dialects/).click();
    const panel = page.getByRole('tabpanel', { name: /^Dialects/ });
    const use = panel.getByRole('button', { name: /^(Use|Read as)/ }).first();
    await soon(() => use.count()).toBe(1);
    const sticksOut = () => panel.evaluate((one) => one.scrollWidth - one.clientWidth);
    for (const width of [390, 1280, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      await soon(sticksOut).toBeLessThanOrEqual(0);
    }
    await panel
      .getByRole('button', { name: /^Compare with/ })
      .first()
      .click();
    await soon(sticksOut).toBeLessThanOrEqual(0);
    await use.click();
    await soon(() => dialect(page).inputValue()).not.toBe('hermes');
  },

  'the content of a file is shown as a file': async ({ page }) => {
    const content = 'import os\n\nprint("hi")\n';
    const call = { name: 'write_file', arguments: { path: 'a.py', content } };
    await pasteInto(page, `<tool_call>\n${JSON.stringify(call)}\n</tool_call>`);
    const file = calls(page).locator('.lines');
    await soon(() => file.textContent()).toBe(content);
    const lefts = await calls(page)
      .locator('.key, .lines')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
    expect(lefts.at(-1)).toBeGreaterThanOrEqual(lefts.at(-2) ?? 0);
  },

  'a wrong dialect is told apart from a text without calls': async ({ page }) => {
    await pasteInto(page, own);
    await dialect(page).selectOption('xnl');
    await soon(() => verdict(page).textContent()).toContain('No call in this text');
    await page.getByRole('button', { name: 'Read it as hermes' }).click();
    await soon(() => callNames(page)).toEqual(['search_web']);
  },

  'a call that was cut off still shows its name and its arguments': async ({ page }) => {
    await pasteInto(page, '<tool_call>\n{"name": "look", "arguments": {"at": "the sk');
    await soon(() => calls(page).locator('.state').textContent()).toBe('not delivered');
    const background = (text: string) =>
      output(page)
        .getByText(text, { exact: true })
        .first()
        .evaluate((one) => getComputedStyle(one).backgroundColor);
    expect(await background('look')).not.toBe(await background('{"at": "the sk'));
  },

  'a repair of something that is missing has its mark in the text': async ({ page }) => {
    await pasteInto(page, '<tool_call>\n{"name": "look", "parameters": {"at": "the sky"}}\n</tool_call>');
    await soon(() => calls(page).locator('.state').allTextContents()).toEqual(['1 repair']);
    await soon(() => output(page).locator('.repair-point').count()).toBe(1);
  },

  'an answer of an API, a stream and a log are taken apart': async ({ page }) => {
    const message = { role: 'assistant', content: `Let me see.\n${own}` };
    await pasteInto(page, JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }));
    await soon(() => callNames(page)).toEqual(['search_web']);
    await soon(() => page.getByText(/^Taken out of an answer of OpenAI Chat/).count()).toBe(1);
    const pieces = own.match(/.{1,9}/gs) ?? [];
    const event = (content: string) => ({ choices: [{ index: 0, delta: { content } }] });
    const stream = pieces.map((piece) => `data: ${JSON.stringify(event(piece))}\n\n`).join('');
    await pasteInto(page, `${stream}data: [DONE]\n\n`);
    await soon(() => page.getByText(`which came in ${pieces.length} pieces`, { exact: false }).count()).toBe(
      1,
    );
    await player(page).getByRole('slider').press('Home');
    await player(page).getByRole('button', { name: 'Step forward' }).click();
    await soon(() => place(page)).toContain('9 of');
    await pasteInto(
      page,
      `{"level": 30}\n${JSON.stringify({ response: { content: [{ type: 'text', text: own }] } })}`,
    );
    await soon(() => page.getByText(/^Taken out of line 2 of a log/).count()).toBe(1);
    await soon(() => callNames(page)).toEqual(['search_web']);
  },

  'answers of the other APIs, an exchange and a chat template are taken apart': async ({ page }) => {
    const taken = (text: string) => soon(() => page.getByText(text, { exact: false }).count()).toBe(1);
    const lines = (events: readonly object[]) =>
      events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    const delta = (text: string) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text },
    });
    await pasteInto(
      page,
      lines([
        { type: 'message_start', message: { id: 'm', role: 'assistant', content: [], model: 'x' } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        delta(own.slice(0, 20)),
        delta(own.slice(20)),
        { type: 'content_block_stop', index: 0 },
        { type: 'message_stop' },
      ]),
    );
    await taken('Taken out of an answer of Anthropic Messages, which came in 2 pieces');
    await soon(() => callNames(page)).toEqual(['search_web']);
    const output_text = { type: 'output_text', text: own, annotations: [] };
    const message = { type: 'message', id: 'm', role: 'assistant', content: [output_text] };
    await pasteInto(page, JSON.stringify({ id: 'r', object: 'response', output: [message] }));
    await taken('Taken out of an answer of OpenAI Responses');
    const call = { id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } };
    const native = { role: 'assistant', content: 'Let me see.', tool_calls: [call] };
    await pasteInto(page, JSON.stringify({ choices: [{ index: 0, message: native }] }));
    await taken('The server itself read 1 call: look.');
    await pasteInto(page, JSON.stringify({ dialect: 'glm-4.7', attempts: [{ text: 'Nothing to call.' }] }));
    await soon(() => dialect(page).inputValue()).toBe('glm-4.7');
    await soon(() => output(page).textContent()).toBe('Nothing to call.');
    // The dialect is set, and the text stays.
    const template =
      '{% for message in messages %}<|im_start|>{{ message.role }}{% if message.tool_calls %}<tool_call>\n{"name": {{ name }}, "arguments": {{ arguments }}}\n</tool_call>{% endif %}<|im_end|>{% endfor %}';
    await pasteInto(page, JSON.stringify({ tokenizer_class: 'X', chat_template: template }));
    await soon(() => dialect(page).inputValue()).toBe('hermes');
    await soon(() => output(page).textContent()).toBe('Nothing to call.');
    await page.getByRole('button', { name: 'Undo' }).click();
  },

  'calls, the text and a test case can be copied, and a link shared': async ({ page }) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await openMenu(page, 'Copy');
    await page.getByRole('button', { name: 'Calls as JSON' }).click();
    await soon(copied).toContain('"name": "get_forecast"');
    await page.getByRole('button', { name: 'As a test case' }).click();
    await soon(copied).toContain('"expect"');
    await page.getByRole('button', { name: 'As a command' }).click();
    await soon(copied).toContain('dragoman explain --dialect hermes');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Share link' }).click();
    await soon(copied).toContain('#read=');
  },

  'a link that is broken is reported': async (watched) => {
    await watched.firstCall().waitFor();
    await watched.page.goto(`${watched.url}#read=AAAA`);
    await soon(() => watched.page.getByRole('alert').textContent()).toContain('This link cannot be read');
  },

  'colours, language and shortcuts are chosen and kept': async (watched) => {
    const { page } = watched;
    const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    await page.getByRole('combobox', { name: 'Colours' }).selectOption('dark');
    await soon(scheme).toBe('dark');
    await page.getByRole('combobox', { name: 'Language' }).selectOption('zh');
    await soon(() => page.locator('html').getAttribute('lang')).toBe('zh-CN');
    await page.locator('.call').first().waitFor();
    await watched.loaded();
    await page.reload();
    await soon(() => page.locator('html').getAttribute('lang')).toBe('zh-CN');
    await soon(scheme).toBe('dark');
    await soon(() => page.getByRole('tab').first().textContent()).toContain('调用');
    await soon(() => page.locator('.read-verdict').textContent()).toContain('没有声明该名称的工具');
    await page.getByRole('combobox', { name: '语言' }).selectOption('en');
    await tab(page, /^Calls/).focus();
    await page.keyboard.press('?');
    await soon(() => page.getByRole('dialog').getByRole('term').count()).toBeGreaterThan(6);
    await page.keyboard.press('Escape');
    await soon(() => page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('4');
    await soon(() => page.locator('[aria-current=page]').textContent()).toBe('Inspect');
  },
};

/** The player stands still under the thumb, and what was read begins on the first screen. */
export async function touchRead({ page }: WatchedPage): Promise<void> {
  await soon(() => callNames(page)).toHaveLength(3);
  const { height } = page.viewportSize() ?? { height: 0 };
  const top = await tab(page, /^Calls/).evaluate((one) => one.getBoundingClientRect().top);
  expect(top).toBeLessThan(height);
  await output(page).tap();
  await player(page).getByRole('button', { name: 'Play' }).tap();
  await soon(() => place(page)).toMatch(/\d+ of/);
}
