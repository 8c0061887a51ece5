// How much a call looks as a dialect itself would have written it. Related dialects read each other's calls; what they
// write differs.

import { parseExact, renderMessages } from '@dragoman/core';
import type { ReadCall, Reading } from './reading.js';

/** Longer calls are told apart long before their end. */
const LOOK = 2000;

/** Characters, from the start of the first call on, that the dialect would have written just so. */
export function spelledAlike(dialect: string, text: string, { calls }: Reading): number {
  const call = calls.find(({ state }) => state === 'complete');
  if (!call || call.raw.length > LOOK) return 0;
  const written = text.slice(...call.range).trimStart();
  const own = spelled(dialect, call).trimStart();
  let same = 0;
  while (same < own.length && same < written.length && own[same] === written[same]) same++;
  return same;
}

function spelled(dialect: string, { name, raw }: ReadCall): string {
  const call = { type: 'tool-call', id: 'call_1', name, input: parseExact(raw) };
  const messages = [
    { role: 'user', content: '' },
    { role: 'assistant', content: [call] },
  ];
  try {
    const rendered = renderMessages(dialect, { messages, tools: [{ name }] }, { safety: 'exact' });
    return rendered.messages.findLast(({ role }) => role === 'assistant')?.content ?? '';
  } catch {
    // A name or a value that this dialect cannot spell.
    return '';
  }
}
