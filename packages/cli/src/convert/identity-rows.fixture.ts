// Rows that convert to themselves, so that nothing but the cutting is seen.

import { RowError } from '@dragoman/convert';
import type { Settings } from './block.js';
import type { LoadRows } from './row-converter.js';

/** A row with the letter x in it is bad; one with the letter l loses something. */
export const identityRows: LoadRows = async () => (text) => {
  if (text.includes('x')) throw new RowError('at', `found x in ${text.length} characters`);
  const notes = text.includes('l') ? [{ kind: 'loss' as const, code: 'extra' as const, path: 'l' }] : [];
  return { text, notes, calls: 1 };
};

export const identitySettings: Settings = {
  from: { form: 'openai' },
  to: { form: 'openai' },
  compression: 'none',
  lineLimit: 64,
  strict: false,
};
