// Every dialect in Write and in Try of the built page; one of six in a plain run. For Read the examples are drawn, of which
// every dialect has one.

import { deflateRawSync } from 'node:zlib';
import { dialects } from '@dragoman/core';
import { expect } from 'vitest';
import { oneOf } from '../effort.js';
import { soon } from './soon.js';
import type { WatchedPage } from './watched-page.js';

const names = oneOf(6, dialects).map(({ name }) => name);

/** As the page packs the state of a view. */
const link = (view: string, state: unknown) =>
  `#${view}=${deflateRawSync(JSON.stringify(state)).toString('base64url')}`;

export async function writeEveryDialect({ page }: WatchedPage): Promise<void> {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Write' }).click();
  const choice = page.getByRole('combobox', { name: 'Dialect of column 1' });
  await choice.waitFor();
  const column = page.getByRole('region', { name: /^Column 1:/ });
  for (const name of names) {
    await choice.selectOption(name);
    await soon(() => column.getAttribute('aria-busy')).toBe('false');
    expect(await column.getByText('Cannot be written.').count(), name).toBe(0);
    expect((await column.getByRole('textbox').textContent())?.length, name).toBeGreaterThan(100);
  }
}

/** Models that are asked at once. */
const AT_ONCE = 3;

const tool = {
  type: 'function',
  function: {
    name: 'get_weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

export async function tryEveryDialect({ page, url }: WatchedPage): Promise<void> {
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const [model, ...others] = names.slice(at, at + AT_ONCE).map((name) => `demo/${name}`);
    const question = `What is the weather in Oslo, ${at}?`;
    const state = { model, others, system: '', question, tools: JSON.stringify([tool]), messages: [] };
    await page.goto(url + link('try', state));
    await soon(() => page.getByRole('textbox', { name: 'Question', exact: true }).inputValue()).toBe(
      question,
    );
    await page.getByRole('button', { name: 'Send' }).click();
    for (const name of [model, ...others]) {
      const turn = page.getByRole('region', { name: name as string, exact: true });
      await soon(() => turn.locator('.answer-name').allTextContents()).toEqual(['get_weather']);
      await soon(() => turn.locator('.long-text').textContent()).toContain('Oslo');
    }
  }
}
