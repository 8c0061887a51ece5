// A member with one spelling or several: the first is written, all are read.

import type { Spellings } from '../../engine/declaration.js';

export function listOf(spellings: Spellings | undefined): readonly string[] {
  return spellings === undefined ? [] : typeof spellings === 'string' ? [spellings] : spellings;
}
