// Family: JSON in markers. An opening tag, a call or a list of calls as JSON, the closing tag. Some dialects have no
// closing tag (the JSON ends by itself), some no tag at all (the JSON begins a line).
//
//   text <tool_call> {"name": …, "arguments": {…}} </tool_call> text
//        ^ open      ^ envelope                    ^ close

import type { Opener } from '../../engine/dialect.js';
import type { Hold } from '../../engine/hold.js';
import { matchLiteral, NO, NOT_YET } from '../../engine/markers.js';
import type { Mode, Reader } from '../../engine/reader.js';
import { spaceEnd } from '../../text/characters.js';
import { type EnvelopeSpelling, JsonEnvelope } from './json-envelope.js';

export const FENCE = '```';
/** How much white space may separate two calls that have no closer. */
export const SPACE_LIMIT = 64;

export interface JsonInMarkers extends EnvelopeSpelling {
  /** All openers. One that ends in `[` is read together with the list it begins. */
  open: string | readonly string[];
  /** All closers. None: the JSON ends by itself. */
  close: string | readonly string[];
  /** Several objects may follow each other between the markers; otherwise a second one is a repair. */
  several?: boolean | undefined;
}

export function jsonInMarkers(spelling: JsonInMarkers): Opener[] {
  const opens = typeof spelling.open === 'string' ? [spelling.open] : spelling.open;
  return opens.map((open) => plainOpener(spelling, open));
}

export function plainOpener(spelling: JsonInMarkers, open: string): Opener {
  return {
    firsts: open.charAt(0),
    next: [open.slice(1, 3)],
    match: (text, at, ended) => matchLiteral(text, at, open, ended),
    open: (reader, hold) => new JsonBlock(spelling, open, hold, (issue) => hold.reject(issue)).open(reader),
  };
}

type Refuse = (issue?: { code: 'unreadable-call'; message: string }) => Mode;

/** Reads one block of JSON, from its opener to its closer. Other families use it for their JSON, too. */
export class JsonBlock {
  readonly #spelling: JsonInMarkers;
  readonly #open: string;
  readonly #closes: readonly string[];
  readonly #refuse: Refuse;
  /** Holds the block up to its first call; after that, the call being tried. */
  #hold: Hold;

  /** `refuse` undoes the hold when nothing in the block is a call. */
  constructor(spelling: JsonInMarkers, open: string, hold: Hold, refuse: Refuse) {
    this.#spelling = spelling;
    this.#open = open;
    this.#hold = hold;
    this.#refuse = refuse;
    this.#closes = typeof spelling.close === 'string' ? [spelling.close] : spelling.close;
  }

  open(reader: Reader): Mode {
    reader.unfinished = 'incomplete';
    reader.markup(this.#open.length - (this.#open.endsWith('[') ? 1 : 0));
    return this.head;
  }

  /** <tool_call> | {…  — an opener counts only if a call can begin after it. */
  readonly head: Mode = (reader) => {
    passSpace(reader);
    if (reader.at >= reader.text.length) return undefined;
    const char = reader.text.charAt(reader.at);
    if (char === '`') {
      const fence = this.#fence(reader, this.head);
      return fence === null ? this.#refuse() : fence;
    }
    if (char !== '{' && char !== '[') return this.#refuse();
    return this.#envelope(reader, (message) => {
      const careful = this.#spelling.careful || this.#open === '';
      return this.#refuse(careful ? undefined : { code: 'unreadable-call', message });
    });
  };

  /** Reads a code fence around the JSON, with or without a language. Null if there is none. */
  #fence(reader: Reader, next: Mode): Mode | undefined | null {
    const { text, at } = reader;
    if (!text.startsWith('```', at)) return '```'.startsWith(text.slice(at)) ? undefined : null;
    let end = at + 3;
    while (end < text.length && end - at < 16 && isLetter(text.charCodeAt(end))) end++;
    // The language may continue in the next chunk.
    if (end >= text.length) return undefined;
    reader.markup(end - at, 'text-in-block');
    return next;
  }

  #envelope(reader: Reader, reject: (message: string) => Mode): Mode {
    return new JsonEnvelope(reader, this.#spelling, {
      closer: this.#closer,
      hold: this.#hold,
      done: this.#tail,
      reject,
    }).read;
  }

  readonly #closer = (text: string, at: number, ended: boolean) => matchAny(text, at, this.#closes, ended);

  /** {…} | </tool_call>  — after complete JSON a missing closer is a repair. */
  readonly #tail: Mode = (reader) => {
    if (this.#closes.length === 0) return this.#bareTail(reader);
    passSpace(reader);
    const { text, at } = reader;
    if (at >= text.length) return undefined;
    // Half a closer at the end of the text is a closer that was cut.
    const close = this.#closer(text, at, false);
    if (close === NOT_YET) return undefined;
    if (close > 0) {
      reader.markup(close);
      return this.#end(reader);
    }
    const char = text.charAt(at);
    if (char === '}' || char === ']') {
      reader.markup(1, 'extra-bracket');
      return this.#tail;
    }
    if (char === ',' || char === ';') {
      reader.markup(1, this.#spelling.several ? undefined : 'missing-bracket');
      return this.#tail;
    }
    if (char === '{' || char === '[') return this.#another(reader);
    if (char === '`') {
      const fence = this.#fence(reader, this.#tail);
      if (fence !== null) return fence;
    }
    this.#hold.settle();
    return reader.leaveOpen();
  };

  /** {…} | ; {…}  — without a closer, the block continues only if another call follows. */
  #bareTail(reader: Reader): Mode | undefined {
    reader.unfinished = 'nothing';
    passSpace(reader);
    const { text, at, ended } = reader;
    const char = text.charAt(at);
    const separates = char === ',' || char === ';';
    // Bounded: a flood of white space must not be scanned again with each chunk.
    const next = separates ? spaceEnd(text, at + 1, at + SPACE_LIMIT) : at;
    if (next >= text.length) return ended ? this.#end(reader) : undefined;
    if (text.charAt(next) === '{') {
      reader.markup(next - at);
      return this.#another(reader);
    }
    if (char !== '}' && char !== ']') return this.#end(reader);
    reader.markup(1, 'extra-bracket');
    return this.#tail;
  }

  /** {…} | {…}  — a second call in the same tag. If it cannot be read as one, it becomes text. */
  #another(reader: Reader): Mode {
    this.#hold.settle();
    this.#hold = reader.try();
    if (!this.#spelling.several) reader.repair('bare-list');
    return this.#envelope(reader, (message) => {
      this.#hold.undo();
      if (this.#closes.length === 0) return this.#end(reader);
      reader.issue('unreadable-call', message);
      return reader.leaveOpen();
    });
  }

  #end(reader: Reader): Mode {
    this.#hold.settle();
    reader.unfinished = 'nothing';
    return reader.plain;
  }
}

export function passSpace(reader: Reader): void {
  reader.markup(spaceEnd(reader.text, reader.at) - reader.at);
}

/** Gives the length of the longest marker at this place, NO or NOT_YET. */
export function matchAny(text: string, at: number, markers: readonly string[], ended: boolean): number {
  let best = NO;
  for (const marker of markers) {
    const found = matchLiteral(text, at, marker, ended);
    if (found === NOT_YET) return NOT_YET;
    if (found > best) best = found;
  }
  return best;
}

export function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}
