// Tags that have one spelling each.

import { matchLiteral, NO, NOT_YET } from '../../codec/markers.js';
import type { Tag, TaggedSpelling, TagKind } from './tagged.js';

export function literalTags(kinds: Record<string, TagKind>): TaggedSpelling['tag'] {
  const tags: [string, Tag][] = Object.entries(kinds).map(([text, kind]) => [
    text,
    { kind, length: text.length },
  ]);
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
