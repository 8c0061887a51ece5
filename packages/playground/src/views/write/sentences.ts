// The sentences above a column.

import { words } from '../../words/words.js';
import type { Comparison, Drawn } from './draw.js';
import type { Options } from './state.js';

/** `counted`: by a tokenizer; else the tokens are estimated. */
export function lengthSentence({ characters, tokens }: Drawn, counted?: number): string {
  const { write } = words();
  return counted === undefined ? write.length(characters, tokens) : write.counted(characters, counted);
}

export interface SafetySentence {
  kind: 'quiet' | 'safe' | 'forged';
  text: string;
}

/** States whether text from outside could forge frames or calls here. */
export function safetySentence({ marks, safety }: Drawn, policy: Options['safety']): SafetySentence {
  const { write } = words();
  const { found, expected } = safety;
  const act = safety.counted === 'frames' ? write.markersAct(found) : write.callsFound(found);
  if (found !== expected) return { kind: 'forged', text: write.forged(act, expected, policy === 'exact') };
  if (marks.broken.length > 0)
    return { kind: 'safe', text: write.neutralised(marks.broken.length - safety.held, safety.held, act) };
  return { kind: 'quiet', text: write.quiet(act) };
}

export function comparisonSentence(
  { different, comparison }: { different: Drawn['different']; comparison?: Comparison | undefined },
  nameOf: (column: number) => string,
): string | undefined {
  if (!comparison) return undefined;
  const { write } = words();
  const other = nameOf(comparison.with);
  const percent = Math.floor(comparison.shared * 100);
  if (comparison.tooDifferent) return write.tooDifferent(other, percent);
  if (different.length === 0 && comparison.shared === 1) return write.sameText(other);
  return write.differs(different.length, other, percent);
}
