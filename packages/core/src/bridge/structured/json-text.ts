// Reads one JSON value from text that is still arriving. JSON that is right is given byte for byte, white space included;
// from the first repair on, the text is the reader's own.

import { DEFAULT_LIMITS, type Limits } from '../../engine/parser-options.js';
import { Gather } from '../../text/gather.js';
import { type JsonFailure, JsonReader, type ValueHint } from '../../text/json.js';
import { lengthOf } from '../emulate/native-call.js';

export interface JsonTextOptions {
  hint: ValueHint | undefined;
  limits: Partial<Limits> | undefined;
}

export class JsonText {
  /** The value so far, as compact JSON. */
  readonly json = new Gather();
  /** Whether the first member or element has begun; then `key` is its key, in an object. */
  begun = false;
  key: string | undefined;
  /** How many characters were read. */
  length = 0;
  readonly #reader: JsonReader;
  /** Text that the reader did not take yet: after the value, or in need of more. */
  #window = '';
  /** Text that the reader took and that was not given yet; undefined after the first repair. */
  #ahead: string | undefined = '';
  readonly #longest: number;

  constructor({ hint, limits }: JsonTextOptions) {
    const { depth, members, argumentLength } = { ...DEFAULT_LIMITS, ...limits };
    this.#reader = new JsonReader({ maxDepth: depth, maxMembers: members });
    this.#reader.watch = 1;
    this.#reader.hint = hint;
    this.#longest = argumentLength;
  }

  get done(): boolean {
    return this.#reader.done;
  }

  get failure(): JsonFailure | undefined {
    if (this.json.length <= this.#longest) return this.#reader.failure;
    return { code: 'too-long', message: `longer than ${this.#longest} characters` };
  }

  get notes(): Pick<JsonReader, 'repairs' | 'duplicates'> {
    return this.#reader;
  }

  /** What was added and not given: after the value, or where reading failed. */
  get rest(): string {
    return (this.#ahead ?? '') + this.#window;
  }

  /** The text that follows the value, or that was not read because of a failure. */
  get unread(): string {
    return this.#window;
  }

  /** Gives what became certain of the value. */
  read(text: string): string {
    this.#window += text;
    let out = '';
    while (!this.done && !this.failure) {
      const to = this.#reader.read(this.#window, 0, false);
      out += this.#take(to);
      const stop = this.#reader.nextStop();
      if (stop?.type === 'begin' && stop.depth === 1) this.#begin(stop.key);
      else if (!stop && (to === 0 || this.#window === '')) break;
    }
    return out;
  }

  #begin(key: string | undefined): void {
    this.begun = true;
    this.key = key;
    this.#reader.watch = -1;
  }

  #take(to: number): string {
    const read = this.#window.slice(0, to);
    this.#window = this.#window.slice(to);
    this.length += to;
    if (this.#ahead !== undefined) this.#ahead += read;
    const json = this.#reader.take();
    this.json.add(json);
    return this.#pass(json);
  }

  /** Gives the model's own spelling of a piece of JSON, or the piece itself where it was repaired. */
  #pass(json: string): string {
    const ahead = this.#ahead;
    if (ahead === undefined || json === '') return json;
    const length = lengthOf(json, ahead);
    this.#ahead = length < 0 ? undefined : ahead.slice(length);
    return length < 0 ? json : ahead.slice(0, length);
  }
}
