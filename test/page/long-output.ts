// A megabyte in Read, and for how long the page is deaf meanwhile.

import type { Browser, Page } from 'playwright-core';

const turn = (number: number) => `<think>
Step ${number}: look before anything is changed, and say so.
</think>
I look at file ${number}. ${'It is a long story, and here is some of it. '.repeat(12)}
<tool_call>
{"name": "read_file", "arguments": {"path": "src/part-${number}.ts", "lines": [1, ${number}], "all": True,}}
</tool_call>
`;

const TURNS = 1450;
const line = 'a line of a file that is long, with "quotes" and <tags> in it; ';
const oneCall = (value: string) =>
  `<tool_call>\n{"name": "write_file", "arguments": {"path": "a.txt", "content": ${JSON.stringify(value)}}}\n</tool_call>`;

/** Each more than a megabyte. */
export const longOutputs = {
  'many calls': { text: Array.from({ length: TURNS }, (_, number) => turn(number)).join(''), calls: TURNS },
  'one call with a long argument': { text: oneCall(`${line}\n`.repeat(17_000)), calls: 1 },
  'one line of text': { text: line.replace('<tags>', 'tags').repeat(18_000), calls: 0 },
} as const;

interface Pulse {
  frames: number;
  /** Milliseconds between two frames by the clock, where it was more than a person waits without noticing. */
  late: number[];
}

declare global {
  interface Window {
    pulse: Pulse;
    clipboard: string;
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

interface Task {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds of the processor. */
  tdur?: number;
  args: { name?: string };
}

/**
 * Milliseconds of the processor, for each task of the page's own thread that took long; an answer waits for no more
 * than one. By the clock they would tell how busy the machine is.
 */
export async function longTasks(page: Page, use: () => Promise<void>): Promise<number[]> {
  const browser = page.context().browser() as Browser;
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await use();
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: Task[] };
  const isLong = (time: number) => time > 50;
  const threads = traceEvents.filter(
    ({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain',
  );
  const isThePages = ({ pid, tid }: Task) => threads.some((one) => one.pid === pid && one.tid === tid);
  const tasks = traceEvents.filter((task) => task.name.endsWith('RunTask') && isThePages(task));
  if (tasks.length < 20 || tasks.every(({ tdur }) => tdur === undefined))
    throw new Error('The trace tells of no tasks.');
  return tasks.map(({ tdur = 0 }) => Math.round(tdur / 1000)).filter(isLong);
}

/** Before anything is measured: handing it to the browser costs time that is not the page's. */
export async function copy(page: Page, text: string): Promise<void> {
  await page.evaluate((given) => {
    window.clipboard = given;
  }, text);
}

export async function paste(page: Page): Promise<void> {
  await page.locator(output).press('Control+a');
  await page.locator(output).evaluate((content) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', window.clipboard);
    content.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
}

/** Milliseconds from a paste to the frame that shows that the text is being read. */
export async function timeToShowWork(page: Page): Promise<number> {
  await page.locator(output).press('Control+a');
  return page.locator(output).evaluate((content) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', window.clipboard);
    const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    const start = performance.now();
    content.dispatchEvent(paste);
    return new Promise<number>((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now() - start);
      // A message of a frame comes when the frame is drawn.
      const look = () => {
        if (document.querySelector('.busy-word') && document.querySelector('.read-verdict .work.on'))
          port2.postMessage(undefined);
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
  });
}

/** Milliseconds until every dialect is ranked on the text that was read. */
export async function timeToRank(page: Page): Promise<number> {
  return page.locator('#read-dialects').evaluate((tab: HTMLElement) => {
    const start = performance.now();
    tab.click();
    return new Promise<number>((resolve) => {
      const look = () => {
        if (document.querySelector('.dialect-rows li')) resolve(performance.now() - start);
        else setTimeout(look, 4);
      };
      look();
    });
  });
}

/** Looks for a word that is not there, and for one that is, from the end back to the start. */
export async function searchLongText(page: Page): Promise<void> {
  await page.locator(output).press('Control+f');
  await page.keyboard.type('nowhere', { delay: 30 });
  await page.waitForFunction(says, 'No match');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('that is all', { delay: 30 });
  await page.waitForFunction(says, '1 match');
  await page.keyboard.press('Enter');
  await page.waitForFunction(says, '1 of 1 match');
  await page.keyboard.press('Escape');
}

const says = (text: string) => document.querySelector('.search-panel [role=status]')?.textContent === text;

export async function waitUntilRead(page: Page, calls: number): Promise<void> {
  await page.waitForFunction(hasRead, calls);
}

/** The page is used while it reads: folded and unfolded, scrolled, typed into. */
export async function useWhileReading(page: Page, calls: number): Promise<void> {
  await page.waitForFunction(isBusy);
  const tools = page.locator('.tools-menu summary');
  await tools.click();
  await tools.click();
  await page.waitForFunction(hasRead, calls);
  await page.locator(output).press('Control+End');
  await page.keyboard.type('That is all.', { delay: 30 });
  await page.mouse.wheel(0, -3000);
  await page.waitForFunction(hasRead, calls);
  const slider = page.locator('.player .track input');
  for (const key of ['Home', 'PageUp', 'PageUp', 'End']) await slider.press(key);
  await page.waitForFunction(hasRead, calls);
}

// Looked for by class: looking by role would cost the page more than reading does.
const output = '.output .cm-content';
const isBusy = () => document.querySelector<HTMLButtonElement>('.player .play')?.disabled;
const hasRead = (calls: number) =>
  document.querySelector<HTMLButtonElement>('.player .play')?.disabled === false &&
  document.querySelector('#read-calls .amount')?.textContent === String(calls);
