// A megabyte in Read, and how long the page was deaf meanwhile.

import type { Page } from 'playwright-core';
import { soon } from './soon.js';

const turn = (number: number) => `<think>
Step ${number}: look before anything is changed, and say so.
</think>
I look at file ${number}. ${'It is a long story, and here is some of it. '.repeat(12)}
<tool_call>
{"name": "read_file", "arguments": {"path": "src/part-${number}.ts", "lines": [1, ${number}], "all": True,}}
</tool_call>
`;

export const TURNS = 1450;
export const longOutput = Array.from({ length: TURNS }, (_, number) => turn(number)).join('');

export interface Pulse {
  frames: number;
  /** Milliseconds between two frames, where it was more than a person waits without noticing. */
  late: number[];
}

declare global {
  interface Window {
    pulse: Pulse;
  }
}

/** Frames are counted from now on. */
export async function feelPulse(page: Page): Promise<void> {
  await page.evaluate(() => {
    const pulse: Pulse = { frames: 0, late: [] };
    window.pulse = pulse;
    let last = performance.now();
    const beat = () => {
      const now = performance.now();
      if (now - last > 100) pulse.late.push(Math.round(now - last));
      last = now;
      pulse.frames++;
      if (window.pulse === pulse) requestAnimationFrame(beat);
    };
    requestAnimationFrame(beat);
  });
}

export async function pasteLongOutput(page: Page): Promise<void> {
  const output = page.getByRole('textbox', { name: 'What the model wrote' });
  await output.press('Control+a');
  await output.evaluate((content, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    content.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, longOutput);
}

/** The page is used while it reads: folded and unfolded, scrolled, typed into. */
export async function useWhileReading(page: Page): Promise<void> {
  const play = page.getByRole('button', { name: 'Play' });
  const tools = page.locator('summary').filter({ hasText: 'Tools' });
  const output = page.getByRole('textbox', { name: 'What the model wrote' });
  await soon(() => play.isDisabled()).toBe(true);
  await tools.click();
  await tools.click();
  await soon(() => play.isEnabled()).toBe(true);
  await soon(() =>
    page
      .getByRole('region', { name: /^Calls/ })
      .locator('.amount')
      .first()
      .textContent(),
  ).toBe(String(TURNS));
  await output.press('Control+End');
  await page.keyboard.type('That is all.', { delay: 30 });
  await page.mouse.wheel(0, -3000);
  await soon(() => play.isEnabled()).toBe(true);
}
