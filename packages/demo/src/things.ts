// The things a question names, by what they look like. Each is taken out of the text once it is found, so that a
// path is not also a name.

import { placeNames } from './place-names.js';

export interface Things {
  /** The question itself. */
  text: string;
  /** Between quotes; between backticks. */
  quoted: string[];
  code: string[];
  urls: string[];
  emails: string[];
  paths: string[];
  /** ISO dates. */
  dates: string[];
  numbers: number[];
  /** Names of places, people and other things, in order. */
  names: string[];
  /** Something to calculate. */
  expression?: string;
  /** What follows `for`, `about` and the like: what is searched for. */
  topic?: string;
}

const QUOTES: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ['“', '”'],
  ['「', '」'],
  ['《', '》'],
  [" '", "'"],
];

export function thingsIn(text: string, ignored: ReadonlySet<string> = new Set()): Things {
  const code = takeBetween(text, '`', '`');
  let rest = code.rest;
  const quoted: string[] = [];
  for (const [open, close] of QUOTES) {
    const found = takeBetween(rest, open, close);
    quoted.push(...found.found);
    rest = found.rest;
  }
  const words = takeWords(rest);
  return {
    text,
    quoted,
    code: code.found,
    ...words.taken,
    names: placeNames(words.rest, ignored),
    ...optional('expression', expressionIn(words.rest)),
    ...optional('topic', topicIn(rest)),
  };
}

function optional<K extends string>(key: K, value: string | undefined): Partial<Record<K, string>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, string>);
}

/** Line breaks end what opens on a line. */
function takeBetween(text: string, open: string, close: string): { found: string[]; rest: string } {
  const found: string[] = [];
  let rest = '';
  let done = 0;
  for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, done)) {
    const start = at + open.length;
    const end = text.indexOf(close, start);
    if (end < 0) break;
    const inner = text.slice(start, end);
    if (inner.trim() !== '' && !inner.includes('\n')) {
      found.push(inner);
      rest += `${text.slice(done, at)} `;
    } else rest += text.slice(done, end + close.length);
    done = end + close.length;
  }
  return { found, rest: rest + text.slice(done) };
}

// --- words that are told by their looks ----------------------------------------------------------------

type Looks = Pick<Things, 'urls' | 'emails' | 'paths' | 'dates' | 'numbers'>;

function takeWords(text: string): { taken: Looks; rest: string } {
  const taken: Looks = { urls: [], emails: [], paths: [], dates: [], numbers: [] };
  const rest = text
    .split(' ')
    .map((piece) =>
      piece
        .split('\n')
        .map((word) => (takeWord(word, taken) ? '' : word))
        .join('\n'),
    )
    .join(' ');
  return { taken, rest };
}

function takeWord(word: string, taken: Looks): boolean {
  const bare = withoutPunctuation(word);
  if (bare.startsWith('http://') || bare.startsWith('https://')) taken.urls.push(bare);
  else if (isEmail(bare)) taken.emails.push(bare);
  else if (/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(bare)) taken.dates.push(bare);
  else if (isPath(bare)) taken.paths.push(bare);
  else {
    // A numeral stays in the text: it may be part of something to calculate.
    for (const numeral of word.match(/[0-9]+(?:\.[0-9]+)?/g) ?? []) taken.numbers.push(signed(word, numeral));
    return false;
  }
  return true;
}

function signed(word: string, numeral: string): number {
  return word.startsWith(`-${numeral}`) ? -Number(numeral) : Number(numeral);
}

function withoutPunctuation(word: string): string {
  let end = word.length;
  while (end > 0 && '.,;:!?)]}。，？！；：'.includes(word.charAt(end - 1))) end--;
  let start = 0;
  while (start < end && '([{'.includes(word.charAt(start))) start++;
  return word.slice(start, end);
}

function isEmail(word: string): boolean {
  const at = word.indexOf('@');
  return at > 0 && word.indexOf('.', at) > at + 1 && !word.endsWith('.');
}

const FILES = new Set(['README', 'LICENSE', 'Makefile', 'Dockerfile', 'CHANGELOG', '.', '..']);

/** `src/app.ts`, `README.md`, `/tmp`, `~/x`; not `and/or`, not `3.5`. */
function isPath(word: string): boolean {
  if (FILES.has(word)) return word !== '';
  if (!/^[A-Za-z0-9_.~@+*/-]+$/.test(word) || !/[A-Za-z*]/.test(word)) return false;
  if (word.startsWith('/') || word.startsWith('./') || word.startsWith('~/') || word.startsWith('*.'))
    return true;
  const dot = word.lastIndexOf('.');
  const extension = dot > 0 || word.startsWith('.') ? word.slice(dot + 1) : '';
  if (/^[A-Za-z][A-Za-z0-9]{0,5}$/.test(extension) && !word.includes('..')) return true;
  return word.includes('/') && !/^[A-Za-z]{1,4}\/[A-Za-z]{1,4}$/.test(word);
}

// --- phrases -------------------------------------------------------------------------------------------

/** The longest run of numerals and operators that has both. */
function expressionIn(text: string): string | undefined {
  let best: string | undefined;
  for (const run of text.match(/[0-9+*/^().% -]+/g) ?? []) {
    const bare = run.trim();
    const computes = /[0-9]/.test(bare) && /[+*/^%-]/.test(bare.slice(1));
    if (computes && bare.length > (best?.length ?? 0)) best = bare;
  }
  return best;
}

const BEFORE_TOPIC = [' for ', ' about ', ' regarding ', '搜索', '查找', '关于'];

function topicIn(text: string): string | undefined {
  const padded = ` ${text}`;
  for (const words of BEFORE_TOPIC) {
    const at = padded.indexOf(words);
    const topic = at < 0 ? '' : withoutPunctuation(padded.slice(at + words.length).trim());
    if (topic !== '') return topic;
  }
  return undefined;
}
