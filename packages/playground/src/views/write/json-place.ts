// Finds the range of a path in a JSON text: `messages[1].tool_calls[0].function.arguments` → the characters of that
// value. The text is valid JSON; a path that does not exist gives the nearest value around it.

import { stringEnd } from './draft.js';

export interface TextRange {
  from: number;
  to: number;
}

export function placeOf(json: string, path: string): TextRange {
  let place = { from: skipSpace(json, 0), to: json.length };
  for (const step of stepsOf(path)) {
    const next = childOf(json, place.from, step);
    if (next === undefined) break;
    place = next;
  }
  return { from: place.from, to: valueEnd(json, place.from) };
}

/** The line, from 1. */
export function lineOf(text: string, at: number): number {
  let line = 1;
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', next + 1)) line++;
  return line;
}

/** `a.b[2]["c d"]` → a, b, 2, "c d". */
export function stepsOf(path: string): (string | number)[] {
  const steps: (string | number)[] = [];
  let at = 0;
  while (at < path.length) {
    if (path.charAt(at) === '[') {
      const end = path.charAt(at + 1) === '"' ? stringEnd(path, at + 1) : path.indexOf(']', at);
      const inner = path.slice(at + 1, end < 0 ? path.length : end);
      steps.push(inner.startsWith('"') ? readString(inner) : Number(inner));
      at = end < 0 ? path.length : end + 1;
      if (path.charAt(at - 1) !== ']') at++;
    } else {
      const start = path.charAt(at) === '.' ? at + 1 : at;
      let end = start;
      while (end < path.length && path.charAt(end) !== '.' && path.charAt(end) !== '[') end++;
      if (end > start) steps.push(path.slice(start, end));
      at = Math.max(end, at + 1);
    }
  }
  return steps;
}

function childOf(json: string, from: number, step: string | number): TextRange | undefined {
  const opener = json.charAt(from);
  if (opener !== (typeof step === 'number' ? '[' : '{')) return undefined;
  let at = skipSpace(json, from + 1);
  for (let index = 0; at < json.length && json.charAt(at) !== '}' && json.charAt(at) !== ']'; index++) {
    let key: string | number = index;
    if (opener === '{') {
      const end = stringEnd(json, at);
      key = readString(json.slice(at, end));
      at = skipSpace(json, skipSpace(json, end) + 1);
    }
    const end = valueEnd(json, at);
    if (key === step) return { from: at, to: end };
    at = skipSpace(json, end);
    if (json.charAt(at) === ',') at = skipSpace(json, at + 1);
  }
  return undefined;
}

/** Gives the offset after the value that begins at `from`. Counts brackets, so depth costs no stack. */
function valueEnd(json: string, from: number): number {
  let depth = 0;
  for (let at = from; at < json.length; ) {
    const character = json.charAt(at);
    if (character === '"') {
      at = stringEnd(json, at);
      if (depth === 0) return at;
      continue;
    }
    if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') {
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (depth === 0 && (character === ',' || isSpace(character))) return at;
    at++;
  }
  return json.length;
}

function skipSpace(json: string, from: number): number {
  let at = from;
  while (at < json.length && isSpace(json.charAt(at))) at++;
  return at;
}

const isSpace = (character: string) => ' \n\r\t'.includes(character);

function readString(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}
