// A streaming reader of JSON as models write it.
//
// The reader gives valid, compact JSON text for what it has read: every character as soon as it is certain.
// Numbers keep their digits. Each tolerated mistake is listed as a repair. The reader never throws.
//
//   begin ──> ( string | word | { key : value , … } | [ value , … ] ) ──> end
//
// The caller may watch the outer levels: the reader stops at the `begin` and `end` of each value there, and
// queues a JsonStop. So a dialect family finds the name, the id and the arguments of a call in one pass.

import type { RepairCode } from '../model/index.js';
import { isHighSurrogate, NOT_YET } from './characters.js';
import {
  blankEnd,
  escapeControl,
  isHex,
  isJsonEscape,
  isWordChar,
  isWordStart,
  keyAhead,
  LOOK,
  lookPast,
  repairOfString,
  valueAhead,
  wordToJson,
} from './json-tokens.js';

/** What the schema requires of a value, as far as the reader needs it. */
export interface ValueHint {
  /** Coerces a string to the JSON text of what the schema requires instead, if it reads as that. */
  scalar?(decoded: string): string | undefined;
  property(key: string): ValueHint | undefined;
  item(): ValueHint | undefined;
}

export interface JsonReaderOptions {
  maxDepth?: number;
  /** The most members and elements in the whole value. */
  maxMembers?: number;
  /** Matches the dialect's closing marker at `at` (see engine/markers.ts). It ends the value even inside brackets. */
  closer?: (text: string, at: number, ended: boolean) => number;
  /** The dialect writes Python literals: single quotes, True and None, `\'` and `\x41` are not listed as repairs. */
  python?: boolean;
}

export interface JsonStop {
  type: 'begin' | 'end';
  /** How many containers are around the value. */
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
/** The most repairs and duplicate keys listed for one value. */
const NOTE_LIMIT = 2000;

export class JsonReader {
  /** JSON text that the caller has not taken yet. */
  out = '';
  done = false;
  failure: JsonFailure | undefined;
  readonly repairs: { code: RepairCode; at: number }[] = [];
  readonly duplicates: { key: string; at: number }[] = [];
  /**
   * `read` returns once `out` is this long. A caller that reads long values sets it: a string built from very
   * many pieces costs more than its length (see gather.ts).
   */
  pause = Number.POSITIVE_INFINITY;
  /** `read` stops at values inside at most this many containers. */
  watch = 0;
  /** The schema's hint for the next value. The caller may set it at `begin`. */
  hint: ValueHint | undefined;

  #state: State = 'before-value';
  #stack: Container[] = [];
  #stops: JsonStop[] = [];
  #quote = '"';
  #isKey = false;
  /** The string contains an unescaped quote, or it is a key without a comma before it: its end is uncertain. */
  #doubtful = false;
  #lostComma = false;
  #word = '';
  /** The text of a key, or of a string that may be coerced to a scalar, held until it is complete. */
  #captured: string | undefined;
  #members = 0;
  #noted = 0;
  #afterComma = false;
  #commaAt = 0;
  /** How many code units earlier calls of `read` consumed. */
  #consumed = 0;
  #skipTo = 0;
  /** How many brackets opened while skipping: a counter, so that very many of them take no memory. */
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

  get depth(): number {
    return this.#stack.length;
  }

  get hasNotes(): boolean {
    return this.repairs.length > 0 || this.duplicates.length > 0;
  }

  /** Takes the JSON text written since the last call. */
  take(): string {
    const out = this.out;
    this.out = '';
    return out;
  }

  /** Takes the oldest stop from the queue. */
  nextStop(): JsonStop | undefined {
    return this.#stops.length > 0 ? this.#stops.shift() : undefined;
  }

  /** Gives up on the value inside `depth` containers: skips to its end, tracking only strings and brackets. */
  skipTo(depth: number): void {
    this.failure = undefined;
    this.#captured = undefined;
    this.#skipTo = depth;
    this.#skipOpen = 0;
    this.#skipInString = '';
    this.#state = 'skip';
  }

  /**
   * Reads on from `at` and returns the position it reached. It returns early at a stop, at the end of the value
   * and at a failure; otherwise the unread rest needs more text to be understood.
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
        return this.#announce(char, at);
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

  /** Skips white space, and comments as a repair. Gives NOT_YET inside a comment that has not ended. */
  #space(text: string, at: number, ended: boolean, start: number): number {
    const here = blankEnd(text, at);
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
    // An open comment is held up to a limit. Beyond the limit the value is unreadable.
    if (end >= 0 || text.length - at > COMMENT_LIMIT) return this.#fail('a comment that does not end');
    return NOT_YET;
  }

  #announce(first: string, at: number): number {
    this.#state = 'value';
    const container = this.#stack.at(-1);
    this.hint = container ? childHint(container) : this.hint;
    if (this.#stack.length <= this.watch) this.#stop('begin', first);
    return at;
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
    // `after-value` also accepts the `]` of an empty array.
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

  /** Appends the word characters at `at` to the word and returns the position after them. */
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
    // Models write `=` out of habit from other languages. A value without `:` or `=` has lost its colon.
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

  /** Closes the innermost bracket, because the dialect's closing marker comes before the JSON is complete. */
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
      if (code === 0x5c && isJsonEscape(text, here + 1)) {
        here++;
        continue;
      }
      if (code < 0x20 || code === 0x22 || code === 0x27 || code === 0x5c) break;
      if (code === 0x3c && this.#doubtful) break;
    }
    if (here === text.length) {
      // The first half of a surrogate pair waits for the second half.
      const plain = !ended && isHighSurrogate(code) ? here - 1 : here;
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

  /** A closing marker in a string is content. But if the string has an unescaped quote, the value is unreadable. */
  #closerInString(text: string, at: number, ended: boolean): number {
    const close = this.#closer(text, at, ended);
    if (close === NOT_YET) return NOT_YET;
    if (close > 0) return this.#fail('a quote in a string was not escaped, and its end cannot be told');
    this.#emit('<');
    return at + 1;
  }

  #escape(text: string, at: number, ended: boolean, start: number): number {
    if (at + 1 >= text.length) return ended ? this.#badEscape(at, 1, '\\\\', start) : NOT_YET;
    const char = text.charAt(at + 1);
    if (char === 'u') return this.#unicodeEscape(text, at, ended, start);
    if (this.#python && (char === "'" || char === 'x')) return this.#pythonEscape(text, at, ended, start);
    if (char === "'") return this.#badEscape(at, 2, "'", start);
    if (char === '\n') return this.#badEscape(at, 2, '\\n', start);
    // A backslash that begins no valid escape is kept as a backslash: `\d` in a regex, `C:\Users`.
    return this.#badEscape(at, 1, '\\\\', start);
  }

  #unicodeEscape(text: string, at: number, ended: boolean, start: number): number {
    for (let i = at + 2; i < at + 6; i++) {
      if (i >= text.length) return ended ? this.#badEscape(at, 1, '\\\\', start) : NOT_YET;
      if (!isHex(text.charCodeAt(i))) return this.#badEscape(at, 1, '\\\\', start);
    }
    this.#emit(text.slice(at, at + 6));
    return at + 6;
  }

  /** Reads `\'` and `\x41`. */
  #pythonEscape(text: string, at: number, ended: boolean, start: number): number {
    if (text.charAt(at + 1) === "'") {
      this.#emit("'");
      return at + 2;
    }
    for (let i = at + 2; i < at + 4; i++) {
      if (i >= text.length) return ended ? this.#badEscape(at, 1, '\\\\', start) : NOT_YET;
      if (!isHex(text.charCodeAt(i))) return this.#badEscape(at, 1, '\\\\', start);
    }
    this.#emit(`\\u00${text.slice(at + 2, at + 4)}`);
    return at + 4;
  }

  #badEscape(at: number, length: number, instead: string, start: number): number {
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
      if (scalar !== undefined) this.#note(repairOfString(scalar), at);
      this.#emit(scalar ?? captured);
    }
    this.#valueDone();
  }

  /** Whether the text after a quote shows that the quote ends the string: 1 yes, 0 no, NOT_YET. */
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

  /** Whether this bracket closes an open container, or no container is open. */
  #hasOpen(bracket: string): boolean {
    const opener = bracket === '}' ? '{' : '[';
    return this.#stack.length === 0 || this.#stack.some(({ kind }) => kind === opener);
  }

  #commentAt(text: string, at: number, ended: boolean): number {
    if (at + 1 >= text.length) return ended ? 0 : NOT_YET;
    return text.charAt(at + 1) === '/' || text.charAt(at + 1) === '*' ? 1 : 0;
  }

  /** Whether the text after `",` fits: a key or a closing bracket in an object, a value in an array. */
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
    // At the end of input a number may be cut off (`12` of `123`). Inside a container only a delimiter completes it.
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

  /** Lists a repair, up to NOTE_LIMIT: a repeated mistake must not make a list as long as the text. */
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

/** Reads a whole text leniently as one JSON value. Undefined if it is not one. */
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
