// How many threads there are, and how much each converts at a time. Imports little, because it runs before the rest is
// loaded.

import { availableParallelism } from 'node:os';
import type { Sizes } from '@dragoman/convert/files';
import type { Arguments } from '../arguments.js';
import { CommandError } from '../command-error.js';

const BLOCK_SIZE = 1024 * 1024;

export function readSizes(args: Arguments): Sizes {
  return {
    // Programs that use filters start one for each core.
    jobs: wholeNumber(args, 'jobs') ?? (args.has('jsonl') ? 1 : availableParallelism()),
    blockSize: byteCount(args, 'block-size') ?? BLOCK_SIZE,
  };
}

export function wholeNumber(args: Arguments, name: string): number | undefined {
  const text = args.value(name);
  if (text === undefined) return undefined;
  if (/^[1-9][0-9]{0,3}$/.test(text)) return Number(text);
  throw new CommandError(`--${name}: expected a whole number from 1 to 9999, found ${text}`);
}

const UNITS = new Map([
  ['', 1],
  ['k', 1024],
  ['m', 1024 ** 2],
  ['g', 1024 ** 3],
]);
const MOST = 1024 ** 3;

/** Reads `65536`, `64k`, `4M`. */
function byteCount(args: Arguments, name: string): number | undefined {
  const text = args.value(name);
  if (text === undefined) return undefined;
  const [, digits, unit = ''] = /^([1-9][0-9]{0,9})([kmg]?)(?:i?b)?$/i.exec(text) ?? [];
  const bytes = Number(digits) * (UNITS.get(unit.toLowerCase()) ?? Number.NaN);
  if (bytes <= MOST) return bytes;
  throw new CommandError(`--${name}: expected bytes up to 1G, such as 65536, 64k or 4M, found ${text}`);
}
