// Reads call expressions, one call or several, with markers around them or bare.
//
//   <|python_start|> [ f ( x="a" ) , g ( ) ] <|python_end|>
//   ^ open           ^ head         ^ tail     ^ close
//                      ^ name ^ arguments, streamed
//
// A marked block counts as soon as a name and its bracket are in it. A bare list must not be prose (`[see f(x)]`,
// a Markdown link): it counts only where it begins the answer or a line, and then
//
// - if its first name is a declared tool, from its first complete value on: arguments stream;
// - if not, as a whole: every call well-formed, the list closed, and nothing else on its last line.
//
// Until then everything is held, and becomes text again if it is no call. Without declared tools, a word of small
// letters may be a name only up to 16 letters, so that prose is not held back for longer.

import type { OpenerHold } from '../../engine/hold.js';
import { matchFirst, matchLiteral, NO, NOT_YET } from '../../engine/markers.js';
import type { Mode, Reader } from '../../engine/reader.js';
import { isObject, type RepairCode } from '../../model/index.js';
import { type ArgumentRules, ArgumentStream } from '../../text/argument-stream.js';
import { isBreak, spaceEnd } from '../../text/characters.js';
import { argumentHint } from '../json/json-arguments.js';
import { type EnvelopeKeys, JsonEnvelope } from '../json/json-envelope.js';
import { passSpace } from '../json/json-in-markers.js';
import { PAUSE } from '../json/streamed-arguments.js';
import { isNameChar, nameLength } from './expression-names.js';

export interface ExpressionSpelling {
  /** Empty: bare calls without markers. */
  open: string;
  close: readonly string[];
  style: 'python' | 'braces';
  several: 'brackets' | 'lines' | 'each';
  prefix: string;
  /** Behind the name, and not part of it: `.call`. */
  suffix?: string;
  quote: string | undefined;
  firsts: string;
  brokenTail: NonNullable<ArgumentRules['brokenTail']>;
}

const KEYS: EnvelopeKeys = {
  name: ['name', 'tool_name', 'function_name', 'tool', 'function'],
  arguments: ['arguments', 'parameters', 'input', 'params', 'args'],
};

/** How much white space to skip when looking past a bracket. */
const LOOK = 64;

/** How many characters before the first name of a bare list may be held. */
const HEAD_LIMIT = 256;

const CUT = 'A string may be cut, or hold other arguments: a closing quote is missing, or one is too many.';

export class ExpressionBlock {
  readonly #spelling: ExpressionSpelling;
  readonly #bare: boolean;
  #stream: ArgumentStream | undefined;
  #base = 0;
  /** The brackets around the calls: not yet seen, open, closed. */
  #list: 'none' | 'open' | 'closed' = 'none';
  #calls = 0;
  /** Held until the first argument begins, or a list of unknown names ends. From then on nothing becomes text again. */
  readonly #hold: OpenerHold;
  /** Whether this is a bare list of unknown names: it counts as a whole or not at all. */
  #whole = false;
  #prefixed = false;
  #skipDepth = 0;
  #skipQuote = '';

  constructor(spelling: ExpressionSpelling, hold: OpenerHold) {
    this.#spelling = spelling;
    this.#hold = hold;
    this.#bare = spelling.open === '';
  }

  open(reader: Reader): Mode {
    if (!this.#bare) {
      reader.unfinished = 'incomplete';
      reader.markup(this.#spelling.open.length);
      return this.#head;
    }
    if (!beginsLine(reader) || this.#hold.behindFence) return this.#hold.reject();
    reader.unfinished = 'text';
    reader.markup(1);
    this.#list = 'open';
    return this.#name;
  }

  readonly #close = (text: string, at: number, ended: boolean) =>
    matchFirst(text, at, this.#spelling.close, ended);

  // ---------------------------------------------------------------- the head of the block

  /** <|tool_call_start|> | [f(…  — an opener counts only if a call can begin after it. */
  readonly #head: Mode = (reader) => {
    passSpace(reader);
    const { text, at } = reader;
    const char = text.charAt(at);
    if (char === '') return undefined;
    const close = this.#close(text, at, reader.ended);
    const again = matchLiteral(text, at, this.#spelling.open, reader.ended);
    if (close === NOT_YET || again === NOT_YET) return undefined;
    if (close > 0) return this.#empty;
    if (again > 0) {
      reader.markup(again, 'doubled-opener');
      return this.#head;
    }
    if (char === '{') return this.#json(reader);
    if (char !== '[') return this.#name;
    const next = skipSpace(text, at + 1);
    if (next >= text.length && next - at < LOOK) return undefined;
    if (text.charAt(next) === '{') return this.#json(reader);
    reader.markup(1);
    if (this.#spelling.several !== 'brackets') reader.repair('bare-list');
    this.#list = 'open';
    return this.#name;
  };

  /** Reads JSON, which some models write in place of expressions. */
  #json(reader: Reader): Mode {
    reader.repair('json-body');
    const list = reader.text.charAt(reader.at) === '[';
    return new JsonEnvelope(
      reader,
      { keys: KEYS, list },
      {
        closer: this.#close,
        hold: this.#hold,
        done: this.#tail,
        reject: (message) => this.#hold.reject({ code: 'unreadable-call', message }),
      },
    ).read;
  }

  // ---------------------------------------------------------------- names

  /** [ | f(…  */
  readonly #name: Mode = (reader) => {
    passSpace(reader);
    if (this.#bare && this.#hold.length > HEAD_LIMIT) return this.#hold.reject();
    const { prefix } = this.#spelling;
    if (prefix === '') return this.#word(reader);
    const found = matchLiteral(reader.text, reader.at, prefix, reader.ended);
    if (found === NOT_YET) return undefined;
    reader.markup(found);
    this.#prefixed = found > 0;
    return this.#word;
  };

  readonly #word: Mode = (reader) => {
    if (this.#prefixed) passSpace(reader);
    const { text, at } = reader;
    const end = at + nameLength(text, at);
    if (!this.#mayBeName(reader, at, end)) return this.#noName(reader);
    if (end >= text.length) return this.#waitForName(reader, end);
    const bracket = this.#bare ? end : skipSpace(text, end);
    if (bracket >= text.length && bracket - end < LOOK) return this.#waitForName(reader, end);
    const opens = text.charAt(bracket) === (this.#spelling.style === 'python' ? '(' : '{');
    if (end === at || !opens) return this.#noName(reader);
    return this.#begin(reader, text.slice(at, end), bracket);
  };

  /** If the text ends here, a call has begun and is incomplete. */
  #waitForName(reader: Reader, end: number): undefined {
    const begun = end > reader.at && (!this.#endsByItself || isDeclaredPrefix(reader, reader.at, end));
    if (!this.#hold.isOpen && begun) reader.unfinished = 'incomplete';
  }

  /** Whether this may be a name, so that prose is not held back for a name that no tool has. */
  #mayBeName(reader: Reader, from: number, to: number): boolean {
    if (!this.#bare || !this.#hold.isOpen) return true;
    return isLikelyName(reader.text.slice(from, to)) || isDeclaredPrefix(reader, from, to);
  }

  #noName(reader: Reader): Mode {
    const empty = this.#list === 'open' && reader.text.charAt(reader.at) === ']' && !this.#bare;
    if (this.#hold.isOpen && empty) {
      reader.markup(1);
      return this.#empty;
    }
    if (this.#hold.isOpen) return this.#hold.reject();
    if (this.#list === 'open' && reader.text.charAt(reader.at) === ']') return this.#tail;
    return this.#endsByItself ? this.#done(reader) : reader.leaveOpen();
  }

  /** | closer, [] | closer  — a block without calls. */
  readonly #empty: Mode = (reader) => {
    passSpace(reader);
    if (reader.at >= reader.text.length) return undefined;
    const close = this.#close(reader.text, reader.at, reader.ended);
    if (close === NOT_YET) return undefined;
    if (close === NO) return this.#hold.reject();
    reader.markup(close);
    return this.#done(reader);
  };

  #begin(reader: Reader, written: string, bracket: number): Mode {
    const { suffix = '' } = this.#spelling;
    const name = written.endsWith(suffix) ? written.slice(0, written.length - suffix.length) : written;
    const gap = bracket - reader.at - name.length;
    if (this.#calls === 0 && this.#bare) this.#whole = !reader.setup.tools.has(name);
    if (!this.#whole) reader.unfinished = 'incomplete';
    reader.beginCall(name, name.length);
    reader.identify();
    if (this.#calls === 0 && this.#list === 'none' && this.#spelling.several === 'brackets')
      reader.repair('bare-object');
    if (this.#spelling.prefix !== '' && !this.#prefixed) reader.repair('other-spelling');
    this.#prefixed = false;
    reader.markup(gap);
    if (!this.#bare) this.#hold.settle();
    this.#base = reader.position;
    this.#stream = new ArgumentStream(this.#rules(reader));
    this.#stream.pause = PAUSE;
    return this.#arguments;
  }

  #rules(reader: Reader): ArgumentRules {
    const { style, quote, firsts, brokenTail } = this.#spelling;
    const { depth, members } = reader.limits;
    return {
      style,
      ...(quote !== undefined && { quote }),
      closer: this.#close,
      firsts,
      brokenTail,
      names: parameterNames(reader),
      hint: argumentHint(reader),
      maxDepth: depth,
      maxMembers: members,
    };
  }

  // ---------------------------------------------------------------- arguments

  /** f | (x="a")  */
  readonly #arguments: Mode = (reader) => {
    const stream = this.#stream as ArgumentStream;
    const { at, text } = reader;
    // Where the text was cut, no marker at its end shows that a string is over.
    const end = stream.read(text, at, reader.ended && !reader.cut);
    const json = stream.take();
    reader.argument(json, end - at);
    if (stream.repairs.length > 0 || stream.duplicates.length > 0) this.#note(reader, stream);
    // Before any other check, so that every chunking of a text decides alike.
    if (!this.#whole && (stream.begun || stream.done)) this.#hold.settle();
    if (stream.failure) return this.#fail(reader, stream.failure.code, stream.failure.message);
    // The limit applies to what is held, however the text was chunked.
    if (this.#hold.length > reader.limits.held) return this.#hold.reject();
    if (stream.done) return this.#end(reader);
    return end > at && end < text.length ? this.#arguments : undefined;
  };

  #note(reader: Reader, { repairs, duplicates }: ArgumentStream): void {
    for (const { code, at } of repairs.splice(0)) reader.repair(code, this.#base + at, this.#base + at + 1);
    for (const { key, at } of duplicates.splice(0))
      reader.duplicateKey(key, this.#base + at, this.#base + at + 1);
  }

  #end(reader: Reader): Mode {
    const isDoubted = this.#stream?.doubtful || this.#holdsQuote(reader);
    if (isDoubted) reader.issue('ambiguous-value', CUT);
    reader.endCall();
    if (!isDoubted) this.#watch(reader);
    this.#calls++;
    reader.unfinished = this.#whole ? 'text' : this.#endsByItself ? 'nothing' : 'missing-closer';
    return this.#tail;
  }

  /** Whether no closer is due. */
  get #endsByItself(): boolean {
    return !this.#bare && this.#spelling.close.length === 0 && this.#list !== 'open';
  }

  /** Whether a string was ended by the next key, and a quote too many follows: was it text that shows arguments? */
  #holdsQuote({ call }: Reader): boolean {
    const { quote } = this.#spelling;
    const noted = (code: RepairCode) => call?.repairs.some((repair) => repair.code === code) ?? false;
    if (quote === undefined || !noted('missing-closer')) return false;
    return noted('stray-marker') || noted('unescaped-quote');
  }

  /** Strings in own quotes are raw text: a quote behind the call shows that one of them was cut. */
  #watch(reader: Reader): void {
    const { quote } = this.#spelling;
    if (quote === undefined) return;
    reader.watchFor({ match: (text, at, ended) => matchLiteral(text, at, quote, ended), message: CUT });
  }

  #fail(
    reader: Reader,
    code: 'unreadable-call' | 'unsupported-code' | 'too-deep' | 'too-long',
    message: string,
  ): Mode {
    if (this.#hold.isOpen) return this.#hold.reject();
    reader.failCall(code, `The call could not be read: ${message}.`);
    this.#calls++;
    reader.unfinished = 'missing-closer';
    this.#skipDepth = 1;
    this.#skipQuote = '';
    return this.#skip;
  }

  /** Skips the rest of a failed call, up to its closing bracket; only strings and brackets matter. */
  readonly #skip: Mode = (reader) => {
    const { text, at, ended } = reader;
    let end = at;
    for (; end < text.length && this.#skipDepth > 0; end++) {
      const close = this.#close(text, end, ended);
      if (close === NOT_YET) break;
      if (close > 0) this.#skipDepth = 0;
      if (close > 0) break;
      this.#skipOver(text.charAt(end));
    }
    reader.markup(end - at);
    return this.#skipDepth === 0 ? this.#tail : undefined;
  };

  #skipOver(char: string): void {
    if (this.#skipQuote !== '') {
      if (char === this.#skipQuote || char === '\n') this.#skipQuote = '';
    } else if (char === '"' || char === "'") this.#skipQuote = char;
    else if ('([{'.includes(char)) this.#skipDepth++;
    else if (')]}'.includes(char)) this.#skipDepth--;
  }

  // ---------------------------------------------------------------- after a call

  /** f(…) | , g(…)]  */
  readonly #tail: Mode = (reader) => {
    passSpace(reader);
    const { text, at } = reader;
    if (at >= text.length) return undefined;
    // Half a closer at the end of the text is a closer that was cut.
    const close = this.#close(text, at, false);
    if (close === NOT_YET) return undefined;
    if (close > 0) {
      reader.markup(close);
      return this.#done(reader);
    }
    const char = text.charAt(at);
    if (char === ']' && this.#list !== 'closed') {
      if (this.#list === 'none') reader.repair('extra-bracket');
      this.#list = 'closed';
      reader.markup(1);
      return this.#bare ? this.#behindList : this.#tail;
    }
    if (char === ',' || char === ';') {
      reader.markup(1);
      return this.#name;
    }
    if (')}]'.includes(char) && this.#spelling.close.length > 0) {
      reader.markup(1, 'extra-bracket');
      return this.#tail;
    }
    const goesOn = this.#mayGoOn(reader);
    if (goesOn === undefined) return undefined;
    if (goesOn) return this.#name;
    if (this.#whole) return this.#hold.reject();
    return this.#endsByItself ? this.#done(reader) : reader.leaveOpen();
  };

  /** Whether another call may follow without a comma. Where nothing closes the block, prose may follow as well. */
  #mayGoOn(reader: Reader): boolean | undefined {
    const { text, at, ended } = reader;
    if (this.#bare || this.#list === 'closed' || !isNameChar(text.charCodeAt(at))) return false;
    if (!this.#endsByItself) return true;
    const end = at + nameLength(text, at);
    if (end >= text.length) return ended ? isDeclaredPrefix(reader, at, end) : undefined;
    return text.charAt(end) === '(' && text.slice(at, end).endsWith(this.#spelling.suffix ?? '');
  }

  /** [f(…)] |  — after a bare list of unknown names the line must end. */
  readonly #behindList: Mode = (reader) => {
    if (!this.#whole) return this.#done(reader);
    const { text, at, ended } = reader;
    let end = at;
    while (end < text.length && end - at < LOOK && (text.charAt(end) === ' ' || text.charAt(end) === '\t'))
      end++;
    if (end >= text.length && !ended) return undefined;
    const ends = end >= text.length || isBreak(text.charCodeAt(end)) || text.charAt(end) === '<';
    return ends ? this.#done(reader) : this.#hold.reject();
  };

  #done(reader: Reader): Mode {
    this.#hold.settle();
    reader.unfinished = 'nothing';
    return reader.plain;
  }
}

/** Whether this begins the answer or a line. The line break is in the window: the reader left it for the opener. */
function beginsLine(reader: Reader): boolean {
  return reader.silent || (reader.at > 0 && isBreak(reader.text.charCodeAt(reader.at - 1)));
}

/** Whether this may be the name of an undeclared tool and not prose: it is short, or has capitals, digits or signs. */
function isLikelyName(name: string): boolean {
  return name.length <= 16 || (name.length <= 64 && /[A-Z0-9_.:-]/.test(name));
}

function isDeclaredPrefix({ text, setup }: Reader, from: number, to: number): boolean {
  const name = text.slice(from, to);
  for (const tool of setup.tools.keys()) if (tool.startsWith(name)) return true;
  return false;
}

function parameterNames(reader: Reader): string[] {
  const schema = reader.call?.tool?.parameters;
  return isObject(schema) && isObject(schema.properties) ? Object.keys(schema.properties) : [];
}

function skipSpace(text: string, from: number): number {
  return spaceEnd(text, from, from + LOOK);
}
