// The start of a JSON object, closed where it was cut: what was written whole is kept, what was not is dropped.
//
//   {"city": "Paris", "days": [1, 2   becomes   {"city": "Paris", "days": [1]}
//
// A string that was cut is kept as far as it goes; a number or a word is not: 2 may be the start of 20.

import { type JsonObject, parseExact } from '@dragoman/core';

/** JSON text, or undefined where nothing can be saved. Not for running: for showing what was meant. */
export function completeJson(text: string): string | undefined {
  if (isObjectText(text)) return text;
  const { closers, safe, openString } = scan(text);
  const candidates = [
    ...(openString ? [`${withoutHalfEscape(text)}"${closers}`] : []),
    `${safe.text}${safe.closers}`,
  ];
  return candidates.find(isObjectText);
}

function isObjectText(text: string): boolean {
  try {
    const value = parseExact(text) as unknown as JsonObject | null;
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

interface Scan {
  /** What closes everything that is open at the end. */
  closers: string;
  openString: boolean;
  /** The longest start that becomes whole by closing brackets alone. */
  safe: { text: string; closers: string };
}

/** One walk. A cut is safe behind an opening bracket, behind a closing one, and before a comma. */
function scan(text: string): Scan {
  const open: string[] = [];
  let inString = false;
  let safeEnd = 0;
  let safeClosers = '';
  const isSafe = (end: number) => {
    safeEnd = end;
    safeClosers = open.toReversed().join('');
  };
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (inString) {
      if (character === '\\') at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') {
      open.push(character === '{' ? '}' : ']');
      isSafe(at + 1);
    } else if (character === '}' || character === ']') {
      open.pop();
      isSafe(at + 1);
    } else if (character === ',') isSafe(at);
  }
  const safe = { text: text.slice(0, safeEnd), closers: safeClosers };
  return { closers: open.toReversed().join(''), openString: inString, safe };
}

/** Without `\` or `\u00` at the end, if the backslash is not escaped itself. */
function withoutHalfEscape(text: string): string {
  const tail = text.slice(-5);
  const at = tail.search(/\\(?:u[0-9a-fA-F]{0,3})?$/);
  if (at < 0) return text;
  const slash = text.length - tail.length + at;
  let before = 0;
  while (text.charAt(slash - 1 - before) === '\\') before++;
  return before % 2 === 0 ? text.slice(0, slash) : text;
}
