// Finds words that look like API keys, and words in places where a key belongs. One pass, no regular expressions.

/** The prefixes of vendors' keys. */
const prefixes = 'sk- sk_ rk- rk_ pk- pk_ gsk_ hf_ r8_ xai- nvapi- sess- AIza eyJ'.split(' ');
/** The names of keys in headers, URLs and settings. */
const names =
  'authorization api-key api_key apikey auth_token auth-token access_token password cookie set-cookie'.split(
    ' ',
  );
const schemes = ['bearer', 'basic', 'token', 'digest'];

/** No word of any language is this long behind a prefix or `Bearer`; keys are much longer. */
const MIN_LENGTH = 12;
/** At most so many characters stand between a name and its value. */
const MAX_BETWEEN = 12;
/** Values that are no secrets. */
const empty = new Set(['null', 'true', 'false', 'undefined', '[hidden]']);

type Finder = (text: string, at: number, word: string) => Range | undefined;
type Range = readonly [start: number, end: number];

/** By their first letters, in either case. */
const firsts = new Uint8Array(128);
const rules = new Map<string, { word: string; find: Finder }[]>();
for (const word of prefixes) addRule(word, keyAt);
for (const word of names) addRule(word, valueAt);
addRule('bearer', bearerAt);

function addRule(word: string, find: Finder): void {
  const first = word.charAt(0).toLowerCase();
  rules.set(first, [...(rules.get(first) ?? []), { word, find }]);
  firsts[first.charCodeAt(0)] = 1;
  firsts[first.toUpperCase().charCodeAt(0)] = 1;
}

/** The next place where such a word could begin, or the end: few characters get past this. */
export function nextWord(text: string, from: number): number {
  let before = from > 0 && isLetterOrDigit(text.charCodeAt(from - 1));
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (!before && firsts[code] === 1) return at;
    before = isLetterOrDigit(code);
  }
  return text.length;
}

/** The range to hide because of the word that begins here. */
export function keyWordAt(text: string, at: number): Range | undefined {
  for (const { word, find } of rules.get(text.charAt(at).toLowerCase()) ?? []) {
    const range = find(text, at, word);
    if (range) return range;
  }
  return undefined;
}

/** `sk-…` */
function keyAt(text: string, at: number, prefix: string): Range | undefined {
  if (!text.startsWith(prefix, at)) return undefined;
  const end = tokenEnd(text, at);
  return end - at >= MIN_LENGTH ? [at, end] : undefined;
}

/** `Bearer …` */
function bearerAt(text: string, at: number, word: string): Range | undefined {
  if (!hasWord(text, at, word)) return undefined;
  let start = at + word.length;
  while (isSpace(text.charCodeAt(start))) start++;
  if (start === at + word.length) return undefined;
  const end = tokenEnd(text, start);
  return end - start >= MIN_LENGTH ? [start, end] : undefined;
}

/** `x-api-key: …`, `"x-api-key":"…"`, `["x-api-key","…"]`, `api_key=…` */
function valueAt(text: string, at: number, name: string): Range | undefined {
  if (!hasWord(text, at, name)) return undefined;
  const between = betweenEnd(text, at + name.length);
  const joint = text.slice(at + name.length, between);
  if (!joint.includes(':') && !joint.includes('=') && !joint.includes('",')) return undefined;
  const last = joint.at(-1) ?? '';
  const quoted = last === '"' || last === "'";
  const end = quoted ? quoteEnd(text, between, last) : wordsEnd(text, between);
  return end > between && !empty.has(text.slice(between, end)) ? [between, end] : undefined;
}

function hasWord(text: string, at: number, word: string): boolean {
  return text.length >= at + word.length && text.slice(at, at + word.length).toLowerCase() === word;
}

function betweenEnd(text: string, at: number): number {
  let end = at;
  while (end < at + MAX_BETWEEN && end < text.length && ' \t"\':=,[('.includes(text.charAt(end))) end++;
  return end;
}

function quoteEnd(text: string, at: number, quote: string): number {
  const end = text.indexOf(quote, at);
  return end < 0 ? text.length : end;
}

/** One word, and one more behind `Basic` and the like. */
function wordsEnd(text: string, at: number): number {
  const end = wordEnd(text, at);
  if (!schemes.includes(text.slice(at, end).toLowerCase()) || !isSpace(text.charCodeAt(end))) return end;
  return wordEnd(text, end + 1);
}

function wordEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && !isSpace(text.charCodeAt(end)) && !',;&"\'(){}[]<>'.includes(text.charAt(end)))
    end++;
  return end;
}

/** Dots at the end are the sentence's. */
function tokenEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && isTokenCode(text.charCodeAt(end))) end++;
  while (end > at && text.charAt(end - 1) === '.') end--;
  return end;
}

function isTokenCode(code: number): boolean {
  return isLetterOrDigit(code) || '-_.~+/=*'.includes(String.fromCharCode(code));
}

function isLetterOrDigit(code: number): boolean {
  const letter = code | 0x20;
  return (code >= 0x30 && code <= 0x39) || (letter >= 0x61 && letter <= 0x7a);
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}
