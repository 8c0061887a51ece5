// The data for shell completion: the verbs and their options, derived from the verbs themselves.

import type { Completes } from '../command.js';
import { optionsOf } from '../common-options.js';
import { verbs } from '../verbs.js';

export interface CompletableOption {
  name: string;
  short?: string;
  about: string;
  many: boolean;
  /** Absent: the option takes no value. Empty: it takes a value without suggestions. */
  value?: Completes;
}

export interface CompletableVerb {
  name: string;
  about: string;
  options: CompletableOption[];
  /** Suggestions for positional arguments. */
  words: Completes;
}

/** Loads every verb. For completion, `help` counts as one. */
export async function completableVerbs(): Promise<CompletableVerb[]> {
  const loaded = await Promise.all(
    verbs.map(async ({ name, about, load }) => {
      const command = await load();
      const options = optionsOf(command).map((option) => ({
        name: option.name,
        ...(option.short !== undefined && { short: option.short }),
        about: firstSentence(option.about),
        many: option.many,
        ...(option.value !== undefined && { value: option.completes ?? [] }),
      }));
      return { name, about, options, words: command.words ?? [] };
    }),
  );
  const topics = [...verbs.map(({ name }) => name), 'exit-codes'];
  return [...loaded, { name: 'help', about: 'explain a verb, with examples', options: [], words: topics }];
}

/** Cuts a description for a list of suggestions. */
function firstSentence(text: string): string {
  const end = text.search(/[.:;](?: |$)/);
  return end < 0 ? text : text.slice(0, end);
}

/** Puts text in single quotes, in which no shell expands anything. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
