// Describes the result of reading the text in random chunks.

import type { ShuffleResult } from '../../reading/index.js';
import type { Words } from '../../words/words.js';

export function shuffleWords(
  { runs, pieces, smallest, largest, differs }: ShuffleResult,
  { shuffle: words }: Words,
): string {
  const tried = words.tried(runs, pieces, smallest, largest);
  if (!differs) return `${tried}: ${words.same}`;
  const lengths = `${differs.slice(0, 20).join(', ')}${differs.length > 20 ? ' …' : ''}`;
  return `${tried}: ${words.changed(lengths)}`;
}
