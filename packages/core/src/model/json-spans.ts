// Where the values of a JSON text end, without reading them: a string is passed in jumps from quote to quote. Only the
// brackets and quotes are looked at, so the caller must parse what it takes from the text.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENER = 0x7b;
const CLOSER = 0x7d;
/** A bracket has this bit where it is a brace. */
const BRACE = 0x20;
const SPACES = new Set([0x20, 0x0a, 0x0d, 0x09]);
const AFTER_WORD = new Set([0x2c, 0x5d, 0x7d, ...SPACES]);

/** Gives the end of the value that begins here; -1 if it has none. */
export function endOfValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return endOfString(text, start);
  if ((first | BRACE) !== OPENER) return endOfWord(text, start);
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at) - 1;
      if (at < 0) return -1;
    } else if ((code | BRACE) === OPENER) depth++;
    else if ((code | BRACE) === CLOSER && --depth === 0) return at + 1;
  }
  return -1;
}

function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote >= 0 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote + 1 || -1;
}

/** Every backslash is counted for one quote only, so this stays linear. */
function isEscaped(text: string, quote: number): boolean {
  let at = quote;
  while (text.charCodeAt(at - 1) === BACKSLASH) at--;
  return (quote - at) % 2 === 1;
}

function endOfWord(text: string, start: number): number {
  let at = start;
  while (at < text.length && !AFTER_WORD.has(text.charCodeAt(at))) at++;
  return at;
}

/** Whether a value that goes up to here ends here. */
export function endsAt(text: string, at: number): boolean {
  return AFTER_WORD.has(text.charCodeAt(at));
}

/** Gives the place of the next character that is no white space. */
export function skipSpace(text: string, start: number): number {
  let at = start;
  while (SPACES.has(text.charCodeAt(at))) at++;
  return at;
}

/** A member of an object: its key, and the place of its value. */
export interface MemberSpan {
  key: string;
  start: number;
  end: number;
}

/**
 * Reads the member at `at`, and the comma before it unless it is the first. Undefined if there is none, or none that can
 * be read. The value of a member of the name `open` is not passed: it ends where it starts.
 */
export function memberAt(
  text: string,
  from: number,
  isFirst: boolean,
  open?: string,
): MemberSpan | undefined {
  let at = skipSpace(text, from);
  if (!isFirst) {
    if (text[at] !== ',') return undefined;
    at = skipSpace(text, at + 1);
  }
  const end = text[at] === '"' ? endOfString(text, at) : -1;
  if (end < 0) return undefined;
  const key = keyOf(text.slice(at, end));
  at = skipSpace(text, end);
  if (key === undefined || text[at] !== ':') return undefined;
  const start = skipSpace(text, at + 1);
  const over = key === open ? start : endOfValue(text, start);
  return over < 0 ? undefined : { key, start, end: over };
}

function keyOf(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return undefined;
  }
}
