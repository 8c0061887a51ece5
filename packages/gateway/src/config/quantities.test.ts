import { expect, it } from 'vitest';
import { parseDuration, parseSize } from './shape-parts.js';

it.each([
  [1500, 1500],
  ['1500', 1500],
  ['500ms', 500],
  ['30s', 30_000],
  ['1.5s', 1500],
  ['2m', 120_000],
  ['1 h', 3_600_000],
  ['30D', 2_592_000_000],
  [0, 0],
])('%s is a time', (written, expected) => {
  expect(parseDuration(written)).toBe(expected);
});

it.each([
  [1024, 1024],
  ['64KB', 65_536],
  ['64kib', 65_536],
  ['32MB', 33_554_432],
  ['1.5 m', 1_572_864],
  ['1g', 1_073_741_824],
])('%s is a size', (written, expected) => {
  expect(parseSize(written)).toBe(expected);
});

it.each([
  '',
  's',
  '-1s',
  '1,5s',
  '1y',
  '1s2m',
  '0.1ms',
  '99999999999999999',
  'NaN',
  Number.NaN,
  Infinity,
  -1,
  0.5,
])('%s is neither', (written) => {
  expect(parseDuration(written)).toBeUndefined();
  expect(parseSize(written)).toBeUndefined();
});
