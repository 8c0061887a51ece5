// What each character was read as, one letter a character: by the library, by the page's worker, and as it is drawn.

import type { Dialect, ParserOptions } from '@dragoman/core';
import { eventsOf } from '@dragoman/core/testing';
import type { Page } from 'playwright-core';
import { type CharacterKind, kinds } from '../../packages/playground/src/reading/kinds.js';
import { paint } from '../../packages/playground/src/reading/painted.fixture.js';
import type { Segments } from '../../packages/playground/src/reading/segments.js';

const letters: Record<CharacterKind, string> = {
  text: '.',
  reasoning: 'r',
  'call-name': 'N',
  argument: 'a',
  markup: 'm',
  repaired: '~',
  'at-fault': '!',
};

/** From the events' ranges alone. */
export function readByLibrary(dialect: Dialect, text: string, options: ParserOptions): string {
  const each = paint(eventsOf(dialect, [text], options));
  return Array.from({ length: text.length }, (_, at) => {
    const kind = each[at];
    return kind === undefined ? '?' : letters[kind];
  }).join('');
}

export interface Asked {
  text: string;
  dialect: string;
  tools: unknown;
  thinking: boolean;
}

/** All of them through the script that Read itself reads with, in a worker of the browser. */
export async function readByWorker(page: Page, script: string, asked: readonly Asked[]): Promise<string[]> {
  const found = await page.evaluate(
    async ({ script, json }) => {
      const asked: unknown[] = JSON.parse(json);
      const worker = new Worker(script, { type: 'module' });
      const read = (input: unknown, id: number) =>
        new Promise<{ starts: number[]; kinds: number[]; end: number }>((resolve, reject) => {
          worker.onerror = () => reject(new Error('the worker broke'));
          worker.onmessage = ({ data }) => {
            if ('failed' in data) return reject(new Error(data.failed));
            const { starts, kinds, end } = data.result.reading.segments as Segments;
            resolve({ starts: [...starts], kinds: [...kinds], end });
          };
          worker.postMessage({ type: 'read', id, input });
        });
      const all: Awaited<ReturnType<typeof read>>[] = [];
      for (const [id, input] of asked.entries()) all.push(await read(input, id));
      worker.terminate();
      return all;
    },
    // As text: what carries arguments into the page would take a key `__proto__` for a prototype.
    { script, json: JSON.stringify(asked) },
  );
  return found.map(({ starts, kinds: places, end }) =>
    starts.map((start, at) => letterAt(places[at]).repeat((starts[at + 1] ?? end) - start)).join(''),
  );
}

const letterAt = (place: number | undefined) => letters[kinds[place ?? -1] ?? 'text'];

/** As the editor of Read shows it, from the top as far as it is drawn. The ends of lines have no colour. */
export async function readFromScreen(page: Page): Promise<string> {
  const lines = await page.getByRole('textbox', { name: 'What the model wrote' }).evaluate((content) => {
    const end = [...content.children].findIndex((child) => child.classList.contains('cm-gap'));
    const drawn = [...content.children].slice(0, end < 0 ? undefined : end);
    const runsOf = (node: Node): { classes: string; length: number }[] => {
      const parent = node instanceof Element ? node : node.parentElement;
      const classes = parent?.closest('.read-as')?.className ?? '';
      if (node instanceof Text) return [{ classes, length: node.data.length }];
      // Characters that cannot be seen are drawn as a sign each.
      if (parent?.classList.contains('cm-specialChar')) return [{ classes, length: 1 }];
      return [...node.childNodes].flatMap(runsOf);
    };
    return drawn.map(runsOf);
  });
  return lines
    .map((runs) => runs.map(({ classes, length }) => letterOf(classes).repeat(length)).join(''))
    .join('\n');
}

function letterOf(classes: string): string {
  const kind = kinds.find((one) => classes.split(' ').includes(one));
  return letters[kind ?? 'text'];
}

/** The same, without the colours of what ends a line. */
export function asDrawn(text: string, read: string): string {
  return text
    .split('')
    .map((character, at) => (character === '\n' ? '\n' : read[at]))
    .join('');
}
