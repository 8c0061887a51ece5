// Family: a name, a separator, JSON arguments. Each call is between its own markers, all of them in a section.
//
//   <calls_begin> <call_begin> name <sep> {…} <call_end> <call_begin> … <calls_end>
//   ^ section     ^ call       ^ name     ^ arguments
//
// A dialect may have no section, no closer, a prefix or an id beside the name, a code fence around the arguments.

import type { Opener } from '../../engine/dialect.js';
import type { Hold, OpenerHold } from '../../engine/hold.js';
import { matchLiteral, NOT_YET, nextOf } from '../../engine/markers.js';
import type { Mode, Reader } from '../../engine/reader.js';
import { isObject, type Tool } from '../../model/index.js';
import { isSpace } from '../../text/characters.js';
import type { JsonFailure } from '../../text/json.js';
import { argumentsInString } from '../json/json-arguments.js';
import { isLetter, JsonBlock, type JsonInMarkers, matchAny, passSpace } from '../json/json-in-markers.js';
import { streamedArguments } from '../json/streamed-arguments.js';
import { type CallName, type NameSpelling, readCallName } from './call-name.js';

export interface NamedJson extends NameSpelling {
  section?: { open: readonly string[]; close: readonly string[] } | undefined;
  open: readonly string[];
  /** None: the arguments end by themselves. */
  close: readonly string[];
  /** The arguments are in a code fence. */
  fence?: boolean | undefined;
  /** A list of calls that may follow an opener instead. */
  list?: JsonInMarkers | undefined;
}

export function namedJson(spelling: NamedJson): Opener[] {
  const opener = (marker: string, bare: boolean): Opener => ({
    firsts: marker.charAt(0),
    next: [marker.slice(1, 3)],
    match: (text, at, ended) => matchLiteral(text, at, marker, ended),
    open: (reader, hold) => new NamedJsonSection(spelling, hold).open(reader, marker, bare),
  });
  const sections = spelling.section?.open.map((marker) => opener(marker, false)) ?? [];
  return [...sections, ...spelling.open.map((marker) => opener(marker, true))];
}

class NamedJsonSection {
  readonly #spelling: NamedJson;
  readonly #sectionClose: readonly string[];
  /** First characters of everything that may end a call that could not be read. */
  readonly #firsts: string;
  /** Whether the call is outside a section. */
  #bare = false;
  /** Held until the first call begins. From then on nothing of the section can become text again. */
  readonly #section: OpenerHold;
  /** Holds the call being tried; the first call together with its section. */
  #call: Hold;

  constructor(spelling: NamedJson, hold: OpenerHold) {
    this.#spelling = spelling;
    this.#section = hold;
    this.#call = hold;
    this.#sectionClose = spelling.section?.close ?? [];
    const ends = [...spelling.close, ...this.#sectionClose, ...spelling.open];
    this.#firsts = [...new Set(ends.map((marker) => marker.charAt(0)))].join('');
  }

  open(reader: Reader, marker: string, bare: boolean): Mode {
    this.#bare = bare;
    reader.unfinished = 'incomplete';
    if (!bare) reader.markup(marker.length);
    else if (this.#spelling.section) reader.repair('missing-wrapper');
    return this.#next;
  }

  /** <calls_begin> | <call_begin>  — a section counts only if a call begins in it. */
  readonly #next: Mode = (reader) => {
    passSpace(reader);
    const { open, close } = this.#spelling;
    const next = which(reader, [...open, ...this.#sectionClose, ...close]);
    if (next === undefined) return undefined;
    if (open.includes(next)) return this.#openCall(reader, next);
    if (this.#sectionClose.includes(next)) {
      this.#section.settle();
      reader.markup(next.length);
      reader.unfinished = 'nothing';
      return reader.plain;
    }
    if (next !== '' && !this.#section.isOpen) {
      reader.markup(next.length, 'stray-closer');
      return this.#next;
    }
    return this.#leave(reader);
  };

  /** Leaves the section: neither a call nor its end follows. */
  #leave(reader: Reader): Mode {
    if (this.#section.isOpen) return this.#section.reject();
    if (!this.#bare && this.#sectionClose.length > 0) reader.repair('missing-closer');
    reader.unfinished = 'nothing';
    return reader.plain;
  }

  #reject(reader: Reader): Mode {
    if (this.#section.isOpen) return this.#section.reject();
    this.#call.undo();
    return this.#leave(reader);
  }

  #openCall(reader: Reader, marker: string): Mode {
    if (!this.#section.isOpen) this.#call = reader.try();
    reader.unfinished = 'incomplete';
    reader.markup(marker.length);
    return this.#name;
  }

  // ---------------------------------------------------------------- the name

  /** <call_begin> | name <sep> {  */
  readonly #name: Mode = (reader) => {
    const { text, at } = reader;
    const { list } = this.#spelling;
    const first = text
      .slice(at, at + 64)
      .trimStart()
      .charAt(0);
    if (list && first === '' && text.length - at < 64) return undefined;
    if (list && (first === '[' || first === '{'))
      return new JsonBlock(list, '', this.#call, () => this.#reject(reader)).head;
    const found = readCallName(text, at, this.#spelling, reader.setup.tools);
    if (!found) return found === null ? this.#reject(reader) : undefined;
    const start = this.#argumentsAt(text, at + found.end);
    if (start === undefined) return undefined;
    const empty = which({ text, at: start }, this.#spelling.close);
    if (empty === undefined) return undefined;
    if (empty !== '') return this.#withoutArguments(reader, found);
    const char = text.charAt(start);
    if (char !== '{' && char !== '"') return this.#reject(reader);
    this.#begin(reader, found, start - at);
    return this.#arguments(reader, found.nameless);
  };

  /** Gives where the arguments begin, after white space and a code fence. Undefined: more text must come. */
  #argumentsAt(text: string, from: number): number | undefined {
    const limit = Math.min(text.length, from + 128);
    let at = skipWhile(text, from, limit, isSpace);
    if (this.#spelling.fence && text.charAt(at) === '`') {
      if ('```'.startsWith(text.slice(at, at + 3)) && at + 3 >= text.length) return undefined;
      if (text.startsWith('```', at)) at = skipWhile(text, at + 3, limit, isLetter);
      at = skipWhile(text, at, limit, isSpace);
    } else if (this.#spelling.fence && 'json'.startsWith(text.slice(at, at + 4))) {
      // The language of a fence whose marks are lost.
      at = skipWhile(text, Math.min(at + 4, text.length), limit, isSpace);
    }
    return at >= text.length ? undefined : at;
  }

  /** name <sep> <call_end>  */
  #withoutArguments(reader: Reader, found: CallName): Mode {
    if (found.nameless) return this.#reject(reader);
    this.#begin(reader, found, found.end);
    reader.repair('missing-arguments');
    passSpace(reader);
    return this.#endCall(reader);
  }

  /** name <sep> | {…}  — a call without a name stays held until its arguments show which tool is meant. */
  #begin(reader: Reader, { name, nameAt, nameless, id }: CallName, length: number): void {
    const start = reader.at;
    if (!nameless) {
      reader.markup(nameAt);
      reader.beginCall(name, name.length);
      this.#commit(reader, id);
    }
    reader.markup(start + length - reader.at);
  }

  #commit(reader: Reader, id?: string): void {
    reader.identify(id);
    this.#call.keep();
  }

  // ---------------------------------------------------------------- the arguments

  /** <sep> | {…}  — or a JSON string that holds the object. */
  #arguments(reader: Reader, nameless: boolean): Mode {
    const quoted = reader.text.charAt(reader.at) === '"';
    return streamedArguments(reader, {
      closer: (text, at, ended) => matchAny(text, at, this.#spelling.close, ended),
      gathers: quoted || nameless,
      done: (r, json) => {
        if (nameless && !this.#beginGuessed(r, json)) return this.#reject(r);
        if (nameless) r.argument(json, 0);
        else if (quoted) r.argument(argumentsInString(r, json) ?? '', 0);
        return this.#endCall(r);
      },
      fail: (r, code, message) => (nameless ? this.#reject(r) : this.#fail(r, code, message)),
    });
  }

  #fail(reader: Reader, code: JsonFailure['code'], message: string): Mode {
    reader.failCall(code, `The arguments could not be read: ${message}.`);
    reader.unfinished = 'missing-closer';
    return this.#skip;
  }

  /** Skips arguments that could not be read, up to the call's closer. */
  readonly #skip: Mode = (reader) => {
    const { text, at } = reader;
    const { open, close } = this.#spelling;
    reader.markup(nextOf(text, this.#firsts, at) - at);
    if (reader.at >= text.length) return undefined;
    const marker = which(reader, [...close, ...this.#sectionClose, ...open]);
    if (marker === undefined) return undefined;
    if (marker === '') {
      reader.markup(1);
      return this.#skip;
    }
    if (close.includes(marker)) reader.markup(marker.length);
    reader.unfinished = 'missing-closer';
    return this.#next;
  };

  #endCall(reader: Reader): Mode {
    reader.endCall();
    const closes = this.#sectionClose.length > 0 ? !this.#bare : this.#spelling.close.length > 0;
    reader.unfinished = closes ? 'missing-closer' : 'nothing';
    return this.#closer;
  }

  /** Begins a call whose name was not written, if exactly one tool fits its arguments. */
  #beginGuessed(reader: Reader, json: string): boolean {
    const name = guessTool(json, reader.setup.tools);
    if (name === undefined) return false;
    reader.beginCallAt(name, [reader.position, reader.position]);
    reader.repair('guessed-name');
    this.#commit(reader);
    return true;
  }

  /** {…} | <call_end>  */
  readonly #closer: Mode = (reader) => {
    const { close, fence } = this.#spelling;
    if (close.length === 0) return this.#next;
    passSpace(reader);
    const next = which(reader, fence ? [...close, '```'] : close);
    if (next === undefined) return undefined;
    if (next === '' && '}]'.includes(reader.text.charAt(reader.at))) {
      reader.markup(1, 'extra-bracket');
      return this.#closer;
    }
    if (next === '') reader.repair('missing-closer');
    else reader.markup(next.length);
    if (this.#sectionClose.length === 0 && close.includes(next)) reader.unfinished = 'nothing';
    return next === '```' && !close.includes(next) ? this.#closer : this.#next;
  };
}

function skipWhile(text: string, from: number, limit: number, is: (code: number) => boolean): number {
  let at = from;
  while (at < limit && is(text.charCodeAt(at))) at++;
  return at;
}

/** Gives the marker at this place: '' for none, undefined if more text must come. */
function which({ text, at }: { text: string; at: number }, markers: readonly string[]): string | undefined {
  if (at >= text.length) return undefined;
  let undecided = false;
  for (const marker of markers) {
    // Half a marker at the end of the text is a marker that was cut.
    const found = matchLiteral(text, at, marker, false);
    if (found > 0) return marker;
    if (found === NOT_YET) undecided = true;
  }
  return undecided ? undefined : '';
}

/** Gives the only tool that the arguments fit, where a model wrote a number in place of its name. */
function guessTool(json: string, tools: ReadonlyMap<string, Tool>): string | undefined {
  const keys = keysOf(json);
  if (!keys) return undefined;
  const [only] = tools.keys();
  if (tools.size === 1) return only;
  const fitting = [...tools.values()].filter((tool) => fits(tool, keys));
  return fitting.length === 1 ? fitting[0]?.name : undefined;
}

function keysOf(json: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? Object.keys(value) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether every required argument is given and every given one is declared. */
function fits({ parameters }: Tool, keys: readonly string[]): boolean {
  const { properties, required } = isObject(parameters) ? parameters : {};
  const known = isObject(properties) ? properties : {};
  const needed = Array.isArray(required) ? required : [];
  return keys.every((key) => Object.hasOwn(known, key)) && needed.every((key) => keys.includes(String(key)));
}
