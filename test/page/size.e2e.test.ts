// What the page weighs when it is sent compressed: everything, the workers and all views.

import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { expect, it } from 'vitest';
import { BROTLI_QUALITY } from '../../packages/gateway/src/server/page-files.js';
import { built, expectBuilt } from './built.js';

const MOST = 300 * 1024;

/** As the gateway sends it. */
const compressed = (bytes: Buffer) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });

it('the page is smaller than 300 KB compressed', () => {
  expectBuilt();
  const files = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.\w+$/.test(name),
  );
  const sizes = files.map((name) => compressed(readFileSync(new URL(name, built))).length);
  const sum = sizes.reduce((total, size) => total + size, 0);
  console.log(`The page: ${(sum / 1024).toFixed(1)} KB compressed, in ${files.length} files`);
  expect(files).toContain('index.html');
  expect(sum).toBeGreaterThan(0);
  expect(sum).toBeLessThan(MOST);
});
