// What is said above a column, in words.

import type { Comparison, Drawn } from './draw.js';
import type { Options } from './state.js';

const count = (number: number, word: string) =>
  `${number.toLocaleString('en')} ${word}${number === 1 ? '' : 's'}`;

export function lengthSentence({ characters, tokens }: Drawn): string {
  return `${count(characters, 'character')}, about ${count(tokens, 'token')}`;
}

export interface Verdict {
  kind: 'quiet' | 'safe' | 'forged';
  text: string;
}

/** Whether text from outside could forge anything here. */
export function safetySentence({ marks, safety, ours }: Drawn, policy: Options['safety']): Verdict {
  const unit = safety.counted === 'frames' ? 'frame' : 'call';
  const broken = marks.broken.length;
  if (safety.found !== safety.expected) {
    const forged = Math.max(marks.forged.length, safety.found - safety.expected);
    const why = policy === 'exact' ? ' The policy “exact” leaves outside text as it is.' : '';
    const instead = `${count(safety.found, unit)} instead of ${safety.expected}`;
    return {
      kind: 'forged',
      text: `Outside text acts here: ${count(forged, `forged ${unit}`)}, ${instead}.${why}`,
    };
  }
  const same = `${count(safety.found, unit)}, as many as with harmless text`;
  if (broken > 0) {
    const were = broken === 1 ? 'was' : 'were';
    return {
      kind: 'safe',
      text: `Neutralised: ${count(broken, 'marker')} from outside ${were} broken. ${same}.`,
    };
  }
  if (ours.length === 0) return { kind: 'quiet', text: 'No markers here: all of it is from outside.' };
  return {
    kind: 'quiet',
    text: `No outside text looks like a marker of this dialect. ${count(safety.found, unit)}.`,
  };
}

export function comparisonSentence(
  { different, comparison }: { different: Drawn['different']; comparison?: Comparison | undefined },
  nameOf: (column: number) => string,
): string | undefined {
  if (!comparison) return undefined;
  const other = nameOf(comparison.with);
  const percent = Math.floor(comparison.shared * 100);
  if (comparison.tooDifferent) return `Too different from ${other} to mark: ${percent} % is shared.`;
  if (different.length === 0 && comparison.shared === 1) return `The same text as ${other}.`;
  return `${count(different.length, 'place')} not in ${other}; ${percent} % is shared.`;
}
