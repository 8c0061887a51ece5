// Streams the arguments of a call expression as one JSON object. It reads literals only and never runs code.
//
//     ( city = "Paris" , days = [ 1 , 2 ] , **{"odd key": None} )        python
//     { city : <|"|>Paris<|"|> , days : [ 1 , 2 ] }                      braces
//       ^ head ^ value         ^ after
//
// A string passes through character by character. Ambiguous text (a key or a value? a set or a dict?) is held until
// what follows decides. Each tolerated mistake is listed as a repair; the reader never throws.

import type { RepairCode } from '../model/issues.js';
import { matchFirst, matchLiteral, NO, NOT_YET } from './characters.js';
import type { ValueHint } from './json.js';
import { blankEnd, escapeText, LOOK, repairOfString, wordToJson } from './json-tokens.js';

import { type DuplicateKey, type LiteralRepair, shorten } from './literal-scanner.js';
import { readPythonLiteral } from './python-literal.js';
import { quoteEnds, YES } from './quote-ahead.js';
import { type StringRules, type StringSink, StringStream, specialOf } from './string-stream.js';

type Ahead = (text: string, at: number, ended: boolean) => number;

export interface ArgumentRules {
  style: 'python' | 'braces';
  /** The string delimiter of the `braces` style, such as `<|"|>`. */
  quote?: string;
  /** Matches the dialect's closing marker at a position. It closes all open brackets whose values are complete. */
  closer?: Ahead;
  /** First characters of the markers that are broken inside strings in own quotes (see engine/markers.ts). */
  firsts?: string;
  brokenTail?: NonNullable<StringRules['brokenTail']>;
  /** The tool's parameter names in order, for positional arguments. */
  names?: readonly string[];
  /** The schema's hint for the arguments, where a string may be coerced to a number. */
  hint?: ValueHint | undefined;
  maxDepth: number;
  maxMembers: number;
}

export interface ArgumentFailure {
  code: 'unreadable-call' | 'unsupported-code' | 'too-deep' | 'too-long';
  message: string;
}

interface Members {
  count: number;
  keys: Set<string>;
}

interface Container {
  /** `braced` is a set or a dict, not yet known which. `group` is a tuple or a single value in parentheses. */
  kind: 'call' | 'dict' | 'list' | 'group' | 'braced';
  closer: string;
  /** The closing bracket in the JSON output. */
  end: string;
  members: Members;
  commas: number;
  hint: ValueHint | undefined;
}

/** The first part of an item: a key, or a positional value. */
interface Head {
  /** The JSON of a string, or a bare word. */
  json?: string;
  word: string;
  at: number;
}

type State =
  | 'open'
  | 'item'
  | 'spread'
  | 'head'
  | 'head-word'
  | 'value'
  | 'string'
  | 'behind-string'
  | 'word'
  | 'after'
  | 'comment';

const WORD_LIMIT = 4096;
/** A text without quotes is longer: a whole file. */
const TEXT_LIMIT = 1024 * 1024;
const SCALAR_LIMIT = 64;
const KEY_LIMIT = 256;
const NOTE_LIMIT = 2000;
const PYTHON_WORD_ENDS = ' \t\r\n,)]}:=#\'"([{';

export class ArgumentStream implements StringSink {
  out = '';
  done = false;
  /** A value has begun, so the text is a call and not prose. */
  begun = false;
  failure: ArgumentFailure | undefined;
  readonly repairs: LiteralRepair[] = [];
  readonly duplicates: DuplicateKey[] = [];
  /** A string in own quotes may be more than one value: it was never closed, or holds its own quote. */
  doubtful = false;
  /** `read` returns once `out` is this long (see gather.ts). */
  pause = Number.POSITIVE_INFINITY;

  readonly #rules: ArgumentRules;
  readonly #python: boolean;
  /** The own quote with a character missing. */
  readonly #misspelt: readonly string[];
  readonly #special: Uint8Array | undefined;
  #state: State = 'open';
  /** The state to return to after a comment. */
  #back: State = 'item';
  #stack: Container[] = [];
  /** Buffers, innermost last, for JSON whose role is not known yet: heads, groups, strings that may be scalars. */
  #sinks: string[] = [];
  #head: Head | undefined;
  #inHead = false;
  #string: StringStream | undefined;
  /** The schema's hint for the next value. */
  #hint: ValueHint | undefined;
  #word = '';
  #wordAt = 0;
  /** The word is the value of a declared parameter, so it may be text without its quotes, of any length. */
  #isText = false;
  /** Curly brackets that are open in such a text. */
  #openCurly = 0;
  /** What was written last. */
  #last = '';
  /** White space before the value. */
  #blank = '';
  #key = '';
  /** Commas in the brackets that were closed just before. */
  #closedCommas = 0;
  /** The last string was in own quotes. */
  #isPlain = false;
  /** The string has a backtick. */
  #ticks = false;
  /** The string holds what may be the next argument. */
  #holdsKey = false;
  #members = 0;
  #positional = 0;
  #notes = 0;
  /** Add this to a position in the current window to get the number of code units read since the start. */
  #offset = 0;

  constructor(rules: ArgumentRules) {
    this.#rules = rules;
    this.#python = rules.style === 'python';
    this.#misspelt = misspellings(rules.quote ?? '');
    this.#special = rules.quote === undefined ? undefined : specialOf(rules.quote, rules.firsts ?? '');
  }

  /** Takes the JSON text written since the last call. */
  take(): string {
    const { out } = this;
    this.out = '';
    return out;
  }

  /** Reads on from `at`, up to just after the call's closing bracket. Returns the position it reached. */
  read(text: string, at: number, ended: boolean): number {
    let here = at;
    this.#offset -= at;
    while (here < text.length && !this.done && !this.failure && this.out.length < this.pause) {
      const next = this.#step(text, here, ended);
      if (next === NOT_YET) break;
      here = next;
    }
    this.#offset += here;
    return here;
  }

  #step(text: string, at: number, ended: boolean): number {
    if (this.#state === 'string') return this.#inString(text, at, ended);
    if (this.#state === 'word' || this.#state === 'head-word') return this.#inWord(text, at, ended);
    if (this.#state === 'comment') return this.#inComment(text, at);
    const here = blankEnd(text, at);
    if (here > at && this.#state === 'value') this.#blank += text.slice(at, here);
    if (here > at) return here;
    if (at >= text.length) return NOT_YET;
    const char = text.charAt(at);
    if (char === '#' && this.#python) return this.#openComment(at);
    switch (this.#state) {
      case 'open':
        return this.#openCall(at);
      case 'item':
        return this.#item(text, at, ended, char);
      case 'spread':
        return this.#openSpread(char, at);
      case 'head':
        return this.#behindHead(char, at);
      case 'value':
        return this.#value(text, at, ended, char);
      case 'behind-string':
        return this.#behindString(text, at, ended, char);
      default:
        return this.#after(text, at, ended, char);
    }
  }

  // ---------------------------------------------------------------- brackets

  #openCall(at: number): number {
    const kind = this.#python ? 'call' : 'dict';
    this.#hint = this.#rules.hint;
    this.#stack.push({ ...container(kind, this.#python ? ')' : '}', '}'), hint: this.#hint });
    this.emit('{');
    this.#state = 'item';
    return at + 1;
  }

  #open(next: Container, begin: string, at: number): number {
    if (this.#stack.length > this.#rules.maxDepth)
      return this.#fail('too-deep', `brackets are nested deeper than ${this.#rules.maxDepth} levels`);
    this.begun = true;
    next.hint ??= this.#hint;
    this.#stack.push(next);
    this.emit(begin);
    if (next.kind === 'group') this.#sinks.push('');
    this.#state = 'item';
    return at + 1;
  }

  #close(at: number): number {
    const closed = this.#stack.pop() as Container;
    this.#closedCommas = closed.commas;
    if (closed.kind === 'group') {
      const inside = this.#sinks.pop() as string;
      this.emit(closed.commas > 0 || closed.members.count === 0 ? `[${inside}]` : inside);
    } else this.emit(closed.kind === 'braced' ? '{}' : closed.end);
    this.#state = 'after';
    this.done = this.#stack.length === 0;
    return at;
  }

  get #top(): Container {
    return this.#stack.at(-1) as Container;
  }

  // ---------------------------------------------------------------- items

  /** ( | city = …  — after an opening bracket or a comma. */
  #item(text: string, at: number, ended: boolean, char: string): number {
    const top = this.#top;
    if (char === top.closer) {
      if (!this.#python && top.commas > 0) this.repair('trailing-comma', at);
      return this.#close(at + 1);
    }
    if (char === ',') {
      this.repair('trailing-comma', at);
      return at + 1;
    }
    if (top.kind === 'list' || top.kind === 'group') {
      this.#separate(top.members);
      this.#hint = top.hint?.item();
      this.#state = 'value';
      return at;
    }
    if (top.kind === 'call' && (char === '*' || char === '{')) return this.#spread(text, at, ended, char);
    if (top.kind === 'call' && '[('.includes(char)) return this.#openPositional(at);
    return this.#openHead(text, at, ended, char);
  }

  /** Reads `**{…}` and `f({…})`: the members of the dict become arguments. */
  #spread(text: string, at: number, ended: boolean, char: string): number {
    if (char === '*') {
      const stars = matchLiteral(text, at, '**', ended);
      if (stars === NOT_YET) return NOT_YET;
      if (stars === 0) return this.#fail('unsupported-code', 'only `**{…}` may stand here');
      this.#state = 'spread';
      return at + stars;
    }
    if (this.#top.members.count > 0) return this.#openPositional(at);
    this.repair('wrapped-arguments', at);
    return this.#openSpread(char, at);
  }

  #openSpread(char: string, at: number): number {
    if (char !== '{') return this.#fail('unsupported-code', 'only a dict may stand behind `**`');
    return this.#open(
      { ...container('dict', '}', ''), members: this.#top.members, hint: this.#top.hint },
      '',
      at,
    );
  }

  #openHead(text: string, at: number, ended: boolean, char: string): number {
    this.#inHead = true;
    const quoted = this.#openString(text, at, ended, char);
    if (quoted !== 0) return quoted;
    if ('{[(]}):='.includes(char))
      return this.#fail('unreadable-call', `found \`${char}\` where an argument is due`);
    return this.#openWord('head-word', at);
  }

  /** city | = …  — the next character decides whether the head is a key or a value. */
  #behindHead(char: string, at: number): number {
    const top = this.#top;
    if (char === ':' || char === '=') {
      if (char !== (top.kind === 'call' ? '=' : ':')) this.repair('other-spelling', at);
      return this.#setKey(at + 1);
    }
    const ends = char === ',' || char === top.closer;
    const head = this.#head as Head;
    if (top.kind === 'call' && (ends || head.json !== undefined)) return this.#positionalHead(at, head);
    if (top.kind === 'braced' && ends) return this.#becomeSet(at, head);
    if (top.kind === 'call' && char === '(')
      return this.#fail(
        'unsupported-code',
        `\`${shorten(head.word)}(…)\` would have to be run; write the value`,
      );
    return this.#fail('unreadable-call', `found ${shown(char)} behind a key`);
  }

  #setKey(at: number): number {
    const head = this.#head as Head;
    this.#head = undefined;
    const top = this.#top;
    const key = head.json ?? this.#bareKey(head, top);
    if (key === undefined) return at;
    if (top.kind === 'braced') {
      top.kind = 'dict';
      this.emit('{');
    }
    this.#writeKey(top.members, key, head.at);
    this.#state = 'value';
    return at;
  }

  #writeKey(members: Members, key: string, at: number): void {
    const name = JSON.parse(key) as string;
    if (members.keys.has(name) && ++this.#notes <= NOTE_LIMIT) this.duplicates.push({ key: name, at });
    members.keys.add(name);
    this.#separate(members);
    this.#hint = this.#top.hint?.property(name);
    this.#key = name;
    this.#blank = '';
    this.emit(`${key}:`);
  }

  /** Reads a key without quotes. A Python dict may have the keys `1` and `None`; any other word lost its quotes. */
  #bareKey({ word, at }: Head, { kind }: Container): string | undefined {
    if (word === '') {
      this.#fail('unreadable-call', 'found no key');
      return undefined;
    }
    if (!this.#python || kind === 'call') return JSON.stringify(word);
    const dict = readPythonLiteral(`{${word}:0}`);
    if (dict.ok) return dict.json.slice(1, -3);
    this.#note('unquoted-key', at);
    return JSON.stringify(word);
  }

  // ---------------------------------------------------------------- values without a name

  /** Writes the key of the next positional value, in the order of the tool's parameters. */
  #nextPositional(at: number): boolean {
    const { names = [] } = this.#rules;
    const { members } = this.#top;
    const name = names[this.#positional++];
    if (name === undefined || members.keys.has(name)) {
      this.#fail('unreadable-call', 'an argument has no name');
      return false;
    }
    this.#note('arguments-as-list', at);
    this.#writeKey(members, JSON.stringify(name), at);
    this.#state = 'value';
    return true;
  }

  #openPositional(at: number): number {
    this.#nextPositional(this.#offset + at);
    return at;
  }

  #positionalHead(at: number, head: Head): number {
    this.#head = undefined;
    // Check the word before the parameters: `f(x)` is prose or code even if the tool has a parameter for it.
    const json = head.json ?? this.#wordJson(head.word, head.at);
    if (json === undefined || !this.#nextPositional(head.at)) return at;
    this.begun = true;
    this.emit(json);
    this.#state = 'after';
    return at;
  }

  #becomeSet(at: number, head: Head): number {
    const top = this.#top;
    this.#head = undefined;
    top.kind = 'list';
    top.end = ']';
    this.#note('python-literal', head.at);
    const json = head.json ?? this.#wordJson(head.word, head.at);
    if (json === undefined) return at;
    this.emit('[');
    this.#separate(top.members);
    this.begun = true;
    this.emit(json);
    this.#state = 'after';
    return at;
  }

  // ---------------------------------------------------------------- values

  #separate(members: Members): void {
    if (++this.#members > this.#rules.maxMembers)
      this.#fail('too-long', `more than ${this.#rules.maxMembers} members`);
    if (members.count++ > 0) this.emit(',');
  }

  #value(text: string, at: number, ended: boolean, char: string): number {
    this.#inHead = false;
    const quoted = this.#openString(text, at, ended, char);
    if (quoted !== 0) return quoted;
    if (char === '[') return this.#open(container('list', ']', ']'), '[', at);
    if (char === '{')
      return this.#python
        ? this.#open(container('braced', '}', '}'), '', at)
        : this.#open(container('dict', '}', '}'), '{', at);
    if (char === '(' && this.#python) return this.#open(container('group', ')', ''), '', at);
    if (!this.#python && (char === ',' || char === this.#top.closer)) {
      this.repair('missing-value', at);
      this.emit('""');
      this.#state = 'after';
      return at;
    }
    if (',)]}:='.includes(char))
      return this.#fail('unreadable-call', `found \`${char}\` where a value is due`);
    return this.#openWord('word', at);
  }

  /** "a" | ,  — after a value. */
  #after(text: string, at: number, ended: boolean, char: string): number {
    const top = this.#top;
    const stray = this.#strayQuote(text, at, ended);
    if (stray === NOT_YET) return NOT_YET;
    if (stray > 0) {
      // Two own quotes: the first may be one of the string's.
      this.doubtful ||= this.#isPlain;
      this.repair('stray-marker', at);
      return at + stray;
    }
    if (char === ',') {
      top.commas++;
      this.#closedCommas = 0;
      this.#state = 'item';
      return at + 1;
    }
    if (char === top.closer) return this.#close(at + 1);
    const closed = this.#rules.closer?.(text, at, ended) ?? 0;
    if (closed === NOT_YET) return NOT_YET;
    if (closed > 0 || this.#stack.some(({ closer }) => closer === char)) {
      this.repair('missing-bracket', at);
      // Members behind a comma may be those of what is around.
      const isWide = this.#stack.length > 1 && top.commas > 0;
      if (!this.#python && (isWide || this.#closedCommas > 0)) this.doubtful = true;
      return this.#close(at);
    }
    if (')]}'.includes(char)) {
      this.repair('extra-bracket', at);
      return at + 1;
    }
    if (!/[\w"'<]/.test(char))
      return this.#fail('unsupported-code', `${shown(char)} behind a value would have to be run`);
    this.repair('missing-comma', at);
    top.commas++;
    this.#state = 'item';
    return at;
  }

  /** Matches an own quote behind a value that another quote has closed: `'a'<|"|>}`. */
  #strayQuote(text: string, at: number, ended: boolean): number {
    const { quote } = this.#rules;
    const found = quote === undefined ? 0 : matchLiteral(text, at, quote, ended);
    if (found <= 0) return found;
    const next = blankEnd(text, at + found);
    if (next >= text.length) return ended ? 0 : NOT_YET;
    return [',', this.#top.closer].includes(text.charAt(next)) ? found : 0;
  }

  // ---------------------------------------------------------------- strings

  /** Opens a string. Returns 0 if none begins here. */
  #openString(text: string, at: number, ended: boolean, char: string): number {
    const { quote } = this.#rules;
    if (quote !== undefined) {
      const found = matchLiteral(text, at, quote, ended);
      if (found !== 0) return found === NOT_YET ? NOT_YET : this.#beginString(at + found, quote, 'plain');
    }
    const misspelt = this.#misspeltQuote(text, at, ended);
    if (misspelt !== 0) return misspelt;
    if (char !== '"' && char !== "'") return 0;
    if (!this.#python) {
      this.repair(char === "'" ? 'single-quotes' : 'other-spelling', at);
      return this.#beginString(at + 1, char, 'escaped');
    }
    return this.#openQuotes(text, at, ended, 'escaped');
  }

  /** |"|>ls<|"|>  — an own quote that lost a character. Returns 0 if there is none. */
  #misspeltQuote(text: string, at: number, ended: boolean): number {
    const { quote = '' } = this.#rules;
    const found = matchFirst(text, at, this.#misspelt, ended);
    if (found <= 0) return found;
    this.repair('other-spelling', at);
    return this.#beginString(at + found, quote, 'plain');
  }

  /** Opens a Python string with one quote or three. */
  #openQuotes(text: string, at: number, ended: boolean, kind: 'escaped' | 'raw'): number {
    const quote = text.charAt(at);
    const three = matchLiteral(text, at, quote.repeat(3), ended);
    if (three === NOT_YET) return NOT_YET;
    return this.#beginString(at + (three || 1), three > 0 ? quote.repeat(3) : quote, kind);
  }

  #beginString(at: number, quote: string, kind: StringRules['kind']): number {
    if (this.#string === undefined) {
      if (this.#inHead) {
        this.#head = { word: '', at: this.#offset + at - quote.length };
        this.#sinks.push('');
      } else {
        this.begun = true;
        // A string that may be coerced to a number is held until it is complete.
        if (this.#hint?.scalar) this.#sinks.push('');
      }
      this.emit('"');
    }
    const { firsts = '', brokenTail } = this.#rules;
    this.#holdsKey = false;
    this.#ticks = false;
    this.#isPlain = kind === 'plain';
    this.#string = new StringStream(
      {
        quote,
        kind,
        firsts,
        special: kind === 'plain' ? this.#special : undefined,
        ...(brokenTail && { brokenTail }),
        closer: this.#lastCloser,
        ...(!this.#inHead && { nextArgument: this.#nextArgument }),
        ends: (text, from, ended, doubtful) => this.#quoteEnds(text, from, ended, doubtful),
      },
      this,
    );
    this.#state = 'string';
    return at;
  }

  /** Matches a closing marker that ends the call, in text: nothing follows, or a marker. One before words is mentioned. */
  readonly #lastCloser = (text: string, at: number, ended: boolean): number => {
    const { closer, brokenTail, quote = '' } = this.#rules;
    const found = closer?.(text, at, ended) ?? NO;
    if (found <= 0) return found;
    const limit = at + found + LOOK;
    let next = at;
    for (let more = found; more > 0; more = closer?.(text, next, false) ?? NO)
      next = blankEnd(text, next + more, limit);
    if (next >= limit) return found;
    const before = at > 0 ? text.charAt(at - 1) : (this.#word || this.#last).slice(-1);
    // A quotation that the end cut is no end, either.
    if (next >= text.length) return !ended ? NOT_YET : '`('.includes(before || '-') ? NO : found;
    const marked = brokenTail?.(text.charAt(next), text, next + 1, false) ?? NO;
    if (marked === NOT_YET && !ended) return NOT_YET;
    return marked > 0 && matchLiteral(text, next, quote || '-', true) === NO ? found : NO;
  };

  /** , | key:<|"|>  — inside a string in own quotes, unless that quote is the one that ends it. */
  readonly #nextArgument = (text: string, at: number, ended: boolean): number => {
    const key = this.#beginsKey(text, at + 1);
    if (key !== 1) {
      this.#holdsKey ||= `"'`.includes(text.charAt(blankEnd(text, at + 1, at + KEY_LIMIT)) || '-');
      return ended ? NO : key;
    }
    const colon = text.indexOf(':', at) + 1;
    const start = blankEnd(text, colon, colon + KEY_LIMIT);
    const quoted = matchLiteral(text, start, this.#rules.quote ?? '', ended);
    const ends = quoted > 0 ? this.#quoteEnds(text, start + quoted, ended, false) : YES;
    if (quoted === NOT_YET || ends === NOT_YET) return NOT_YET;
    if (ends === NO && this.#top.kind === 'dict') return 1;
    this.#holdsKey = true;
    return NO;
  };

  #quoteEnds(text: string, from: number, ended: boolean, doubtful: boolean): number {
    const { kind } = this.#top;
    const shown = doubtful && this.#rules.quote !== undefined ? this.#showsCall(text, from, ended) : NO;
    if (shown !== NO) return shown === NOT_YET ? NOT_YET : NO;
    return quoteEnds(text, from, ended, {
      style: this.#rules.style,
      closer: (...place) => this.#rules.closer?.(...place) || this.#strayQuote(...place),
      closers: this.#stack.map(({ closer }) => closer),
      follow: this.#inHead ? ':=' : '',
      doubtful,
      names: kind === 'call' ? (this.#rules.names ?? []) : [],
    });
  }

  /** Whether the brackets and the closing marker behind a quote are those of a call that the string shows. */
  #showsCall(text: string, from: number, ended: boolean): number {
    let at = from;
    while (at < from + LOOK && ' \t\r\n]}'.includes(text.charAt(at) || '-')) at++;
    const closed = at < text.length ? (this.#rules.closer?.(text, at, ended) ?? NO) : ended ? NO : NOT_YET;
    if (closed <= 0) return closed;
    const last = this.#lastCloser(text, at, ended);
    return last === NOT_YET ? NOT_YET : last > 0 ? NO : 1;
  }

  #inString(text: string, at: number, ended: boolean): number {
    const string = this.#string as StringStream;
    const next = string.step(text, at, ended);
    if (string.state === 'code')
      return this.#fail('unsupported-code', 'what follows this string would have to be run; write the value');
    if (string.state === 'unclosed') return this.#endUnclosed(text, next);
    if (string.state === 'closed') this.#state = 'behind-string';
    return next;
  }

  /** <|"|>ls | }<tool_call|>  — the closing marker shows that the string has ended, before the brackets of the call. */
  #endUnclosed(text: string, at: number): number {
    if (this.#inHead) return this.#fail('unreadable-call', 'a string is never closed');
    const closer = this.#rules.closer as Ahead;
    let brackets = at;
    while (brackets < text.length && text.charAt(brackets) !== ',' && closer(text, brackets, false) <= 0)
      brackets++;
    const closedAt = brackets;
    for (let depth = 0; depth < this.#stack.length; depth++) {
      const space = text.slice(at, brackets).trimEnd().length;
      if (space === 0 || !'}]'.includes(text.charAt(at + space - 1))) break;
      brackets = at + space - 1;
    }
    const rest = text.slice(at, brackets);
    const misspelt = this.#misspelt.find((quote) => rest.endsWith(quote)) ?? '';
    this.emit(escapeText(rest.slice(0, rest.length - misspelt.length)));
    this.repair(misspelt === '' ? 'missing-closer' : 'other-closer', brackets);
    // Behind a backtick or inside a line, the next argument may be quoted.
    const isQuoted = text.charAt(brackets) === ',' && (this.#ticks || /[ \t"'(]/.test(this.#last.slice(-1)));
    // Without brackets, either, the closing marker may be one of the text that was cut.
    const isBare = text.charAt(brackets) !== ',' && brackets === closedAt;
    this.doubtful ||= this.#holdsKey || isQuoted || isBare;
    this.#state = 'behind-string';
    return brackets;
  }

  #behindString(text: string, at: number, ended: boolean, char: string): number {
    if (this.#python && (char === '"' || char === "'")) return this.#openQuotes(text, at, ended, 'escaped');
    this.#string = undefined;
    this.emit('"');
    if (this.#inHead) {
      (this.#head as Head).json = this.#sinks.pop() as string;
      this.#state = 'head';
      return at;
    }
    if (this.#hint?.scalar) this.#emitScalar(this.#sinks.pop() as string, at);
    this.#state = 'after';
    return at;
  }

  #emitScalar(json: string, at: number): void {
    const scalar = this.#hint?.scalar?.(JSON.parse(json) as string);
    if (scalar !== undefined) this.repair(repairOfString(scalar), at);
    this.emit(scalar ?? json);
  }

  // ---------------------------------------------------------------- words

  #openWord(state: 'word' | 'head-word', at: number): number {
    const isValue = state === 'word' && !this.#python && this.#stack.length === 1;
    this.#isText = isValue && (this.#rules.names?.includes(this.#key) ?? false);
    this.#openCurly = 0;
    this.#word = '';
    this.#wordAt = this.#offset + at;
    this.#state = state;
    return at;
  }

  #inWord(text: string, at: number, ended: boolean): number {
    let end = at;
    let closed = 0;
    while (end < text.length) {
      closed = this.#endsWord(text.charAt(end)) ? this.#endsText(text, at, end) : 0;
      if (closed === 0)
        closed = (this.#isText ? this.#lastCloser : this.#rules.closer)?.(text, end, ended) ?? 0;
      if (closed !== 0) break;
      if (text.charAt(end) === '{') this.#openCurly++;
      end++;
    }
    if (end > at) {
      this.#word += text.slice(at, end);
      if (this.#word.length > (this.#isText ? TEXT_LIMIT : WORD_LIMIT))
        return this.#fail('too-long', 'a number or word that does not end');
      return end;
    }
    // At the end of the window, the word may continue in the next chunk.
    if ((closed === NOT_YET && !ended) || end >= text.length) return NOT_YET;
    return this.#behindWord(text, at, ended);
  }

  /** Whether a comma or a bracket ends the word: in text without quotes, only before a key or at the call's own. */
  #endsText(text: string, from: number, at: number): number {
    const char = text.charAt(at);
    if (!this.#isText || this.#isScalar(text, from, at)) return 1;
    if (char === '}' && this.#openCurly > 0) {
      this.#openCurly--;
      return 0;
    }
    return char === ',' ? this.#beginsKey(text, at + 1) : char === ']' ? 0 : 1;
  }

  /** Whether the word up to here is a number, true, false or null. */
  #isScalar(text: string, from: number, to: number): boolean {
    if (this.#word.length + to - from > SCALAR_LIMIT) return false;
    return wordToJson((this.#word + text.slice(from, to)).trim()) !== undefined;
  }

  /** , | key:  — a word, or a declared name behind white space. */
  #beginsKey(text: string, from: number): number {
    const start = blankEnd(text, from, from + KEY_LIMIT);
    let end = start;
    while (end < text.length && end - start < KEY_LIMIT && /[\w.$-]/.test(text.charAt(end))) end++;
    if (end >= text.length) return NOT_YET;
    if (text.charAt(end) !== ':' || end === start) return 0;
    return start === from || this.#rules.names?.includes(text.slice(start, end)) ? 1 : 0;
  }

  #endsWord(char: string): boolean {
    if (this.#python) return PYTHON_WORD_ENDS.includes(char);
    return char === ',' || char === '}' || char === ']' || (this.#state === 'head-word' && char === ':');
  }

  #behindWord(text: string, at: number, ended: boolean): number {
    const char = text.charAt(at);
    const isLines = this.#isText && this.#blank.includes('\n');
    const word = isLines ? this.#blank + this.#word : this.#word.trim();
    if (this.#python && (char === '"' || char === "'")) return this.#prefixed(text, at, ended, word);
    if (word === '') return this.#fail('unreadable-call', `found ${shown(char)} where a value is due`);
    if (this.#state === 'head-word') {
      this.#head = { word, at: this.#wordAt };
      this.#state = 'head';
      return at;
    }
    if (this.#python && char === '(')
      return this.#fail('unsupported-code', `\`${shorten(word)}(…)\` would have to be run; write the value`);
    const { quote = '' } = this.#rules;
    const isQuoted = quote !== '' && word.endsWith(quote);
    if (isQuoted) this.repair('missing-opener', at);
    const json = isQuoted ? JSON.stringify(word.slice(0, -quote.length)) : this.#wordJson(word, this.#wordAt);
    if (json === undefined) return at;
    this.begun = true;
    if (isQuoted && this.#hint?.scalar) this.#emitScalar(json, at);
    else this.emit(json);
    this.#state = 'after';
    return at;
  }

  /** Opens r"…" or u"…". Strings with other prefixes have no JSON form. */
  #prefixed(text: string, at: number, ended: boolean, word: string): number {
    const prefix = word.toLowerCase();
    if (prefix === '' || prefix === 'r' || prefix === 'u')
      return this.#openQuotes(text, at, ended, prefix === 'r' ? 'raw' : 'escaped');
    return this.#fail('unsupported-code', `a string behind \`${shorten(word)}\` has no JSON form`);
  }

  #wordJson(word: string, at: number): string | undefined {
    if (!this.#python) return this.#bareText(word, at);
    const literal = readPythonLiteral(word);
    if (literal.ok) {
      for (const { code } of literal.repairs) this.#note(code, at);
      return literal.json;
    }
    const json = wordToJson(word);
    if (json !== undefined) {
      this.#note('number-format', at);
      return json;
    }
    this.#fail(literal.code, literal.message);
    return undefined;
  }

  /** In the `braces` style, a bare word that is no JSON scalar is a string without its quotes. */
  #bareText(word: string, at: number): string {
    const json = wordToJson(word);
    if (json === undefined) this.#note('guessed-type', at);
    else if (json !== word) this.#note(/^[TFN]/.test(word) ? 'python-word' : 'number-format', at);
    return json ?? JSON.stringify(word);
  }

  // ---------------------------------------------------------------- comments

  #openComment(at: number): number {
    this.repair('comment', at);
    this.#back = this.#state;
    this.#state = 'comment';
    return at + 1;
  }

  #inComment(text: string, at: number): number {
    if (at >= text.length) return NOT_YET;
    const end = text.indexOf('\n', at);
    if (end < 0) return text.length;
    this.#state = this.#back;
    return end;
  }

  // ---------------------------------------------------------------- output

  emit(json: string): void {
    if (json !== '') this.#last = json;
    this.#ticks ||= json.includes('`');
    const last = this.#sinks.length - 1;
    if (last < 0) this.out += json;
    else this.#sinks[last] += json;
  }

  repair(code: RepairCode, at: number): void {
    if (code === 'unescaped-quote' && !this.#python) this.doubtful = true;
    this.#note(code, this.#offset + at);
  }

  #note(code: RepairCode, at: number): void {
    if (++this.#notes <= NOTE_LIMIT) this.repairs.push({ code, at });
  }

  #fail(code: ArgumentFailure['code'], message: string): number {
    this.failure ??= { code, message };
    return NOT_YET;
  }
}

/** Gives the spellings of an own quote such as `<|"|>` that lack one of its characters. */
function misspellings(quote: string): string[] {
  const shorter = [...quote].map((_, at) => quote.slice(0, at) + quote.slice(at + 1));
  return shorter.filter((spelling) => spelling.includes('"'));
}

function container(kind: Container['kind'], closer: string, end: string): Container {
  return { kind, closer, end, members: { count: 0, keys: new Set() }, commas: 0, hint: undefined };
}

function shown(char: string): string {
  return char > ' ' ? `\`${char}\`` : 'a control character';
}
