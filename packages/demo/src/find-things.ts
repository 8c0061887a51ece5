// Finds the things that a question names, by what they look like. Each is removed from the text once it is found, so
// that a path is not also a name.

import { EMPTY_WORDS, stem } from './words.js';

export interface Things {
  /** The question itself. */
  text: string;
  /** Texts between quotes; between backticks. */
  quoted: string[];
  code: string[];
  urls: string[];
  paths: string[];
  numbers: number[];
  /** Names of places, people and other things. */
  names: string[];
  /** The text after `for` or `about`: what is searched for. */
  topic?: string;
}

const CODE = /`([^`\n]+)`/g;
const QUOTES = [/"([^"\n]+)"/g, /“([^“”\n]+)”/g, / '([^'\n]+)'/g];

/** Words in `ignored` (as stems) are the question's subject, not names in it: `Weather in Paris`. */
export function findThings(text: string, ignored: ReadonlySet<string> = new Set()): Things {
  const things: Things = { text, quoted: [], code: [], urls: [], paths: [], numbers: [], names: [] };
  let unquoted = text;
  const take = (pattern: RegExp, list: string[]) => {
    list.push(...[...unquoted.matchAll(pattern)].map((match) => match[1] ?? ''));
    unquoted = unquoted.replaceAll(pattern, ' ');
  };
  take(CODE, things.code);
  for (const pattern of QUOTES) take(pattern, things.quoted);
  const rest = unquoted.split(/(\s)/).filter((word) => !takeWord(word, things));
  things.names = [...new Set(namesIn(rest.join(''), ignored))];
  const topic = trimPunctuation(
    unquoted
      .split(/ (?:for|about) /)
      .slice(1)
      .join(' for ')
      .trim(),
  );
  return topic === '' ? things : { ...things, topic };
}

/** Takes the word if it is a URL or a path; takes the numbers in any other. */
function takeWord(word: string, things: Things): boolean {
  const bare = trimPunctuation(word);
  const list = /^https?:\/\//.test(bare) ? things.urls : isPath(bare) ? things.paths : undefined;
  list?.push(bare);
  if (!list) things.numbers.push(...(word.match(/(?:^-)?\d+(?:\.\d+)?/g) ?? []).map(Number));
  return list !== undefined;
}

function trimPunctuation(word: string): string {
  let end = word.length;
  while (end > 0 && '.,;:!?)]}'.includes(word.charAt(end - 1))) end--;
  return word.slice(0, end).replace(/^[([{]+/, '');
}

/** Whether it is a path: `src/app.ts`, `README.md`, `/tmp`, `~/x`; not `and/or`, not `3.5`. */
function isPath(word: string): boolean {
  if (!/^[\w.~@+*/-]+$/.test(word)) return false;
  if (/^(?:\.|\.\.|README|LICENSE|Makefile|Dockerfile)$/.test(word)) return true;
  if (/^(?:\/|\.\/|~\/|\*\.)/.test(word) || /\.[A-Za-z][A-Za-z0-9]{0,5}$/.test(word)) return true;
  return /[A-Za-z]/.test(word) && word.includes('/') && !/^[A-Za-z]{1,4}\/[A-Za-z]{1,4}$/.test(word);
}

// --- names ---------------------------------------------------------------------------------------------

const NAME =
  /\p{Lu}[\p{L}\p{M}\p{N}-]*(?: (?:(?:de|da|del|la|of|the|van|von) )?\p{Lu}[\p{L}\p{M}\p{N}-]*)*/gu;
/** Capitalised words that are no names, besides the empty words. */
const NO_NAMES = new Set(
  'list find search look compare check read open run ok write create add make send delete celsius fahrenheit'.split(
    ' ',
  ),
);
const BEFORE_NAMES = /\b(?:in|for|at|of|near|from|to) (?:the |my )?/;
const BEHIND_NAMES =
  /[.!?;:]| (?:today|tomorrow|now|right|currently|please|this|next|tonight|on|with|is|are|was|will|like|in|for|at|over)\b/;

/** Finds `Beijing`, `New York` and `Rio de Janeiro`; `beijing` after `in`. */
function namesIn(text: string, ignored: ReadonlySet<string>): string[] {
  const large = largeNames(text, ignored);
  if (large.length > 0) return large;
  const [, behind = ''] = text.split(BEFORE_NAMES);
  const [list = ''] = behind.split(BEHIND_NAMES);
  const names = list.split(/ and | or |,/).map((name) => name.trim());
  return names.filter((name) => /^\p{L}/u.test(name) && !ignored.has(stem(name.toLowerCase())));
}

function largeNames(text: string, ignored: ReadonlySet<string>): string[] {
  const isName = (word: string) => {
    const small = word.toLowerCase();
    return !EMPTY_WORDS.has(small) && !NO_NAMES.has(small) && !ignored.has(stem(small));
  };
  const names = [...text.matchAll(NAME)].flatMap(({ 0: run, index }) => {
    const words = run.split(' ');
    const start = words.findIndex(isName);
    // Any word is capitalised at the start of a sentence: it is a name if it begins a list.
    const isFirst = start === 0 && /^\s*$|[.!?:]\s*$/.test(text.slice(Math.max(0, index - 3), index));
    const isListed = /^(?:,| and | or )/.test(text.slice(index + run.length, index + run.length + 5));
    const name = start < 0 ? [] : words.slice(isFirst && !isListed ? start + 1 : start);
    return name.length > 0 ? [name.join(' ')] : [];
  });
  const [one, two] = names;
  // `Paris, France` is one place; `Paris, London and Rome` are three.
  return names.length === 2 && text.includes(`${one}, ${two}`) ? [`${one}, ${two}`] : names;
}
