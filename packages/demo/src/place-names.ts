// Names in a question: `Beijing`, `New York` and `Rio de Janeiro`; `beijing` behind `in`; 北京 in Chinese.

import { chineseParts, isChinese, stem } from './words.js';

interface Token {
  text: string;
  /** A word, or one character of punctuation. */
  isWord: boolean;
  /** The first word of a sentence. */
  isFirst: boolean;
}

const JOINS = new Set(['and', 'or', '&', 'plus']);
const LINKS = new Set([
  'de',
  'da',
  'do',
  'del',
  'la',
  'le',
  'el',
  'of',
  'the',
  'am',
  'der',
  'den',
  'van',
  'von',
  'sur',
]);
const BEFORE = new Set(['in', 'for', 'at', 'of', 'near', 'around', 'from', 'to', 'between']);
const ENDS = new Set(
  (
    'today tomorrow yesterday now right currently please this next tonight on with using by is are was will be like ' +
    'in for at of from to as if when then thanks and or but during over'
  ).split(' '),
);
const ARTICLES = new Set(['the', 'a', 'an', 'both', 'my', 'our', 'this', 'city']);
/** Written large, and no names. */
const NO_NAMES = new Set(
  (
    'i i’m i’ll what which who how when where why is are was were do does did can could would should will please ' +
    'tell give get show list find search look compare check read open run the a an and or in at of for from to ' +
    'weather hello hi hey thanks celsius fahrenheit monday tuesday wednesday thursday friday saturday sunday ' +
    'ok yes no now today tomorrow let use call write create add make send delete'
  ).split(' '),
);

/** In order, each once. Words in `ignored` (as stems) are what the question is about, not a name in it. */
export function placeNames(text: string, ignored: ReadonlySet<string>): string[] {
  const chinese = chineseNames(text);
  if (chinese.length > 0) return chinese;
  const tokens = tokensOf(text);
  const large = largeNames(tokens, ignored);
  return [...new Set(large.length > 0 ? large : namesBehind(tokens, ignored))];
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let isFirst = true;
  for (const [piece] of text.matchAll(/[\p{L}\p{M}\p{N}'’-]+|[^\s]/gu)) {
    const isWord = /[\p{L}\p{N}]/u.test(piece);
    tokens.push({ text: piece, isWord, isFirst: isWord && isFirst });
    if (isWord) isFirst = false;
    else if ('.!?:。？！'.includes(piece)) isFirst = true;
  }
  return tokens;
}

// --- written large -------------------------------------------------------------------------------------

function largeNames(tokens: readonly Token[], ignored: ReadonlySet<string>): string[] {
  const runs: { name: string; end: number; isSure: boolean }[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (!isLarge(tokens[at], ignored)) continue;
    let end = at + 1;
    let name = tokens[at]?.text ?? '';
    for (;;) {
      const link = LINKS.has(tokens[end]?.text ?? '') ? 1 : 0;
      if (!isLarge(tokens[end + link], ignored)) break;
      name += tokens
        .slice(end, end + link + 1)
        .map(({ text }) => ` ${text}`)
        .join('');
      end += link + 1;
    }
    const before = runs.at(-1);
    // `Paris, France` is one place; `Paris, London and Rome` are three.
    if (before && isPair(tokens, before.end, at, end, ignored)) before.name += `, ${name}`;
    else runs.push({ name: withoutOwner(name), end, isSure: isSure(tokens, at, end) });
    at = end - 1;
  }
  const sure = runs.filter((run) => run.isSure);
  return (sure.length > 0 ? sure : runs).map(({ name }) => name);
}

/** Any word is large at the start of a sentence: it is a name for sure if it is one of a list. */
function isSure(tokens: readonly Token[], start: number, end: number): boolean {
  const next = tokens[end]?.text ?? '';
  return tokens[start]?.isFirst !== true || next === ',' || JOINS.has(next);
}

function isLarge(token: Token | undefined, ignored: ReadonlySet<string>): boolean {
  if (!token?.isWord || !/^\p{Lu}/u.test(token.text)) return false;
  const small = withoutOwner(token.text.toLowerCase());
  return !NO_NAMES.has(small) && !ignored.has(stem(small));
}

/** One comma between two names, and no list around them. */
function isPair(
  tokens: readonly Token[],
  end: number,
  start: number,
  next: number,
  ignored: ReadonlySet<string>,
): boolean {
  if (start !== end + 1 || tokens[end]?.text !== ',') return false;
  const goesOn = tokens[next]?.text === ',' || JOINS.has(tokens[next]?.text ?? '');
  const wasList = tokens.slice(0, end).filter(({ text }) => text === ',').length > 0;
  return !wasList && !(goesOn && isLarge(tokens[next + 1] ?? tokens[next], ignored)) && !goesOn;
}

function withoutOwner(name: string): string {
  return name.endsWith("'s") || name.endsWith('’s') ? name.slice(0, -2) : name;
}

// --- behind a preposition ------------------------------------------------------------------------------

function namesBehind(tokens: readonly Token[], ignored: ReadonlySet<string>): string[] {
  for (let at = 0; at < tokens.length; at++) {
    if (!BEFORE.has(tokens[at]?.text.toLowerCase() ?? '')) continue;
    const names = itemsFrom(tokens, at + 1, ignored);
    if (names.length > 0) return names;
  }
  return [];
}

function itemsFrom(tokens: readonly Token[], from: number, ignored: ReadonlySet<string>): string[] {
  const items: string[][] = [[]];
  for (const { text, isWord } of tokens.slice(from)) {
    const small = text.toLowerCase();
    if (JOINS.has(small) || text === ',') items.push([]);
    else if (!isWord || ENDS.has(small)) break;
    else if (ARTICLES.has(small)) continue;
    else if (ignored.has(stem(small))) return [];
    else items.at(-1)?.push(text);
  }
  return items.map((words) => words.join(' ')).filter((item) => item !== '' && !/^[0-9.]+$/.test(item));
}

// --- Chinese -------------------------------------------------------------------------------------------

/** Names that hold a character which joins others. */
const WHOLE = ['呼和浩特', '和田', '和平', '广州', '有明'];
const CHINESE_JOINS = [
  '以及',
  '和',
  '与',
  '跟',
  '及',
  '、',
  '，',
  ',',
  ' ',
  '。',
  '？',
  '?',
  '！',
  '!',
  '：',
  ':',
];

/** What is left when the words of the dictionary are gone. */
function chineseNames(text: string): string[] {
  const names = new Set<string>();
  for (const part of chineseParts(text)) {
    if (typeof part !== 'string') continue;
    for (const name of splitChinese(part)) names.add(name);
  }
  return [...names];
}

function splitChinese(text: string): string[] {
  const names: string[] = [''];
  for (let at = 0; at < text.length; ) {
    const whole = WHOLE.find((name) => text.startsWith(name, at));
    const join = whole ? undefined : CHINESE_JOINS.find((word) => text.startsWith(word, at));
    if (join) names.push('');
    else names[names.length - 1] += whole ?? text.charAt(at);
    at += (whole ?? join ?? ' ').length;
  }
  return names.filter((name) => name.length > 1 && isChinese(name.charCodeAt(0)));
}
