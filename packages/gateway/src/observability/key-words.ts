// Finds words that look like API keys, and words in places where a key belongs. One pass: each pattern is tried only
// where a word begins with one of its first letters, and takes linear time.

/** The prefixes of vendors' keys. Dots at the end are the sentence's. */
const key = /(?:sk-|sk_|rk-|rk_|pk-|pk_|gsk_|hf_|r8_|xai-|nvapi-|sess-|AIza|eyJ)[A-Za-z0-9_.~+/=*-]*(?<!\.)/y;
const bearer = /(bearer[ \t-\r]+)[A-Za-z0-9_.~+/=*-]*(?<!\.)/iy;
/** The names of keys in headers, URLs and settings, and what stands before their value. */
const name =
  /(?:authorization|api-key|api_key|apikey|auth_token|auth-token|access_token|password|cookie|set-cookie)([ \t"':=,[(]{0,12})/iy;
/** One word, and one more behind `Basic` and the like. */
const value = /(?:(?:bearer|basic|token|digest)[ \t-\r])?[^ \t-\r,;&"'(){}[\]<>]*/iy;

/** No word of any language is this long behind a prefix or `Bearer`; keys are much longer. */
const MIN_LENGTH = 12;
/** Values that are no secrets. */
const empty = new Set(['null', 'true', 'false', 'undefined', '[hidden]']);

type Range = readonly [start: number, end: number];

/** The first letters of all of them, in either case. */
const firsts = new Uint8Array(128);
for (const letter of 'srpghxnaebcSRPGHXNAEBC') firsts[letter.charCodeAt(0)] = 1;

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
  return tokenAt(key, text, at) ?? valueAt(text, at) ?? tokenAt(bearer, text, at);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** `sk-…`, `Bearer …` */
function tokenAt(pattern: RegExp, text: string, at: number): Range | undefined {
  const [whole = '', before = ''] = matchAt(pattern, text, at) ?? [];
  return whole.length - before.length >= MIN_LENGTH ? [at + before.length, at + whole.length] : undefined;
}

/** `x-api-key: …`, `"x-api-key":"…"`, `["x-api-key","…"]`, `api_key=…` */
function valueAt(text: string, at: number): Range | undefined {
  const [whole = '', joint = ''] = matchAt(name, text, at) ?? [];
  if (!joint.includes(':') && !joint.includes('=') && !joint.includes('",')) return undefined;
  const start = at + whole.length;
  const end = valueEnd(text, start, joint.at(-1) ?? '');
  return end > start && !empty.has(text.slice(start, end)) ? [start, end] : undefined;
}

function valueEnd(text: string, start: number, last: string): number {
  if (last !== '"' && last !== "'") return start + (matchAt(value, text, start)?.[0].length ?? 0);
  const end = text.indexOf(last, start);
  return end < 0 ? text.length : end;
}

function isLetterOrDigit(code: number): boolean {
  const letter = code | 0x20;
  return (code >= 0x30 && code <= 0x39) || (letter >= 0x61 && letter <= 0x7a);
}
