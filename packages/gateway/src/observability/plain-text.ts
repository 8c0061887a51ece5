// Decodes a log line under any number of layers of JSON escapes: `a\\u002db` and `a-b` are the same word. Backslashes are
// removed, escapes decoded, and every character keeps its position in the line.

const BACKSLASH = 0x5c;
const QUOTE = 0x22;
const controls = new Map([
  [0x6e, 0x0a],
  [0x74, 0x09],
  [0x72, 0x0d],
  [0x62, 0x08],
  [0x66, 0x0c],
]);

export interface PlainText {
  readonly text: string;
  /** Where the character at this place begins and ends in the line, with its backslashes. */
  start(at: number): number;
  end(at: number): number;
  /** The same text, where a line break and the letter of its escape are one: what a secret is looked for in. */
  readonly folded: string;
  /** Where characters stand that were written as numbers. */
  readonly numbered: readonly number[];
  /** Such a one without its backslash: `u002d`. */
  bare(at: number): string | undefined;
  /** A quote that opens or closes a string of the outermost JSON. */
  isFrame(at: number): boolean;
}

export function toPlainText(line: string): PlainText {
  return line.includes('\\') ? decoded(line) : asItIs(line);
}

function asItIs(line: string): PlainText {
  return {
    text: line,
    folded: fold(line),
    numbered: [],
    start: (at) => at,
    end: (at) => at + 1,
    bare: () => undefined,
    isFrame: (at) => line.charCodeAt(at) === QUOTE,
  };
}

function decoded(line: string): PlainText {
  const ends = new Int32Array(line.length);
  const kinds = new Uint8Array(line.length);
  const pieces: string[] = [];
  const numbered: number[] = [];
  let count = 0;
  for (let at = 0; at < line.length; ) {
    const slash = line.indexOf('\\', at);
    const plainEnd = slash < 0 ? line.length : slash;
    pieces.push(line.slice(at, plainEnd));
    while (at < plainEnd) ends[count++] = ++at;
    if (slash < 0) break;
    at += slashesAt(line, at);
    const { value, length } = codeAt(line, at);
    if (length === 0) break;
    at += length;
    pieces.push(String.fromCharCode(value));
    if (length > 1) numbered.push(count);
    ends[count] = at;
    kinds[count++] = length > 1 ? NUMBERED : isFree(line, at - 1) ? FREE : ESCAPED;
  }
  const text = pieces.join('');
  return {
    text,
    folded: fold(text),
    numbered,
    start: (at) => (at === 0 ? 0 : (ends[at - 1] ?? 0)),
    end: (at) => ends[at] ?? line.length,
    bare: (at) => (kinds[at] === NUMBERED ? line.slice(ends[at]! - 5, ends[at]) : undefined),
    isFrame: (at) => kinds[at] === FREE && text.charCodeAt(at) === QUOTE,
  };
}

const FREE = 0;
const ESCAPED = 1;
const NUMBERED = 2;

/** Whether an even number of backslashes stands before it: they escape each other. */
function isFree(line: string, at: number): boolean {
  let before = at;
  while (line.charCodeAt(before - 1) === BACKSLASH) before--;
  return (at - before) % 2 === 0;
}

const letters = new Map(
  [...controls].map(([letter, control]) => [String.fromCharCode(control), String.fromCharCode(letter)]),
);

/** Under several layers nobody can tell a line break from a backslash and an `n`. */
function fold(text: string): string {
  return text.replace(/[\b\t\n\f\r]/g, (control) => letters.get(control) ?? control);
}

/** The length of a run of backslashes; behind the first also such as are written as numbers. */
function slashesAt(line: string, from: number): number {
  let at = from;
  for (;;) {
    if (line.charCodeAt(at) === BACKSLASH) at++;
    else if (at > from && line.charCodeAt(at) === 0x75 && hexAt(line, at + 1) === BACKSLASH) at += 5;
    else return at - from;
  }
}

/** The character behind backslashes. */
function codeAt(line: string, at: number): { value: number; length: number } {
  if (at >= line.length) return { value: BACKSLASH, length: 0 };
  const value = line.charCodeAt(at);
  const unicode = value === 0x75 ? hexAt(line, at + 1) : -1;
  if (unicode >= 0) return { value: unicode, length: 5 };
  return { value: controls.get(value) ?? value, length: 1 };
}

/** Four hex digits, or -1. */
function hexAt(line: string, at: number): number {
  const digits = line.slice(at, at + 4);
  return /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : -1;
}
