// Closes a JSON object that was cut off: complete members are kept, incomplete ones are dropped.
//
//   {"city": "Paris", "days": [1, 2   becomes   {"city": "Paris", "days": [1]}
//
// Of a string that was cut the start is kept. A number or a word is dropped: 2 may be the start of 20.

import { type JsonObject, parseExact } from '@dragoman/core';

/** Gives JSON text, or undefined where nothing can be completed. For display only: such a call is never run. */
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

interface JsonScan {
  /** The brackets that close everything that is open at the end. */
  closers: string;
  openString: boolean;
  /** The longest prefix that closing brackets alone make valid. */
  safe: { text: string; closers: string };
}

/** Scans the text once. A cut is safe after an opening or a closing bracket, and before a comma. */
function scan(text: string): JsonScan {
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

/** Removes an incomplete escape such as `\` or `\u00` from the end, unless its backslash is escaped itself. */
function withoutHalfEscape(text: string): string {
  const tail = text.slice(-5);
  const at = tail.search(/\\(?:u[0-9a-fA-F]{0,3})?$/);
  if (at < 0) return text;
  const slash = text.length - tail.length + at;
  let before = 0;
  while (text.charAt(slash - 1 - before) === '\\') before++;
  return before % 2 === 0 ? text.slice(0, slash) : text;
}
