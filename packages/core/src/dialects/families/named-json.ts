// Family: a name, a separator, JSON arguments; each call between its own markers, all of them in a section.
//
//   <calls_begin> <call_begin> name <sep> {…} <call_end> <call_begin> … <calls_end>
//   ^ section     ^ call       ^ name     ^ arguments

import { schemaHint } from '../../codec/coerce.js';
import type { Opener } from '../../codec/dialect.js';
import { matchLiteral, NOT_YET } from '../../codec/markers.js';
import type { Mode, Reader } from '../../codec/reader.js';
import { JsonReader } from '../../text/json.js';
import { argumentsInString } from './json-arguments.js';
import { passSpace } from './json-in-markers.js';
import { noteJson } from './json-notes.js';

export interface NamedJson {
  section: { open: string; close: string };
  call: { open: string; separator: string; close: string };
}

const NAME_LIMIT = 256;
/** Characters of JSON that are read before they are passed on. */
const PAUSE = 32768;

export function namedJson(spelling: NamedJson): Opener[] {
  const opener = (marker: string, bare: boolean): Opener => ({
    firsts: marker.charAt(0),
    next: [marker.slice(1, 3)],
    match: (text, at, ended) => matchLiteral(text, at, marker, ended),
    open: (reader) => new NamedJsonSection(spelling).open(reader, bare),
  });
  return [opener(spelling.section.open, false), opener(spelling.call.open, true)];
}

class NamedJsonSection {
  readonly #spelling: NamedJson;
  #json = new JsonReader();
  #base = 0;
  /** There is no section around the call. */
  #bare = false;
  /** The arguments came as a JSON string: gathered, and read when it is whole. */
  #quoted: string | undefined;
  /** A call has been delivered: from here on nothing is taken back. */
  #committed = false;

  constructor(spelling: NamedJson) {
    this.#spelling = spelling;
  }

  open(reader: Reader, bare: boolean): Mode {
    this.#bare = bare;
    reader.unfinished = 'incomplete';
    if (bare) reader.repair('missing-wrapper');
    else reader.markup(this.#spelling.section.open.length);
    return this.#section;
  }

  /** <calls_begin> | <call_begin>  — a section counts only if a call begins in it. */
  readonly #section: Mode = (reader) => {
    passSpace(reader);
    const { section, call } = this.#spelling;
    const next = which(reader, [call.open, section.close, call.close]);
    if (next === undefined) return undefined;
    if (next === call.open) return this.#openCall(reader);
    if (next === section.close) {
      reader.keepAll();
      reader.markup(section.close.length);
      reader.unfinished = 'nothing';
      return reader.plain;
    }
    if (next === call.close && this.#committed) {
      reader.markup(call.close.length, 'stray-closer');
      return this.#section;
    }
    return this.#leave(reader);
  };

  /** Neither a call nor the end of the section. */
  #leave(reader: Reader): Mode {
    if (!this.#committed) return reader.reject();
    if (!this.#bare) reader.repair('missing-closer');
    reader.unfinished = 'nothing';
    return reader.plain;
  }

  #reject(reader: Reader): Mode {
    if (!this.#committed) return reader.reject();
    reader.undo();
    return this.#leave(reader);
  }

  #openCall(reader: Reader): Mode {
    if (this.#committed) reader.try();
    reader.unfinished = 'incomplete';
    reader.markup(this.#spelling.call.open.length);
    return this.#name;
  }

  /** <call_begin> | name <sep> {  */
  readonly #name: Mode = (reader) => {
    const { text, at } = reader;
    const { separator } = this.#spelling.call;
    if (!canBeName(text, at)) return this.#reject(reader);
    // Only so far: a flood of openers must not be searched to the end for each of them.
    const end = text.slice(at, at + NAME_LIMIT + separator.length).indexOf(separator) + at;
    if (end < at) return text.length - at > NAME_LIMIT + separator.length ? this.#reject(reader) : undefined;
    const name = text.slice(at, end).trim();
    if (name === '' || name.length > NAME_LIMIT || /[\s<>{}"]/.test(name)) return this.#reject(reader);
    const json = text.slice(end + separator.length).trimStart();
    if (json === '') return undefined;
    const empty = matchLiteral(json, 0, this.#spelling.call.close, false);
    if (empty === NOT_YET) return undefined;
    if (empty > 0) return this.#withoutArguments(reader, name, end);
    if (json.charAt(0) !== '{' && json.charAt(0) !== '"') return this.#reject(reader);
    this.#quoted = json.charAt(0) === '"' ? '' : undefined;
    reader.markup(text.slice(at, end).indexOf(name));
    return this.#begin(reader, name, end);
  };

  /** name <sep> <call_end>  */
  #withoutArguments(reader: Reader, name: string, end: number): Mode {
    reader.markup(reader.text.slice(reader.at, end).indexOf(name));
    this.#quoted = undefined;
    this.#begin(reader, name, end);
    reader.repair('missing-arguments');
    return this.#endCall(reader);
  }

  #begin(reader: Reader, name: string, end: number): Mode {
    reader.beginCall(name, name.length);
    reader.identify();
    reader.keep();
    this.#committed = true;
    reader.markup(end - reader.at + this.#spelling.call.separator.length);
    passSpace(reader);
    const { depth, members } = reader.limits;
    const closer = (text: string, at: number, ended: boolean) =>
      matchLiteral(text, at, this.#spelling.call.close, ended);
    this.#json = new JsonReader({ maxDepth: depth, maxMembers: members, closer });
    this.#json.watch = -1;
    this.#json.pause = PAUSE;
    if (reader.setup.coerceStrings) this.#json.hint = schemaHint(reader.call?.tool?.parameters);
    this.#base = reader.position;
    return this.#arguments;
  }

  /** <sep> | {…}  */
  readonly #arguments: Mode = (reader) => {
    const json = this.#json;
    const from = reader.at;
    const to = json.read(reader.text, from, reader.ended);
    if (this.#quoted === undefined) reader.argument(json.take(), to - from);
    else {
      this.#quoted += json.take();
      reader.markup(to - from);
    }
    if (json.hasNotes) noteJson(reader, json, this.#base);
    if (json.failure) return this.#fail(reader, json.failure.code, json.failure.message);
    if (json.done) return this.#endCall(reader);
    return to > from && to < reader.text.length ? this.#arguments : undefined;
  };

  #fail(reader: Reader, code: 'unreadable-call' | 'too-deep' | 'too-long', message: string): Mode {
    reader.failCall(code, `The arguments could not be read: ${message}.`);
    reader.unfinished = 'missing-closer';
    return this.#skip;
  }

  /** Behind arguments that could not be read: on to the call's end. */
  readonly #skip: Mode = (reader) => {
    const { text, at } = reader;
    const { call, section } = this.#spelling;
    const next = text.indexOf('<', at);
    reader.markup((next < 0 ? text.length : next) - at);
    if (reader.at >= text.length) return undefined;
    const marker = which(reader, [call.close, section.close, call.open]);
    if (marker === undefined) return undefined;
    if (marker === '') {
      reader.markup(1);
      return this.#skip;
    }
    if (marker === call.close) reader.markup(call.close.length);
    reader.unfinished = 'missing-closer';
    return this.#section;
  };

  #endCall(reader: Reader): Mode {
    if (this.#quoted !== undefined) reader.argument(argumentsInString(reader, this.#quoted) ?? '', 0);
    reader.endCall();
    reader.unfinished = this.#bare ? 'nothing' : 'missing-closer';
    return this.#closer;
  }

  /** {…} | <call_end>  */
  readonly #closer: Mode = (reader) => {
    passSpace(reader);
    const { call } = this.#spelling;
    const next = which(reader, [call.close]);
    if (next === undefined) return undefined;
    if (next === '' && '}]'.includes(reader.text.charAt(reader.at))) {
      reader.markup(1, 'extra-bracket');
      return this.#closer;
    }
    if (next === call.close) reader.markup(call.close.length);
    else reader.repair('missing-closer');
    return this.#section;
  };
}

/** Which of the markers stands here: '' for none, undefined if more text must come. */
function which(reader: Reader, markers: readonly string[]): string | undefined {
  const { text, at } = reader;
  if (at >= text.length) return undefined;
  let undecided = false;
  for (const marker of markers) {
    // Half a marker at the end is a marker that was cut.
    const found = matchLiteral(text, at, marker, false);
    if (found > 0) return marker;
    if (found === NOT_YET) undecided = true;
  }
  return undecided ? undefined : '';
}

/** Whether what stands there, up to the next tag, may still be a name: a mention in prose has spaces or quotes. */
function canBeName(text: string, at: number): boolean {
  const end = text.indexOf('<', at);
  const ahead = text.slice(at, Math.min(end < 0 ? text.length : end, at + NAME_LIMIT)).trimStart();
  return !/[\s{}"'`]\S/.test(ahead) && !/^[{}"'`]/.test(ahead);
}
