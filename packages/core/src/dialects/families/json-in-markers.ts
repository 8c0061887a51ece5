// Family: JSON in markers. One tag, a call or a list of calls as JSON, the closing tag.
//
//   text <tool_call> {"name": …, "arguments": {…}} </tool_call> text
//        ^ open      ^ envelope                    ^ close

import type { Opener } from '../../codec/dialect.js';
import { matchLiteral, NOT_YET } from '../../codec/markers.js';
import type { Mode, Reader } from '../../codec/reader.js';
import { isSpace } from '../../text/characters.js';
import { type EnvelopeKeys, JsonEnvelope } from './json-envelope.js';

export interface JsonInMarkers {
  open: string;
  close: string;
  /** The dialect writes a list of calls; otherwise one call a tag. */
  list: boolean;
  keys: EnvelopeKeys;
}

export function jsonInMarkers(spelling: JsonInMarkers): Opener[] {
  const open: Mode = (reader) => new JsonBlock(spelling).open(reader);
  return [
    {
      firsts: spelling.open.charAt(0),
      next: [spelling.open.slice(1, 3)],
      match: (text, at, ended) => matchLiteral(text, at, spelling.open, ended),
      open,
    },
  ];
}

class JsonBlock {
  readonly #spelling: JsonInMarkers;
  /** A call has been read in this tag; another one is tried. */
  #again = false;

  constructor(spelling: JsonInMarkers) {
    this.#spelling = spelling;
  }

  open(reader: Reader): Mode {
    reader.unfinished = 'incomplete';
    reader.markup(this.#spelling.open.length);
    return this.#head;
  }

  /** <tool_call> | {…  — an opener counts only if a call can begin behind it. */
  readonly #head: Mode = (reader) => {
    passSpace(reader);
    if (reader.at >= reader.text.length) return undefined;
    const char = reader.text.charAt(reader.at);
    if (char === '`') {
      const fence = this.#fence(reader, this.#head);
      return fence === null ? reader.reject() : fence;
    }
    return char === '{' || char === '[' ? this.#envelope(reader) : reader.reject();
  };

  /** A code fence around the JSON, with a language or without. Null if it is none. */
  #fence(reader: Reader, next: Mode): Mode | undefined | null {
    const { text, at } = reader;
    if (!text.startsWith('```', at)) return '```'.startsWith(text.slice(at)) ? undefined : null;
    let end = at + 3;
    while (end < text.length && end - at < 16 && isLetter(text.charCodeAt(end))) end++;
    // A language may go on in the next piece.
    if (end >= text.length) return undefined;
    reader.markup(end - at, 'text-in-block');
    return next;
  }

  #envelope(reader: Reader): Mode {
    const { close, keys, list } = this.#spelling;
    return new JsonEnvelope(reader, keys, list, (text, at, ended) => matchLiteral(text, at, close, ended), {
      done: this.#tail,
      reject: (r, message) => this.#reject(r, message),
    }).read;
  }

  /** Not a call: the opener is text; or, behind a call in the same tag, what follows it is. */
  #reject(reader: Reader, message: string): Mode {
    if (this.#again) {
      reader.undo();
      reader.issue('unreadable-call', message);
      return reader.leaveOpen();
    }
    return reader.reject({ code: 'unreadable-call', message });
  }

  /** {…} | </tool_call>  — behind complete JSON a missing closer is a repair. */
  readonly #tail: Mode = (reader) => {
    passSpace(reader);
    const { text, at } = reader;
    if (at >= text.length) return undefined;
    // Half a closer at the end is a closer that was cut.
    const close = matchLiteral(text, at, this.#spelling.close, false);
    if (close === NOT_YET) return undefined;
    if (close > 0) {
      reader.markup(close);
      return this.#done(reader);
    }
    const char = text.charAt(at);
    if (char === '}' || char === ']') {
      reader.markup(1, 'extra-bracket');
      return this.#tail;
    }
    if (char === ',' || char === ';') {
      reader.markup(1, 'missing-bracket');
      return this.#tail;
    }
    if (char === '{' || char === '[') return this.#another(reader);
    if (char === '`') {
      const fence = this.#fence(reader, this.#tail);
      if (fence !== null) return fence;
    }
    reader.keepAll();
    return reader.leaveOpen();
  };

  /** A second call in the same tag. */
  #another(reader: Reader): Mode {
    this.#again = true;
    reader.try();
    reader.repair('bare-list');
    return this.#envelope(reader);
  }

  #done(reader: Reader): Mode {
    reader.keepAll();
    reader.unfinished = 'nothing';
    return reader.plain;
  }
}

/** White space between markup. */
export function passSpace(reader: Reader): void {
  let end = reader.at;
  while (end < reader.text.length && isSpace(reader.text.charCodeAt(end))) end++;
  reader.markup(end - reader.at);
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}
