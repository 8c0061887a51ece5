// Turns a schema's `pattern` into rules, if a grammar can express it: characters, classes, groups, alternatives and
// counts, anchored or not. The pattern is never run. For lookaround, backreferences and other syntax the result is
// undefined, and the caller lists that in the limits.

import { ANY_CHAR, charsOf, codeOf, DIGIT, except, intersect, union } from './char-ranges.js';
import {
  type CharRanges,
  chars,
  choice,
  EMPTY,
  isNever,
  literal,
  type Node,
  repeat,
  sequence,
} from './node.js';
import type { StringStyle } from './string-rules.js';

const MAX_LENGTH = 300;
const MAX_REPEAT = 200;
const MAX_DEPTH = 16;

const WORD: CharRanges = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
const SPACE = charsOf(' \t\n\r\f\v');
const CLASSES = new Map<string, CharRanges>([
  ['d', DIGIT],
  ['D', except(ANY_CHAR, DIGIT)],
  ['w', WORD],
  ['W', except(ANY_CHAR, WORD)],
  ['s', SPACE],
  ['S', except(ANY_CHAR, SPACE)],
]);
const CONTROLS = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** Makes the rule of the texts a pattern matches, as the style writes them; undefined if it cannot be expressed. */
export function patternRule(pattern: unknown, style: StringStyle): Node | undefined {
  if (typeof pattern !== 'string' || pattern.length > MAX_LENGTH) return undefined;
  try {
    const node = new PatternReader(pattern, style).read();
    return isNever(node) ? undefined : node;
  } catch (error) {
    if (error instanceof Unsayable) return undefined;
    throw error;
  }
}

class Unsayable extends Error {}

class PatternReader {
  #at = 0;
  #depth = 0;
  readonly #plain: CharRanges;

  constructor(
    readonly pattern: string,
    readonly style: StringStyle,
  ) {
    // Without their first characters, none of the forbidden strings can occur.
    const firsts = style.without.map((string) => string.slice(0, 1)).join('');
    this.#plain = except(style.ranges, charsOf(firsts));
  }

  read(): Node {
    const body = this.pattern;
    const opened = body.startsWith('^');
    const closed = endsAnchored(body);
    if ((opened || closed) && this.#topAlternatives()) throw new Unsayable();
    if (opened) this.#at = 1;
    const node = this.#alternatives(closed ? body.length - 1 : body.length);
    const free = repeat(chars(this.#plain), 0);
    return sequence(opened ? EMPTY : free, node, closed ? EMPTY : free);
  }

  /** Whether the pattern has alternatives at the top level: in `^a|b$` each anchor belongs to one branch only. */
  #topAlternatives(): boolean {
    let depth = 0;
    for (let at = 0; at < this.pattern.length; at++) {
      const char = this.pattern[at];
      if (char === '\\') at++;
      else if (char === '[') at = this.#classEnd(at);
      else if (char === '(') depth++;
      else if (char === ')') depth--;
      else if (char === '|' && depth === 0) return true;
    }
    return false;
  }

  #classEnd(from: number): number {
    let at = from + 1;
    while (at < this.pattern.length && this.pattern[at] !== ']') at += this.pattern[at] === '\\' ? 2 : 1;
    return at;
  }

  #alternatives(end: number): Node {
    if (++this.#depth > MAX_DEPTH) throw new Unsayable();
    const ways = [this.#sequence(end)];
    while (this.#at < end && this.pattern[this.#at] === '|') {
      this.#at++;
      ways.push(this.#sequence(end));
    }
    this.#depth--;
    return choice(...ways);
  }

  #sequence(end: number): Node {
    const parts: Node[] = [];
    while (this.#at < end && this.pattern[this.#at] !== '|' && this.pattern[this.#at] !== ')')
      parts.push(this.#counted(this.#atom(end), end));
    return sequence(...parts);
  }

  #counted(atom: Node, end: number): Node {
    if (this.#at >= end) return atom;
    const rest = this.pattern.slice(this.#at, Math.min(end, this.#at + 12));
    const count = /^(?:([*+?])|\{(\d{1,4})(,?)(\d{0,4})\})/.exec(rest);
    if (!count) return atom;
    this.#at += count[0].length;
    // A lazy quantifier matches the same texts.
    if (this.pattern[this.#at] === '?') this.#at++;
    if (/^[*+?{]/.test(this.pattern.slice(this.#at, this.#at + 1))) throw new Unsayable();
    if (count[1] === '*') return repeat(atom, 0);
    if (count[1] === '+') return repeat(atom, 1);
    if (count[1] === '?') return repeat(atom, 0, 1);
    return counted(atom, Number(count[2]), count[3] === ',', count[4] ?? '');
  }

  #atom(end: number): Node {
    const char = this.pattern[this.#at] as string;
    if (char === '(') return this.#group(end);
    if (char === '[') return this.#set();
    if (char === '.') {
      this.#at++;
      return chars(except(this.#plain, charsOf('\n\r')));
    }
    if (char === '\\') return this.#escape();
    if ('^$*+?{})]|'.includes(char)) throw new Unsayable();
    const whole = String.fromCodePoint(codeOf(this.pattern.slice(this.#at)));
    this.#at += whole.length;
    return this.#literal(whole);
  }

  #group(end: number): Node {
    this.#at++;
    if (this.pattern[this.#at] === '?') {
      if (!this.pattern.startsWith('?:', this.#at)) throw new Unsayable();
      this.#at += 2;
    }
    const node = this.#alternatives(end);
    if (this.pattern[this.#at] !== ')') throw new Unsayable();
    this.#at++;
    return node;
  }

  #escape(): Node {
    const char = this.pattern[this.#at + 1] ?? '';
    this.#at += 2;
    const set = CLASSES.get(char);
    if (set) return chars(intersect(set, this.#plain));
    return this.#literal(escapedChar(char));
  }

  #set(): Node {
    this.#at++;
    const negated = this.pattern[this.#at] === '^';
    if (negated) this.#at++;
    let found: CharRanges = [];
    while (this.pattern[this.#at] !== ']') {
      if (this.#at >= this.pattern.length) throw new Unsayable();
      found = union([...found, ...this.#member()]);
    }
    this.#at++;
    return chars(intersect(negated ? except(ANY_CHAR, found) : found, this.#plain));
  }

  #member(): CharRanges {
    const from = this.#setChar();
    if (typeof from !== 'string') return from;
    if (this.pattern[this.#at] !== '-' || this.pattern[this.#at + 1] === ']') return charsOf(from);
    this.#at++;
    const to = this.#setChar();
    if (typeof to !== 'string' || codeOf(to) < codeOf(from)) throw new Unsayable();
    return [[codeOf(from), codeOf(to)]];
  }

  #setChar(): string | CharRanges {
    if (this.pattern[this.#at] === '\\') {
      const char = this.pattern[this.#at + 1] ?? '';
      this.#at += 2;
      return CLASSES.get(char) ?? escapedChar(char);
    }
    const whole = String.fromCodePoint(codeOf(this.pattern.slice(this.#at)));
    this.#at += whole.length;
    return whole;
  }

  #literal(char: string): Node {
    if (this.style.without.some((string) => string.startsWith(char))) throw new Unsayable();
    const spelled = this.style.spell(char);
    if (spelled === undefined) throw new Unsayable();
    return literal(spelled);
  }
}

function counted(atom: Node, from: number, comma: boolean, to: string): Node {
  const most = comma ? (to === '' ? undefined : Number(to)) : from;
  if (from > MAX_REPEAT || (most ?? 0) > MAX_REPEAT || (most !== undefined && most < from))
    throw new Unsayable();
  return repeat(atom, from, most);
}

/** Gives the character of an escape such as `\.`. Escapes with other meanings (`\b`, `\1`, `\p`) are not supported. */
function escapedChar(char: string): string {
  const control = CONTROLS.get(char);
  if (control) return control;
  if (char === '' || /[a-zA-Z0-9]/.test(char)) throw new Unsayable();
  return char;
}

function endsAnchored(pattern: string): boolean {
  if (!pattern.endsWith('$')) return false;
  let slashes = 0;
  while (pattern[pattern.length - 2 - slashes] === '\\') slashes++;
  return slashes % 2 === 0;
}
