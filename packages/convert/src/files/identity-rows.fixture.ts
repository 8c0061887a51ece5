// Rows that convert to themselves, so that tests see only how the input is cut.

import { RowError } from '../forms/form.js';
import type { Settings } from './block.js';
import type { CreateConvertLine } from './convert-block.js';

/** A row with the letter x in it is bad; one with the letter l loses something. */
export const identityRows: CreateConvertLine = () => (text) => {
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
