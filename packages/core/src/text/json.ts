// JSON as models write it, read as it arrives.
//
// The reader gives valid, compact JSON text for what it has read: every character as soon as it is certain,
// with the author's own digits. What it reads generously it lists as a repair. It never throws.
//
//   begin ──> ( string | word | { key : value , … } | [ value , … ] ) ──> end
//
// Whoever drives it may watch the outer levels: at `begin` and `end` of each value there it stops and says
// so, which is how a family finds the name, the id and the arguments of a call in one pass.

import type { RepairCode } from '../model/index.js';
import {
  escapeControl,
  isHex,
  isSpace,
  isWordChar,
  isWordStart,
  keyAhead,
  LOOK,
  lookPast,
  NOT_YET,
  valueAhead,
  wordToJson,
} from './json-tokens.js';

/** What the schema says about a value, where it matters while reading. */
export interface ValueHint {
  /** The JSON text of a scalar that this string stands for, if the schema wants one. */
  scalar?(decoded: string): string | undefined;
  property(key: string): ValueHint | undefined;
  item(): ValueHint | undefined;
}

export interface JsonReaderOptions {
  maxDepth?: number;
  /** Members and elements, over the whole value. */
  maxMembers?: number;
  /** Whether the dialect's closer stands at `at` (see engine/markers.ts): it ends the value, brackets or not. */
  closer?: (text: string, at: number, ended: boolean) => number;
  /** The vendor writes Python's literals: single quotes, True and None, `\'` and `\x41` are no repairs. */
  python?: boolean;
}

export interface JsonStop {
  type: 'begin' | 'end';
  /** Containers around the value. */
  depth: number;
  /** In an object: the value's key. */
  key?: string;
  /** At `begin`: the first character of the value to come. */
  first: string;
}

export interface JsonFailure {
  code: 'unreadable-call' | 'too-deep' | 'too-long';
  message: string;
}

interface Container {
  kind: '{' | '[';
  members: number;
  /** The key whose value is being read, as JSON text. */
  key: string;
  keys: Set<string>;
  hint: ValueHint | undefined;
}

type State =
  | 'before-value'
  | 'value'
  | 'after-value'
  | 'before-key'
  | 'after-key'
  | 'string'
  | 'word'
  | 'bare-key'
  | 'skip'
  | 'done';

const WORD_LIMIT = 4096;
const COMMENT_LIMIT = 65536;
/** Repairs and duplicate keys listed for one value. */
const NOTE_LIMIT = 2000;

export class JsonReader {
  /** JSON text read and not yet taken by the driver. */
  out = '';
  done = false;
  failure: JsonFailure | undefined;
  readonly repairs: { code: RepairCode; at: number }[] = [];
  readonly duplicates: { key: string; at: number }[] = [];
  /**
   * How much may be read before it is taken. A driver that reads on sets it: a string put together from very
   * many pieces costs more than it holds (see gather.ts).
   */
  pause = Number.POSITIVE_INFINITY;
  /** Values inside at most this many containers are announced. */
  watch = 0;
  /** Set by the driver at `begin`: what the schema says of the value to come. */
  hint: ValueHint | undefined;

  #state: State = 'before-value';
  #stack: Container[] = [];
  #stops: JsonStop[] = [];
  #quote = '"';
  #isKey = false;
  /** A quote inside this string was not escaped, or it is a key that no comma announced. */
  #doubtful = false;
  #lostComma = false;
  #word = '';
  /** A string under a scalar hint, held until it is whole. */
  #captured: string | undefined;
  #members = 0;
  #noted = 0;
  #afterComma = false;
  #commaAt = 0;
  /** Code units consumed before the current call of `read`. */
  #consumed = 0;
  #skipTo = 0;
  /** Brackets opened while skipping: a number, for a flood of them must cost nothing. */
  #skipOpen = 0;
  #skipInString = '';
  readonly #maxDepth: number;
  readonly #maxMembers: number;
  readonly #python: boolean;
  readonly #closer: NonNullable<JsonReaderOptions['closer']>;

  constructor(options: JsonReaderOptions = {}) {
    this.#maxDepth = options.maxDepth ?? 128;
    this.#maxMembers = options.maxMembers ?? 100_000;
    this.#python = options.python ?? false;
    this.#closer = options.closer ?? (() => 0);
  }

  /** Containers that are open. */
  get depth(): number {
    return this.#stack.length;
  }

  /** There is something in `repairs` or `duplicates`. */
  get hasNotes(): boolean {
    return this.repairs.length > 0 || this.duplicates.length > 0;
  }

  /** The JSON text read since the last time. */
  take(): string {
    const out = this.out;
    this.out = '';
    return out;
  }

  /** The oldest stop not yet seen. */
  nextStop(): JsonStop | undefined {
    return this.#stops.length > 0 ? this.#stops.shift() : undefined;
  }

  /** Gives up on what is inside `depth` containers: skips to its end, minding strings and brackets only. */
  skipTo(depth: number): void {
    this.failure = undefined;
    this.#captured = undefined;
    this.#skipTo = depth;
    this.#skipOpen = 0;
    this.#skipInString = '';
    this.#state = 'skip';
  }

  /**
   * Reads on from `at` and says how far it came. It stops early at a stop, at the end of the value and at a
   * failure; else what it left unread needs more text to be understood.
   */
  read(text: string, at: number, ended: boolean): number {
    const start = at;
    let here = at;
    while (this.#stops.length === 0 && !this.done && !this.failure && this.out.length < this.pause) {
      const next = this.#step(text, here, ended, start);
      if (next === NOT_YET) break;
      here = next;
    }
    this.#consumed += here - start;
    return here;
  }

  #step(text: string, at: number, ended: boolean, start: number): number {
    switch (this.#state) {
      case 'string':
        return this.#inString(text, at, ended, start);
      case 'word':
        return this.#inWord(text, at, ended, start);
      case 'skip':
        return this.#skipping(text, at, ended);
      case 'bare-key':
        return this.#inBareKey(text, at, ended, start);
      default:
        return this.#between(text, at, ended, start);
    }
  }

  // ---------------------------------------------------------------- between tokens

  #between(text: string, at: number, ended: boolean, start: number): number {
    const place = this.#space(text, at, ended, start);
    if (place < 0) return NOT_YET;
    if (place > at) return place;
    if (at >= text.length) return NOT_YET;
    const close = this.#closer(text, at, ended);
    if (close === NOT_YET) return NOT_YET;
    if (close > 0) return this.#closedFromOutside(at, start);
    const char = text.charAt(at);
    switch (this.#state) {
      case 'before-value':
        return this.#announce(char, at, start);
      case 'value':
        return this.#value(char, at, start);
      case 'before-key':
        return this.#key(char, at, start);
      case 'after-key':
        return this.#colon(char, at, start);
      default:
        return this.#afterValue(char, at, start);
    }
  }

  /** Skips white space, and comments as a repair. NOT_YET inside a comment that has not ended. */
  #space(text: string, at: number, ended: boolean, start: number): number {
    let here = at;
    while (here < text.length && isSpace(text.charCodeAt(here))) here++;
    if (here > at || text.charAt(here) !== '/') return here;
    if (here + 1 >= text.length) return ended ? here : NOT_YET;
    const second = text.charAt(here + 1);
    if (second !== '/' && second !== '*') return here;
    const close = second === '/' ? '\n' : '*/';
    const end = text.indexOf(close, here + 2);
    if (end >= 0 && end - at <= COMMENT_LIMIT) {
      this.#repair('comment', at, start);
      return end + close.length;
    }
    // An unended comment is held up to a bound; beyond it nothing here can be read.
    if (end >= 0 || text.length - at > COMMENT_LIMIT) return this.#fail('a comment that does not end');
    return NOT_YET;
  }

  #announce(first: string, _at: number, _start: number): number {
    this.#state = 'value';
    const container = this.#stack.at(-1);
    this.hint = container ? childHint(container) : this.hint;
    if (this.#stack.length <= this.watch) this.#stop('begin', first);
    return _at;
  }

  #value(char: string, at: number, start: number): number {
    this.#afterComma = false;
    if (char === '{' || char === '[') return this.#open(char, at, start);
    if (char === '"' || char === "'") return this.#openString(char, false, at, start);
    if (char === ']' || char === '}' || char === ',' || char === ':')
      return this.#fail(`a value was expected and "${char}" was found`);
    this.#word = '';
    this.#state = 'word';
    return at;
  }

  #open(kind: '{' | '[', at: number, start: number): number {
    if (this.#stack.length >= this.#maxDepth)
      return this.#failWith('too-deep', `nested deeper than ${this.#maxDepth}`);
    this.#stack.push({ kind, members: 0, key: '', keys: new Set(), hint: this.hint });
    this.#emit(kind);
    this.#state = kind === '{' ? 'before-key' : 'before-value';
    this.#commaAt = at - start;
    // An empty array closes where a value is due.
    if (kind === '[') this.#state = 'after-value';
    return at + 1;
  }

  #afterValue(char: string, at: number, start: number): number {
    const container = this.#stack.at(-1);
    if (!container) return this.#fail('text behind the value');
    if (char === '}' || char === ']') return this.#close(char, at, start);
    if (container.kind === '[' && container.members === 0 && !this.#afterComma) {
      if (char === ',') return this.#skipComma(at, start);
      return this.#element(container, at);
    }
    if (char === ',') {
      if (this.#afterComma) return this.#skipComma(at, start);
      this.#afterComma = true;
      this.#commaAt = this.#consumed + at - start;
      if (container.kind === '{') this.#state = 'before-key';
      return at + 1;
    }
    if (this.#afterComma) return this.#element(container, at);
    if (char === ':') return this.#fail('a ":" behind a value');
    this.#repair('missing-comma', at, start);
    if (container.kind === '{') {
      this.#state = 'before-key';
      this.#afterComma = true;
      this.#lostComma = true;
      return at;
    }
    return this.#element(container, at);
  }

  #skipComma(at: number, start: number): number {
    this.#repair('trailing-comma', at, start);
    return at + 1;
  }

  /** An array element begins. */
  #element(container: Container, at: number): number {
    if (!this.#count(container)) return at;
    this.#state = 'before-value';
    return at;
  }

  #count(container: Container): boolean {
    if (++this.#members > this.#maxMembers) {
      this.#failWith('too-long', `more than ${this.#maxMembers} members`);
      return false;
    }
    if (container.members++ > 0) this.#emit(',');
    return true;
  }

  #key(char: string, at: number, start: number): number {
    const container = this.#stack.at(-1) as Container;
    if (char === '}' || char === ']') return this.#close(char, at, start);
    if (char === ',') return this.#skipComma(at, start);
    if (char === '"' || char === "'") {
      if (!this.#count(container)) return at;
      return this.#openString(char, true, at, start);
    }
    if (!isWordStart(char)) return this.#fail(`a key was expected and "${char}" was found`);
    if (!this.#count(container)) return at;
    this.#repair('unquoted-key', at, start);
    this.#word = '';
    this.#state = 'bare-key';
    return at;
  }

  #inBareKey(text: string, at: number, ended: boolean, start: number): number {
    const here = this.#gather(text, at);
    if (here !== at) return here;
    if (here === text.length && !ended) return NOT_YET;
    this.#keyDone(JSON.stringify(this.#word), this.#consumed + here - start);
    this.#emit((this.#stack.at(-1) as Container).key);
    return here;
  }

  /** Takes the word characters ahead. Whatever becomes of the word, they are read. */
  #gather(text: string, at: number): number {
    let here = at;
    while (here < text.length && isWordChar(text.charCodeAt(here))) here++;
    this.#word += text.slice(at, here);
    if (this.#word.length > WORD_LIMIT) this.#failWith('too-long', 'a number or word that does not end');
    return here;
  }

  #keyDone(json: string, at: number): void {
    const container = this.#stack.at(-1) as Container;
    container.key = json;
    const key = json.includes('\\') ? JSON.stringify(parseString(json)) : json;
    if (container.keys.has(key) && ++this.#noted <= NOTE_LIMIT)
      this.duplicates.push({ key: parseString(json), at });
    container.keys.add(key);
    this.#state = 'after-key';
  }

  #colon(char: string, at: number, start: number): number {
    this.#emit(':');
    this.#state = 'before-value';
    if (char === ':') return at + 1;
    // `=` is seen where models think of other languages; a value right away is a lost colon.
    if (char === '}' || char === ',' || char === ']') return this.#fail('a key without a value');
    this.#repair('missing-colon', at, start);
    return char === '=' ? at + 1 : at;
  }

  #close(char: string, at: number, start: number): number {
    const container = this.#stack.at(-1) as Container;
    const fits = (container.kind === '{') === (char === '}');
    if (!fits) {
      const other = char === '}' ? '{' : '[';
      if (!this.#stack.some((c) => c.kind === other)) {
        this.#repair('extra-bracket', at, start);
        return at + 1;
      }
      this.#repair('missing-bracket', at, start);
    } else if (this.#afterComma) {
      this.#note('trailing-comma', this.#commaAt);
    }
    this.#pop();
    return fits ? at + 1 : at;
  }

  #pop(): void {
    const container = this.#stack.pop() as Container;
    this.#emit(container.kind === '{' ? '}' : ']');
    this.#valueDone();
  }

  #valueDone(): void {
    this.#afterComma = false;
    this.#state = 'after-value';
    if (this.#stack.length <= this.watch) this.#stop('end', '');
    if (this.#stack.length === 0) {
      this.#state = 'done';
      this.done = true;
    }
  }

  #stop(type: JsonStop['type'], first: string): void {
    const container = this.#stack.at(-1);
    const stop: JsonStop = { type, depth: this.#stack.length, first };
    if (container?.kind === '{' && container.key !== '') stop.key = parseString(container.key);
    this.#stops.push(stop);
  }

  /** The dialect's closer stands where JSON should go on: the brackets that are open close here. */
  #closedFromOutside(at: number, start: number): number {
    const waiting = this.#state === 'before-value' || this.#state === 'value' || this.#state === 'after-key';
    const inList = this.#stack.at(-1)?.kind === '[';
    if (this.#stack.length === 0 || (waiting && !inList))
      return this.#fail('the closer came before the value was complete');
    if (this.#afterComma) this.#note('trailing-comma', this.#commaAt);
    this.#repair('missing-bracket', at, start);
    this.#pop();
    return at;
  }

  // ---------------------------------------------------------------- strings

  #openString(quote: string, isKey: boolean, at: number, start: number): number {
    if (quote === "'" && !this.#python) this.#repair('single-quotes', at, start);
    this.#quote = quote;
    this.#isKey = isKey;
    this.#doubtful = isKey && this.#lostComma;
    this.#lostComma = false;
    this.#state = 'string';
    this.#captured = isKey || this.hint?.scalar ? '' : undefined;
    this.#emit('"');
    return at + 1;
  }

  #inString(text: string, at: number, ended: boolean, start: number): number {
    if (at >= text.length) return NOT_YET;
    let here = at;
    let code = 0;
    for (; here < text.length; here++) {
      code = text.charCodeAt(here);
      if (code < 0x20 || code === 0x22 || code === 0x27 || code === 0x5c) break;
      if (code === 0x3c && this.#doubtful) break;
    }
    if (here === text.length) {
      // Half a surrogate pair waits for the other half.
      const plain = !ended && code >= 0xd800 && code < 0xdc00 ? here - 1 : here;
      if (plain === at) return NOT_YET;
      this.#emit(text.slice(at, plain));
      return plain;
    }
    if (here > at) {
      this.#emit(text.slice(at, here));
      return here;
    }
    if (code === 0x5c) return this.#escape(text, here, ended, start);
    if (code === 0x3c) return this.#closerInString(text, here, ended);
    if (code < 0x20) {
      this.#repair('control-character', here, start);
      this.#emit(escapeControl(code));
      return here + 1;
    }
    const char = text.charAt(here);
    if (char !== this.#quote) {
      this.#emit(char === '"' ? '\\"' : char);
      return here + 1;
    }
    return this.#quoteAt(text, here, ended, start);
  }

  /** A closer is content in a string; but in one whose quotes already went wrong, it ends the damage. */
  #closerInString(text: string, at: number, ended: boolean): number {
    const close = this.#closer(text, at, ended);
    if (close === NOT_YET) return NOT_YET;
    if (close > 0) return this.#fail('a quote in a string was not escaped, and its end cannot be told');
    this.#emit('<');
    return at + 1;
  }

  #escape(text: string, at: number, ended: boolean, start: number): number {
    if (at + 1 >= text.length) return ended ? this.#badEscape(text, at, 1, '\\\\', start) : NOT_YET;
    const char = text.charAt(at + 1);
    if (char === 'u') return this.#unicodeEscape(text, at, ended, start);
    if ('"\\/bfnrt'.includes(char)) {
      this.#emit(text.slice(at, at + 2));
      return at + 2;
    }
    if (this.#python && (char === "'" || char === 'x')) return this.#pythonEscape(text, at, ended, start);
    if (char === "'") return this.#badEscape(text, at, 2, "'", start);
    if (char === '\n') return this.#badEscape(text, at, 2, '\\n', start);
    // A backslash that escapes nothing is itself: `\d` in a regex, `C:\Users`.
    return this.#badEscape(text, at, 1, '\\\\', start);
  }

  #unicodeEscape(text: string, at: number, ended: boolean, start: number): number {
    for (let i = at + 2; i < at + 6; i++) {
      if (i >= text.length) return ended ? this.#badEscape(text, at, 1, '\\\\', start) : NOT_YET;
      if (!isHex(text.charCodeAt(i))) return this.#badEscape(text, at, 1, '\\\\', start);
    }
    this.#emit(text.slice(at, at + 6));
    return at + 6;
  }

  /** `\'` and `\x41`.  */
  #pythonEscape(text: string, at: number, ended: boolean, start: number): number {
    if (text.charAt(at + 1) === "'") {
      this.#emit("'");
      return at + 2;
    }
    for (let i = at + 2; i < at + 4; i++) {
      if (i >= text.length) return ended ? this.#badEscape(text, at, 1, '\\\\', start) : NOT_YET;
      if (!isHex(text.charCodeAt(i))) return this.#badEscape(text, at, 1, '\\\\', start);
    }
    this.#emit(`\\u00${text.slice(at + 2, at + 4)}`);
    return at + 4;
  }

  #badEscape(_text: string, at: number, length: number, instead: string, start: number): number {
    this.#repair('bad-escape', at, start);
    this.#emit(instead);
    return at + length;
  }

  #quoteAt(text: string, at: number, ended: boolean, start: number): number {
    const fit = this.#endsString(text, at + 1, ended);
    if (fit === NOT_YET) return NOT_YET;
    if (fit === 0) {
      this.#repair('unescaped-quote', at, start);
      this.#doubtful = true;
      this.#emit(this.#quote === '"' ? '\\"' : "'");
      return at + 1;
    }
    this.#emit('"');
    this.#stringDone(this.#consumed + at - start);
    return at + 1;
  }

  #stringDone(at: number): void {
    const captured = this.#captured;
    this.#captured = undefined;
    if (this.#isKey) {
      this.#keyDone(captured as string, at);
      this.#emit(captured as string);
      return;
    }
    if (captured !== undefined) {
      const scalar = this.hint?.scalar?.(parseString(captured));
      if (scalar !== undefined) this.#note('string-as-scalar', at);
      this.#emit(scalar ?? captured);
    }
    this.#valueDone();
  }

  /** Whether what follows a quote shows that it ends the string: 1 yes, 0 no, NOT_YET. */
  #endsString(text: string, from: number, ended: boolean): number {
    const at = lookPast(text, from);
    if (at >= text.length) return ended || at - from >= LOOK ? 1 : NOT_YET;
    if (at - from >= LOOK) return 1;
    const close = this.#closer(text, at, ended);
    if (close !== 0) return close > 0 ? 1 : NOT_YET;
    const char = text.charAt(at);
    if (this.#isKey && char !== '/') return char === ':' || char === '=' ? 1 : 0;
    if (char === '}' || char === ']') return this.#hasOpen(char) ? 1 : 0;
    if (char === '/') return this.#commentAt(text, at, ended);
    const container = this.#stack.at(-1);
    if (char === ',') return this.#commaFits(text, at + 1, ended, container);
    if (container?.kind === '[') return at > from ? valueAhead(text, at, ended) : 0;
    if (container?.kind === '{') return keyAhead(text, at, ended);
    return 0;
  }

  /** There is something that this bracket closes, or nothing is open at all. */
  #hasOpen(bracket: string): boolean {
    const opener = bracket === '}' ? '{' : '[';
    return this.#stack.length === 0 || this.#stack.some(({ kind }) => kind === opener);
  }

  #commentAt(text: string, at: number, ended: boolean): number {
    if (at + 1 >= text.length) return ended ? 0 : NOT_YET;
    return text.charAt(at + 1) === '/' || text.charAt(at + 1) === '*' ? 1 : 0;
  }

  /** Behind `",`: a key or a closing brace in an object, a value in an array. */
  #commaFits(text: string, from: number, ended: boolean, container: Container | undefined): number {
    const at = lookPast(text, from);
    if (at >= text.length) return ended || at - from >= LOOK ? 1 : NOT_YET;
    if (at - from >= LOOK) return 1;
    const char = text.charAt(at);
    if (char === '}' || char === ']' || char === '"' || char === "'" || char === '/') return 1;
    if (container?.kind !== '{') return '{[-0123456789tfnTFN'.includes(char) || !container ? 1 : 0;
    return keyAhead(text, at, ended);
  }

  // ---------------------------------------------------------------- numbers and words

  #inWord(text: string, at: number, ended: boolean, start: number): number {
    const here = this.#gather(text, at);
    if (here !== at) return here;
    if (here === text.length && !ended) return NOT_YET;
    if (this.#word === '') return this.#fail(`"${text.charAt(here)}" cannot begin a value`);
    // At the end of input a number may have been cut: `12` of `123`. Only a delimiter completes it.
    if (here === text.length && this.#stack.length > 0) return NOT_YET;
    return this.#wordDone(here, start);
  }

  #wordDone(at: number, start: number): number {
    const word = this.#word;
    const json = wordToJson(word);
    if (json === undefined) return this.#fail(`"${word.slice(0, 40)}" is no JSON value`);
    if (json !== word) {
      const isWord = json === 'true' || json === 'false' || json === 'null';
      if (!isWord || !this.#python)
        this.#repair(isWord ? 'python-word' : 'number-format', at - word.length, start);
    }
    this.#emit(json);
    this.#valueDone();
    return at;
  }

  // ---------------------------------------------------------------- giving up on a part

  #skipping(text: string, at: number, ended: boolean): number {
    let here = at;
    for (; here < text.length; here++) {
      const char = text.charAt(here);
      if (this.#skipInString) {
        if (char === '\\') {
          if (here + 1 >= text.length && !ended) break;
          here++;
        } else if (char === this.#skipInString) this.#skipInString = '';
        continue;
      }
      const close = this.#closer(text, here, ended);
      if (close === NOT_YET) break;
      if (close > 0) return this.#skipDone(0, here);
      if (char === '"') this.#skipInString = char;
      else if (char === '{' || char === '[') this.#skipOpen++;
      else if (char === '}' || char === ']') {
        if (this.#skipOpen > 0) this.#skipOpen--;
        else this.#stack.pop();
        if (this.#skipOpen === 0 && this.#stack.length <= this.#skipTo)
          return this.#skipDone(this.#skipTo, here + 1);
      }
    }
    return here === at ? NOT_YET : Math.min(here, text.length);
  }

  #skipDone(depth: number, at: number): number {
    this.#stack.length = Math.min(depth, this.#stack.length);
    this.out = '';
    this.#valueDone();
    this.out = '';
    return at;
  }

  // ---------------------------------------------------------------- bookkeeping

  #emit(json: string): void {
    if (this.#captured !== undefined) this.#captured += json;
    else this.out += json;
  }

  #repair(code: RepairCode, at: number, start: number): void {
    this.#note(code, this.#consumed + at - start);
  }

  /** A flood of one mistake is not worth a list as long as the text. */
  #note(code: RepairCode, at: number): void {
    if (++this.#noted <= NOTE_LIMIT) this.repairs.push({ code, at });
  }

  #fail(message: string): number {
    return this.#failWith('unreadable-call', message);
  }

  #failWith(code: JsonFailure['code'], message: string): number {
    this.failure = { code, message };
    return NOT_YET;
  }
}

/** Reads a whole text as one lenient JSON value. Undefined if it is none. */
export function readJson(
  text: string,
  options: JsonReaderOptions & { hint?: ValueHint } = {},
): (Pick<JsonReader, 'repairs' | 'duplicates'> & { json: string }) | undefined {
  const reader = new JsonReader(options);
  reader.watch = -1;
  reader.hint = options.hint;
  const end = reader.read(text, 0, true);
  if (!reader.done || text.slice(end).trim() !== '') return undefined;
  return { json: reader.take(), repairs: reader.repairs, duplicates: reader.duplicates };
}

function childHint(container: Container): ValueHint | undefined {
  if (!container.hint) return undefined;
  return container.kind === '[' ? container.hint.item() : container.hint.property(parseString(container.key));
}

function parseString(json: string): string {
  return JSON.parse(json) as string;
}
