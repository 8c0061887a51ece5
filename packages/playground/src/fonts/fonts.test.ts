// The fonts of the page have every sign of the dialects. If one is missing, run make.mjs.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { charactersOfDialects, isChinese, SIGNS, WIDE } from './characters.mjs';

const css = readFileSync(new URL('fonts.css', import.meta.url), 'utf8');

const ranges = [...css.matchAll(/U\+([0-9A-F]{1,6})(?:-([0-9A-F]{1,6}))?/g)].map(
  ([, from = '', to = from]) => [Number.parseInt(from, 16), Number.parseInt(to, 16)] as const,
);

const isThere = (character: string) => {
  const code = character.codePointAt(0) ?? 0;
  return ranges.some(([from, to]) => from <= code && code <= to);
};

it('have every sign of the dialects, and the signs of the page', () => {
  const wanted = [...charactersOfDialects().filter((one) => !isChinese(one)), ...SIGNS, ...WIDE];
  expect(wanted).toContain('｜');
  expect(wanted).toContain('▁');
  expect(wanted.filter((one) => !isThere(one))).toEqual([]);
});

it('are small', () => {
  const folder = new URL('.', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.woff2'));
  const sizes = Object.fromEntries(files.map((name) => [name, statSync(new URL(name, folder)).size]));
  expect(Object.keys(sizes).sort()).toEqual(['signs.woff2', 'wide.woff2']);
  expect((sizes['signs.woff2'] ?? 0) + (sizes['wide.woff2'] ?? 0)).toBeLessThan(4 * 1024);
});
