// One call that an upstream sends natively, read by the engine's parser: its arguments are the text of a dialect that
// has no markers. So a native call gets the repairs, the schema check, the limits, the ids and the issues of a call that a
// model writes as text.
//
// Arguments that are right pass byte for byte, white space included. From the first repair on, the text is the parser's.

import type { Dialect } from '../../engine/dialect.js';
import { NO_MARKERS } from '../../engine/markers.js';
import { createParser, type Parser } from '../../engine/parser.js';
import type { SharingOptions } from '../../engine/parser-options.js';
import type { Mode, Reader } from '../../engine/reader.js';
import { argumentsInList, argumentsInString, coerced } from '../../families/json/json-arguments.js';
import { streamedArguments } from '../../families/json/streamed-arguments.js';
import type { CallError, ParseEvent } from '../../model/index.js';
import { isSpace } from '../../text/characters.js';
import { Gather } from '../../text/gather.js';

export class NativeCall {
  /** The arguments as the upstream wrote them. */
  readonly #raw = new Gather();
  readonly #parser: Parser;
  /** What the upstream wrote and was not passed on yet; undefined after the first repair. */
  #ahead: string | undefined = '';
  /** The arguments as they were passed on, after the first repair; before it they are the upstream's. */
  #repaired: Gather | undefined;

  constructor(
    readonly name: string,
    readonly givenId: string,
    options: SharingOptions,
  ) {
    this.#parser = createParser(argumentsDialect(name, givenId), { ...options, thinking: false });
  }

  /** Gives the events that became certain; the first piece, also an empty one, gives the start of the call. */
  feed(text: string): ParseEvent[] {
    this.#raw.add(text);
    if (this.#ahead !== undefined) this.#ahead += text;
    const events = this.#parser.feed(text);
    for (const event of events) if (event.type === 'call-delta') event.text = this.#pass(event.text);
    return events;
  }

  finish(): ParseEvent[] {
    return this.#parser.finish().flatMap((event): ParseEvent[] => {
      if (event.type === 'call-delta') return [{ ...event, text: this.#pass(event.text) }];
      if (event.type !== 'call-end') return [event];
      const { id, range } = event;
      const blank = this.#ahead?.trim() === '' ? this.#ahead : '';
      const rest: ParseEvent[] = blank === '' ? [] : [{ type: 'call-delta', id, text: blank, range }];
      // What follows the arguments and is no white space was not passed on.
      const passed = this.#repaired ?? this.#passedSoFar(blank === '' ? (this.#ahead ?? '') : '');
      return [...rest, { ...event, raw: passed.toString() }];
    });
  }

  /** Gives the end of a call that the token limit or a filter cut off: it is no call, even if its arguments look whole. */
  cut(): CallError {
    const message = 'The answer was cut off inside a call; it is not delivered.';
    const range: [number, number] = [0, this.#raw.length];
    const issues = [{ code: 'incomplete-call' as const, range, message, raw: this.asText() }];
    return { type: 'call-error', id: this.givenId, name: this.name, range, issues };
  }

  /** Shows the call where it must not be one. */
  asText(): string {
    return `${this.name}(${this.#raw.toString()})`;
  }

  /** Gives the upstream's spelling of a piece of JSON, or the piece itself where it was repaired. */
  #pass(json: string): string {
    const ahead = this.#ahead;
    if (ahead === json) {
      this.#ahead = '';
      return json;
    }
    const length = ahead === undefined ? -1 : lengthOf(json, ahead);
    if (ahead !== undefined && length >= 0) {
      this.#ahead = ahead.slice(length);
      return ahead.slice(0, length);
    }
    this.#repaired ??= this.#passedSoFar(ahead ?? '');
    this.#ahead = undefined;
    this.#repaired.add(json);
    return json;
  }

  #passedSoFar(ahead: string): Gather {
    const passed = new Gather();
    const raw = this.#raw.toString();
    passed.add(raw.slice(0, raw.length - ahead.length));
    return passed;
  }
}

/** How much of `text` spells exactly this compact JSON, with white space between; -1 if it does not. */
export function lengthOf(json: string, text: string): number {
  if (text.startsWith(json)) return json.length;
  let at = 0;
  for (let next = 0; next < json.length; next++) {
    const code = json.charCodeAt(next);
    while (text.charCodeAt(at) !== code && isSpace(text.charCodeAt(at))) at++;
    if (text.charCodeAt(at) !== code) return -1;
    at++;
  }
  return at;
}

/** A dialect whose text is the arguments of one call; its name and its id came before. */
function argumentsDialect(name: string, id: string): Dialect {
  const begin: Mode = (reader) => {
    reader.beginCall(name, 0);
    reader.identify(id);
    return readArguments;
  };
  return { ...withoutMarkers, grammar: { openers: [], begin } };
}

const withoutMarkers: Omit<Dialect, 'grammar'> = {
  name: 'arguments',
  aliases: [],
  about: 'The arguments of a native call.',
  models: [],
  traits: {
    ids: true,
    values: 'json',
    streams: true,
    callsInReasoning: 'never',
    startsInReasoning: false,
    textAfterCalls: 'text',
    coercesStrings: false,
    resultRole: 'tool',
  },
  markers: NO_MARKERS,
  render: { instructions: () => {}, calls: () => {}, results: () => {}, stop: [] },
};

/** | {…}  — or an object in a string, or in a list. */
const readArguments: Mode = (reader) => {
  const { text, at } = reader;
  let first = at;
  while (first < text.length && isSpace(text.charCodeAt(first))) first++;
  if (first === text.length) return reader.ended ? end(reader) : undefined;
  reader.markup(first - at);
  const gathers = text.charAt(first) === '"' || text.charAt(first) === '[';
  return streamedArguments(reader, { closer: () => 0, gathers, done, fail });
};

function done(reader: Reader, gathered: string): Mode {
  if (gathered !== '') reader.argument(coerced(reader, unwrapped(reader, gathered) ?? gathered), 0);
  return passRest;
}

function unwrapped(reader: Reader, json: string): string | undefined {
  return json.startsWith('"') ? argumentsInString(reader, json) : argumentsInList(reader, json);
}

/** Passes over what follows the arguments: white space, or markup that leaked into them. */
const passRest: Mode = (reader) => {
  const rest = reader.text.length - reader.at;
  const isBlank = reader.text.slice(reader.at).trim() === '';
  reader.markup(rest, isBlank ? undefined : 'text-in-block');
  return reader.ended ? end(reader) : undefined;
};

function end(reader: Reader): undefined {
  reader.endCall();
  return undefined;
}

function fail(reader: Reader, code: 'unreadable-call' | 'too-deep' | 'too-long', message: string): Mode {
  reader.failCall(code, `The arguments could not be read: ${message}.`);
  return ignoreRest;
}

const ignoreRest: Mode = (reader) => {
  reader.markup(reader.text.length - reader.at);
  return undefined;
};
