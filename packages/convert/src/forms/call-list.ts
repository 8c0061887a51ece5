// Reads and writes calls as ToolACE spells them, a list of call expressions with values in Python's spelling:
//
//     [Market Trends API(trend_type="MARKET_INDEXES", country="us"), get.user(id=7, tags=["a", None])]
//      ^ name: anything but brackets, quotes and the like
//
// A key that cannot come before a `=` is spelled as in Python, `**{"odd key": 1}`. A list is one of calls if it is the
// whole value, or begins a line and ends the value; anywhere else it is text.

import type { ExactValue, ToolCall } from '@dragoman/core/internal';
import { ExactNumber, exactEntries, readPythonLiteral, stringifyJson } from '@dragoman/core/internal';
import { parseJson } from '../quick/plain-json.js';
import { exactInput } from './call-input.js';
import { makeCall } from './call-json.js';
import type { NoteCode } from './codes.js';
import type { Frames } from './frame-text.js';

export interface CallList {
  calls: ToolCall[];
  notes: NoteCode[];
  /** The index of the list's opening bracket, and the index after its closing one. */
  start: number;
  end: number;
}

const NAME_LIMIT = 200;
/** How many lists are tried: each costs a parse, and after these the rest is text. */
const TRIES = 8;
const FORBIDDEN = '()[]{}=,"\'\\\n\r';

/** Finds the list that ends this text, or that the text begins with. */
export function findCallList(text: string): CallList | undefined {
  let tries = 0;
  const { acts } = listFrames(text);
  for (let at = text.indexOf('['); at >= 0 && tries < TRIES; at = text.indexOf('[', at + 1)) {
    if (!acts(text, at, at + 1)) continue;
    tries += 1;
    const list = new ListReader(text, at).read();
    if (list && (text.slice(list.end).trim() === '' || text.slice(0, at).trim() === '')) return list;
  }
  return undefined;
}

/** Finds where a list may begin: at the start of the text or of a line, with a name and a parenthesis. */
export function listFrames(text: string): Frames {
  const first = text.length - text.trimStart().length;
  return {
    firsts: '[',
    acts: (_, at, tail) =>
      (at === first || at === 0 || text.charAt(at - 1) === '\n') && nameEnd(text, tail) > 0,
  };
}

/** Gives the index of the parenthesis after a name, or -1. */
function nameEnd(text: string, start: number): number {
  for (let at = start; at < text.length && at - start <= NAME_LIMIT; at++) {
    const char = text.charAt(at);
    if (char === '(') return text.slice(start, at).trim() === '' ? -1 : at;
    if (FORBIDDEN.includes(char)) return -1;
  }
  return -1;
}

// ---------------------------------------------------------------- reading

class ListReader {
  readonly #notes = new Map<string, NoteCode>();
  #at: number;

  constructor(
    readonly text: string,
    readonly start: number,
  ) {
    this.#at = start + 1;
  }

  read(): CallList | undefined {
    const calls: ToolCall[] = [];
    do {
      const call = this.#call();
      if (!call) return undefined;
      calls.push(call);
    } while (this.#take(','));
    if (!this.#take(']')) return undefined;
    return { calls, notes: [...this.#notes.values()], start: this.start, end: this.#at };
  }

  #call(): ToolCall | undefined {
    this.#space();
    const end = nameEnd(this.text, this.#at);
    if (end < 0) return undefined;
    const name = this.text.slice(this.#at, end).trim();
    this.#at = end + 1;
    const members = new Map<string, string>();
    while (!this.#take(')')) {
      if (!this.#argument(members)) return undefined;
      if (!this.#take(',') && this.text.charAt(this.#at) !== ')') return undefined;
    }
    const json = [...members].map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',');
    return makeCall(name, parseJson(`{${json}}`));
  }

  #argument(members: Map<string, string>): boolean {
    if (this.#take('**')) return this.#spread(members);
    const key = this.#key();
    const value = key === undefined ? undefined : this.#value();
    if (key === undefined || value === undefined) return false;
    this.#add(members, key, value);
    return true;
  }

  #key(): string | undefined {
    const start = this.#at;
    while (this.#at < this.text.length && !FORBIDDEN.includes(this.text.charAt(this.#at))) this.#at += 1;
    const key = this.text.slice(start, this.#at).trim();
    return key !== '' && this.#take('=') ? key : undefined;
  }

  #spread(members: Map<string, string>): boolean {
    const json = this.#value();
    if (!json?.startsWith('{')) return false;
    for (const [key, value] of exactEntries(parseJson(json) as Map<string, ExactValue>)) {
      this.#add(members, key, stringifyJson(value, 'compact'));
    }
    return true;
  }

  #add(members: Map<string, string>, key: string, json: string): void {
    if (members.has(key)) this.#note({ kind: 'issue', code: 'duplicate-key' });
    members.set(key, json);
  }

  /** Reads the value at this position, as JSON. */
  #value(): string | undefined {
    const end = valueEnd(this.text, this.#at);
    if (end < 0) return undefined;
    const written = this.text.slice(this.#at, end).trim();
    this.#at = end;
    const read = readPythonLiteral(written, { maxDepth: 1000 });
    if (!read.ok) return this.#guessed(written);
    for (const { code } of read.repairs) this.#note({ kind: 'repair', code });
    if (read.duplicates.length > 0) this.#note({ kind: 'issue', code: 'duplicate-key' });
    return read.json;
  }

  /** Reads a value with unescaped quotes, or words without quotes, as text. */
  #guessed(written: string): string | undefined {
    const quote = written.charAt(0);
    if ((quote === '"' || quote === "'") && written.length > 1 && written.endsWith(quote)) {
      this.#note({ kind: 'repair', code: 'unescaped-quote' });
      return JSON.stringify(written.slice(1, -1));
    }
    for (const char of '[]{}("\'=') if (written.includes(char)) return undefined;
    if (written === '') return undefined;
    this.#note({ kind: 'issue', code: 'wrong-type' });
    return JSON.stringify(written);
  }

  #note(note: NoteCode): void {
    this.#notes.set(`${note.kind} ${note.code}`, note);
  }

  #space(): void {
    while (this.#at < this.text.length && ' \t\n\r'.includes(this.text.charAt(this.#at))) this.#at += 1;
  }

  #take(token: string): boolean {
    this.#space();
    if (!this.text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    this.#space();
    return true;
  }
}

/** Gives the index of the comma or parenthesis after the value; -1 if the text ends before. */
function valueEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"' || char === "'") {
      at = stringEnd(text, at, char);
      if (at < 0) return -1;
    } else if (depth === 0 && (char === ',' || char === ')')) return at;
    else if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char)) depth -= 1;
    if (depth < 0) return -1;
  }
  return -1;
}

/** Gives the index of the last character of the string that opens here, or -1. */
function stringEnd(text: string, start: number, quote: string): number {
  const closer = text.startsWith(quote.repeat(3), start) ? quote.repeat(3) : quote;
  for (let at = start + closer.length; at < text.length; at++) {
    if (text.charAt(at) === '\\') at += 1;
    else if (text.startsWith(closer, at)) return at + closer.length - 1;
  }
  return -1;
}

// ---------------------------------------------------------------- writing

/** Writes the calls; undefined if a name cannot be written here. */
export function writeCallList(calls: readonly ToolCall[]): string | undefined {
  const written: string[] = [];
  for (const call of calls) {
    if (!isWritable(call.name)) return undefined;
    written.push(`${call.name}(${writeArguments(exactInput(call))})`);
  }
  return `[${written.join(', ')}]`;
}

function isWritable(name: string): boolean {
  if (name === '' || name.length > NAME_LIMIT || name.trim() !== name || name.startsWith('**')) return false;
  for (let at = 0; at < name.length; at++) if (FORBIDDEN.includes(name.charAt(at))) return false;
  return true;
}

function writeArguments(input: ExactValue): string {
  const members = exactEntries(input as Map<string, ExactValue>).map(([key, value]) =>
    isWritable(key) ? `${key}=${toPython(value)}` : `**{${JSON.stringify(key)}: ${toPython(value)}}`,
  );
  return members.join(', ');
}

/** Writes Python's words, and strings as in JSON, which Python reads as well. */
function toPython(value: ExactValue): string {
  if (value === null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value !== 'object' || value instanceof ExactNumber) return stringifyJson(value, 'compact');
  if (Array.isArray(value)) return `[${value.map(toPython).join(', ')}]`;
  const members = exactEntries(value).map(([key, member]) => `${JSON.stringify(key)}: ${toPython(member)}`);
  return `{${members.join(', ')}}`;
}
