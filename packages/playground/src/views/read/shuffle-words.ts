// Describes the result of reading the text in random chunks.

import { countWords } from '../../parts/count-words.js';
import type { ShuffleResult } from '../../reading/index.js';

export function shuffleWords({ runs, pieces, smallest, largest, differs }: ShuffleResult): string {
  const tried = `Cut anew ${runs} times at random, into ${countWords(pieces)} chunks of ${smallest} to ${largest} characters`;
  if (!differs)
    return `${tried}: nothing changed. Every cutting gives the same calls, text, issues and repairs.`;
  const lengths = differs.slice(0, 20).join(', ');
  return `${tried}: something changed! With chunks of ${lengths}${differs.length > 20 ? ' …' : ''} characters the reading was another. This is a fault of the parser: please report it with this text.`;
}
