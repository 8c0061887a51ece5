// What the page weighs when it is sent compressed: everything, the workers and all views; and what runs the
// tiny model, which is loaded by a click, on its own. The documentation beside it and the licences of the
// fonts, which the page never loads, are not counted. What is loaded first is measured in page.e2e.test.ts.

import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { built, expectBuilt } from './built.js';
import { compressedSize } from './first-load.js';

const MOST = 400 * 1024;
const MOST_OF_TINY = 84 * 1024;
const isTiny = (name: string) => /\btiny-/.test(name);

it('the page is smaller than 400 KB compressed', () => {
  expectBuilt();
  const files = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.\w+$/.test(name) && !/^site\b|\.txt$/.test(name),
  );
  const sizeOf = (names: readonly string[]) => names.reduce((total, name) => total + compressedSize(name), 0);
  const sum = sizeOf(files.filter((name) => !isTiny(name)));
  const tiny = sizeOf(files.filter(isTiny));
  console.log(
    `The page: ${(sum / 1024).toFixed(1)} KB compressed, in ${files.length} files; ${(tiny / 1024).toFixed(1)} KB for the tiny model`,
  );
  expect(files).toContain('index.html');
  expect(sum).toBeGreaterThan(0);
  expect(sum).toBeLessThan(MOST);
  expect(tiny).toBeGreaterThan(0);
  expect(tiny).toBeLessThan(MOST_OF_TINY);
});
