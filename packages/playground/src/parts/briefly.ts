// One line that says what a JSON value holds.

import { ExactNumber, type ExactValue, exactEntries } from '@dragoman/core';

const MAX = 80;

/** `open`: its members stand below, so that their number is enough. */
export function briefly(value: ExactValue, open: boolean): string {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return leaf(value);
  const list = Array.isArray(value);
  const size = list ? value.length : exactEntries(value).length;
  const count = `${size} ${list ? (size === 1 ? 'item' : 'items') : size === 1 ? 'member' : 'members'}`;
  if (open) return count;
  const inner = firstMembers(value);
  return list ? `[${inner}] ${count}` : `{${inner}} ${count}`;
}

function firstMembers(value: Exclude<ExactValue, string | number | boolean | null | ExactNumber>): string {
  const parts: string[] = [];
  let length = 0;
  const members = Array.isArray(value) ? value.entries() : exactEntries(value);
  for (const [key, member] of members) {
    if (length > MAX) return `${parts.join(', ')}, …`;
    const part = typeof key === 'number' ? leaf(member) : `${key}: ${leaf(member)}`;
    parts.push(part);
    length += part.length + 2;
  }
  return parts.join(', ');
}

function leaf(value: ExactValue): string {
  if (value instanceof ExactNumber) return value.text;
  if (Array.isArray(value)) return value.length > 0 ? '[…]' : '[]';
  if (typeof value === 'object' && value !== null) return exactEntries(value).length > 0 ? '{…}' : '{}';
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
