// What a parameter is for, by the words of its name, or else of its description.

import { isChinese, meaning, stem, wordsOf } from './words.js';

export type ParameterKind =
  | 'name'
  | 'path'
  | 'url'
  | 'email'
  | 'command'
  | 'pattern'
  | 'date'
  | 'expression'
  | 'summary'
  | 'text'
  | 'other';

const KINDS: readonly (readonly [ParameterKind, string])[] = [
  ['command', 'command cmd script'],
  ['url', 'url uri link href website'],
  ['email', 'email mail recipient'],
  ['pattern', 'pattern glob regex'],
  ['path', 'path file filename filepath dir directory folder'],
  [
    'name',
    'city cities location locations place town country region address destination origin area station airport name person symbol',
  ],
  ['date', 'date day when'],
  ['expression', 'expression formula equation calculation'],
  ['summary', 'description reason explanation purpose justification'],
  [
    'text',
    'query q search keyword keywords term question prompt topic text content message body input title subject task',
  ],
];

const byWord = new Map<string, ParameterKind>(
  KINDS.flatMap(([kind, words]) => words.split(' ').map((word) => [stem(word), kind] as const)),
);

export function parameterKind(name: string, description: unknown): ParameterKind {
  return kindIn(wordsOf(name).map(stem)) ?? kindIn(descriptionWords(description)) ?? 'other';
}

/** The last word of a name says what it is: `file_url` is a URL. */
function kindIn(words: readonly string[]): ParameterKind | undefined {
  for (const word of words.toReversed()) {
    const kind = byWord.get(word);
    if (kind !== undefined) return kind;
  }
  return undefined;
}

function descriptionWords(description: unknown): string[] {
  if (typeof description !== 'string') return [];
  const start = description.slice(0, 60);
  const words = wordsOf(start).map(stem);
  return [...start].some((character) => isChinese(character.charCodeAt(0))) ? [...meaning(start)] : words;
}
