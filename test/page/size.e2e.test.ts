// What the page weighs when it is sent compressed: everything, the workers and all views. What is loaded first is
// measured in page.e2e.test.ts.

import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { built, expectBuilt } from './built.js';
import { compressedSize } from './first-load.js';

const MOST = 400 * 1024;

it('the page is smaller than 400 KB compressed', () => {
  expectBuilt();
  const files = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.\w+$/.test(name),
  );
  const sum = files.reduce((total, name) => total + compressedSize(name), 0);
  console.log(`The page: ${(sum / 1024).toFixed(1)} KB compressed, in ${files.length} files`);
  expect(files).toContain('index.html');
  expect(sum).toBeGreaterThan(0);
  expect(sum).toBeLessThan(MOST);
});
