// Whether JSON text holds a number whose spelling JavaScript would change: `1.0`, `1e2`, `-0`, `12345678901234567890`.
//
// If numbers only follow keys, `indexOf` finds each colon. Most colons have no number after them, and most numbers in
// strings are ruled out by the characters beside them. Only if a doubt remains, or if there are numbers in lists, the
// whole text is scanned with its strings.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The text must be valid JSON: for any other the result means nothing. `inLists`: there are numbers in lists, too. */
export function hasOddNumber(text: string, inLists: boolean): boolean {
  if (inLists) return scan(text);
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    const start = afterSpace(text, colon + 1);
    const code = text.charCodeAt(start);
    if (code > 0x39 || code < 0x2d || !isNumeral(code)) continue;
    const end = numberEnd(text, start + 1);
    if (!isPlainNumber(text, start, end) && isBehindKey(text, colon) && isComplete(text, end))
      return scan(text);
  }
  return false;
}

function isNumeral(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    code === 0x2e ||
    code === 0x65 ||
    code === 0x45 ||
    code === 0x2b ||
    code === 0x2d
  );
}

function numberEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && isNumeral(text.charCodeAt(end))) end++;
  return end;
}

function isPlainNumber(text: string, start: number, end: number): boolean {
  if (end === start + 1) return text.charCodeAt(start) !== 0x2d;
  const number = text.slice(start, end);
  return String(Number(number)) === number;
}

/** Whether the colon follows a key: inside of strings the quote before it would be escaped. */
function isBehindKey(text: string, colon: number): boolean {
  const quote = beforeSpace(text, colon - 1);
  return text.charCodeAt(quote) === QUOTE && !isEscaped(text, quote, 0);
}

function isComplete(text: string, end: number): boolean {
  const next = text[afterSpace(text, end)];
  return next === undefined || next === ',' || next === '}';
}

function afterSpace(text: string, start: number): number {
  let at = start;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

function beforeSpace(text: string, start: number): number {
  let at = start;
  while (isSpace(text.charCodeAt(at))) at--;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Whether an odd number of backslashes comes before it. */
function isEscaped(text: string, at: number, start: number): boolean {
  let before = at - 1;
  while (before >= start && text.charCodeAt(before) === BACKSLASH) before--;
  return (at - before) % 2 === 0;
}

/** Decides by a full scan of every number outside of strings. */
function scan(text: string): boolean {
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = closingQuote(text, at + 1) + 1;
    else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      const end = numberEnd(text, at + 1);
      if (!isPlainNumber(text, at, end)) return true;
      at = end;
    } else at++;
  }
  return false;
}

/** Gives the index of the quote that ends a string, or the end of the text. */
function closingQuote(text: string, start: number): number {
  let at = text.indexOf('"', start);
  while (at >= 0 && isEscaped(text, at, start)) at = text.indexOf('"', at + 1);
  return at < 0 ? text.length : at;
}
