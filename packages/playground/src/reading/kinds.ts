// The kinds of characters: what each was read as. Their words are in words/.

import type { en } from '../words/en.js';

export type CharacterKind = keyof typeof en.kinds;

export const kinds: readonly CharacterKind[] = [
  'text',
  'reasoning',
  'call-name',
  'argument',
  'markup',
  'repaired',
  'at-fault',
];
