// Wordings that only the training has, as data: thousands of ways to say the same. They were written without a look at the
// unseen ones; what is equal to one of those is left out here.

import { readFileSync } from 'node:fs';

type Spoken = Readonly<Record<'en' | 'zh', readonly string[]>>;

function read<Content>(name: string): Content {
  return JSON.parse(readFileSync(new URL(`../words/${name}.json`, import.meta.url), 'utf8')) as Content;
}

const FILES = {
  everyday: read<Record<string, Spoken>>('everyday'),
  phrases: read<Record<string, Spoken>>('phrases'),
  verbs: read<Record<string, Spoken>>('verbs'),
};

/** What users say beside requests, by the answer to it. */
export const MORE_TALK = read<Readonly<Record<'en' | 'zh', Record<string, readonly string[]>>>>('talk');

/** Wordings of one meaning. `trained`: those of the training; the others are for the frozen test. */
export interface Wordings {
  seen: readonly string[];
  unseen: readonly string[];
  trained: readonly string[];
}

/** Adds the wordings of the file: `wordings('phrases', 'place', 'en', seen, unseen)`. */
export function wordings(
  file: keyof typeof FILES,
  key: string,
  language: 'en' | 'zh',
  seen: readonly string[],
  unseen: readonly string[],
): Wordings {
  const held = new Set(unseen.map(plain));
  const more = (FILES[file][key]?.[language] ?? []).filter((one) => !held.has(plain(one)));
  return { seen, unseen, trained: [...seen, ...more] };
}

/** Case, blanks and marks at the end make no other wording. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/ => .*/, '')
    .replace(/[\s.,;:!?。，；：！？]+/g, ' ')
    .trim();
}
