// The sentences above a column.

import { countWords } from '../../parts/count-words.js';
import type { Comparison, Drawn } from './draw.js';
import type { Options } from './state.js';

const count = (number: number, word: string) => `${countWords(number)} ${word}${number === 1 ? '' : 's'}`;

export function lengthSentence({ characters, tokens }: Drawn): string {
  return `${count(characters, 'character')}, about ${count(tokens, 'token')}`;
}

export interface SafetySentence {
  kind: 'quiet' | 'safe' | 'forged';
  text: string;
}

/** States whether text from outside could forge frames or calls here. */
export function safetySentence({ marks, safety }: Drawn, policy: Options['safety']): SafetySentence {
  const { found, expected } = safety;
  const act =
    safety.counted === 'frames' ? `${count(found, 'marker')} act` : `a reader finds ${count(found, 'call')}`;
  if (found !== expected) {
    const why = policy === 'exact' ? ' The policy “exact” leaves outside text as it is.' : '';
    return { kind: 'forged', text: `Forged: ${act}, with harmless text it would be ${expected}.${why}` };
  }
  if (marks.broken.length > 0) {
    const same = `${act[0]?.toUpperCase()}${act.slice(1)}, as many as with harmless text.`;
    return {
      kind: 'safe',
      text: `Neutralised: ${fate(marks.broken.length - safety.held, safety.held)}. ${same}`,
    };
  }
  return { kind: 'quiet', text: `Nothing from outside looks like a marker of this dialect; ${act}.` };
}

/** Describes what happened to the markers from outside. */
function fate(broken: number, held: number): string {
  const fates = [
    ...(broken > 0
      ? [`${count(broken, 'marker')} from outside ${broken === 1 ? 'was' : 'were'} broken`]
      : []),
    ...(held > 0
      ? [
          `${count(held, 'marker')} from outside ${held === 1 ? 'stands in a frame that it' : 'stand in frames that they'} cannot end`,
        ]
      : []),
  ];
  return fates.join(', and ');
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
