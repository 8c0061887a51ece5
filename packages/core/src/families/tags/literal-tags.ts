// Matches tags that have one spelling each.

import { matchLiteral, NO, NOT_YET } from '../../engine/markers.js';
import type { Tag, TaggedSpelling, TagKind } from './tagged-spelling.js';

/** Tags of reasoning inside a call: skipped with a repair. */
export const STRAY_THINK = { '<think>': 'stray-think', '</think>': 'stray-think' } as const;

export function literalTags(kinds: Record<string, TagKind | 'stray-think'>): TaggedSpelling['tag'] {
  const tags = Object.entries(kinds).map(([text, kind]): [string, Tag] => {
    const { length } = text;
    return [text, kind === 'stray-think' ? { kind: 'token', length, repair: kind } : { kind, length }];
  });
  return (text, at, ended) => {
    let undecided = false;
    for (const [literal, tag] of tags) {
      const found = matchLiteral(text, at, literal, ended);
      if (found > 0) return tag;
      if (found === NOT_YET) undecided = true;
    }
    return undecided ? NOT_YET : NO;
  };
}
