// Reads the arguments of a call as one JSON object, after a header that has named the tool.
//
//   header {…} <|call|>
//          ^ arguments
//                ^ closer, if there is one: the JSON ends by itself

import type { OpenerHold } from '../../engine/hold.js';
import { matchFirst, NO, NOT_YET } from '../../engine/markers.js';
import type { Mode, Reader } from '../../engine/reader.js';
import type { JsonFailure } from '../../text/json.js';
import { argumentsInString } from './json-arguments.js';
import { passSpace } from './json-in-markers.js';
import { streamedArguments } from './streamed-arguments.js';

export interface HeaderArgumentsSpelling {
  /** What ends the call. */
  closers: readonly string[];
  /** What a header without JSON is: a call that cannot be read, or a mention in the text. */
  otherwise: 'error' | 'text';
}

export class HeaderArguments {
  readonly #spelling: HeaderArgumentsSpelling;
  constructor(spelling: HeaderArgumentsSpelling) {
    this.#spelling = spelling;
  }

  /** Enters a header of `length` characters, in which the tool's name begins at `nameAt`. */
  open(reader: Reader, hold: OpenerHold, name: string, nameAt: number, length: number): Mode {
    reader.unfinished = 'incomplete';
    reader.markup(nameAt);
    reader.beginCall(name, name.length);
    reader.identify();
    reader.markup(length - nameAt - name.length);
    return (r) => this.#head(r, hold);
  }

  /** header | {…}  — held until it is clear whether arguments follow. */
  #head(reader: Reader, hold: OpenerHold): Mode | undefined {
    passSpace(reader);
    if (reader.at >= reader.text.length) return undefined;
    const char = reader.text.charAt(reader.at);
    const begins = char === '{' || char === '"';
    const closer = begins ? NO : this.#closer(reader.text, reader.at, false);
    if (closer === NOT_YET) return undefined;
    if (!begins && closer === NO && this.#spelling.otherwise === 'text') return hold.reject();
    hold.keep();
    if (begins) return this.#arguments(reader, char === '"');
    if (closer === NO) return this.#fail(reader, 'unreadable-call', 'they are no JSON object');
    reader.repair('missing-arguments');
    return this.#end(reader);
  }

  /** header | {…}  — or a JSON string that holds the object. */
  #arguments(reader: Reader, quoted: boolean): Mode {
    return streamedArguments(reader, {
      closer: this.#closer,
      gathers: quoted,
      done: (r, text) => {
        if (quoted) r.argument(argumentsInString(r, text) ?? '', 0);
        return this.#end(r);
      },
      fail: (r, code, message) => this.#fail(r, code, message),
    });
  }

  readonly #closer = (text: string, at: number, ended: boolean) =>
    matchFirst(text, at, this.#spelling.closers, ended);

  #fail(reader: Reader, code: JsonFailure['code'], message: string): Mode {
    reader.failCall(code, `The arguments could not be read: ${message}.`);
    reader.unfinished = 'missing-closer';
    return this.#skip;
  }

  /** Skips arguments that could not be read, up to the call's closer. */
  readonly #skip: Mode = (reader) => {
    const { text, at } = reader;
    const firsts = new Set(this.#spelling.closers.map((closer) => closer.charAt(0)));
    let next = at;
    while (next < text.length && !firsts.has(text.charAt(next))) next++;
    reader.markup(next - at);
    if (next >= text.length) return undefined;
    const closer = this.#closer(text, next, false);
    if (closer === NOT_YET) return undefined;
    if (closer > 0) return this.#tail;
    reader.markup(1);
    return this.#skip;
  };

  #end(reader: Reader): Mode {
    reader.endCall();
    // Endpoints use the closer as a stop sequence and do not show it.
    reader.unfinished = 'nothing';
    return this.#tail;
  }

  /** {…} | closer  */
  readonly #tail: Mode = (reader) => {
    passSpace(reader);
    const { text, at } = reader;
    if (at >= text.length) return undefined;
    if ('}]'.includes(text.charAt(at))) {
      reader.markup(1, 'extra-bracket');
      return this.#tail;
    }
    reader.unfinished = 'nothing';
    return reader.plain;
  };
}
