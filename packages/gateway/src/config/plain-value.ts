// Copies what a program exports, as data.

import { setMember } from '@dragoman/core/internal';

const MAX_DEPTH = 64;

/** Copies a value; functions and the like stay, and are refused by the shape. */
export function plainValue(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) throw new RangeError('the configuration is nested too deeply, or holds itself');
  if (Array.isArray(value)) return value.map((item) => plainValue(item, depth + 1));
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) setMember(copy, key, plainValue(member, depth + 1));
  }
  return copy;
}
