// Reads the calls of one choice from the pieces that upstreams send. By the API, every piece has the index of its call,
// and the first has id and name. Upstreams leave out each of these, repeat them, or cut a name in two.

import type { AnswerEvent } from '../../model/index.js';
import { InputJson } from '../input-text.js';
import { memberOf, numberOf, parsedJson, stringOf } from '../values.js';

interface Call {
  /** The index of the call, from 0. */
  place: number;
  /** As the upstream gave it: '' if it gave none. */
  givenId: string;
  /** Its id in events, once it has begun. */
  id: string;
  name: string;
  begun: boolean;
  text: string;
  brackets: BracketCount;
  /** Of a call of a custom tool: its text becomes the argument of a function. */
  input?: InputJson;
}

export class CallReader {
  readonly #calls: Call[] = [];
  readonly #byIndex = new Map<number, Call>();
  readonly #byId = new Map<string, Call>();
  readonly #ids = new Set<string>();

  constructor(private readonly choice: number) {}

  get count(): number {
    return this.#calls.length;
  }

  read(piece: unknown): AnswerEvent[] {
    const events: AnswerEvent[] = [];
    const custom = memberOf(piece, 'custom');
    const called = custom ?? memberOf(piece, 'function') ?? piece;
    const name = stringOf(called, 'name') ?? stringOf(piece, 'name') ?? '';
    const given = custom ? memberOf(custom, 'input') : memberOf(called, 'arguments');
    const written = argumentText(given ?? memberOf(piece, 'arguments'));
    const call = this.#find(piece, name, written) ?? this.#add(piece, events);
    this.#identify(call, stringOf(piece, 'id') ?? '');
    if (custom !== undefined) call.input ??= new InputJson();
    // A repeated name is no second piece of it.
    if (!call.begun && name !== call.name) call.name += name;
    if (written === '') return events;
    const text = call.input?.delta(written) ?? written;
    this.#begin(call, events);
    call.text += text;
    events.push({ type: 'call-delta', id: call.id, text, ...ofChoice(this.choice) });
    return events;
  }

  /** Ends all calls. Those with complete arguments get a `call-end`, if the answer is complete. */
  finish(whole: boolean): { events: AnswerEvent[]; complete: boolean } {
    const events: AnswerEvent[] = [];
    let complete = whole;
    for (const call of this.#calls) {
      this.#begin(call, events);
      const rest = call.input?.end() ?? (call.text.trim() === '' ? '{}' : '');
      if (whole && rest !== '') {
        call.text += rest;
        events.push({ type: 'call-delta', id: call.id, text: rest, ...ofChoice(this.choice) });
      }
      if (whole && parsedJson(call.text) !== undefined)
        events.push({ type: 'call-end', id: call.id, ...ofChoice(this.choice) });
      else complete = false;
    }
    return { events, complete };
  }

  /** Finds the call that a piece continues. */
  #find(piece: unknown, name: string, text: string): Call | undefined {
    const index = numberOf(piece, 'index');
    const id = stringOf(piece, 'id') ?? '';
    const last = this.#calls.at(-1);
    if (index !== undefined) {
      const call = this.#byIndex.get(index);
      return call && isAnother(call, id, name, text) ? undefined : call;
    }
    if (id !== '') {
      const named = this.#byId.get(id);
      return named ?? (last?.givenId === '' && !last.begun && name === '' ? last : undefined);
    }
    return last && isAnother(last, id, name, text) ? undefined : last;
  }

  #add(piece: unknown, events: AnswerEvent[]): Call {
    const last = this.#calls.at(-1);
    if (last !== undefined) this.#begin(last, events);
    const call: Call = {
      place: this.#calls.length,
      givenId: '',
      id: '',
      name: '',
      begun: false,
      text: '',
      brackets: new BracketCount(),
    };
    this.#calls.push(call);
    const index = numberOf(piece, 'index');
    if (index !== undefined) this.#byIndex.set(index, call);
    return call;
  }

  #identify(call: Call, id: string): void {
    if (id === '' || call.givenId !== '') return;
    call.givenId = id;
    if (!this.#byId.has(id)) this.#byId.set(id, call);
  }

  #begin(call: Call, events: AnswerEvent[]): void {
    if (call.begun) return;
    call.begun = true;
    call.id = this.#freeId(call);
    const freeform = call.input && { freeform: true };
    events.push({ type: 'call-start', id: call.id, name: call.name, ...freeform, ...ofChoice(this.choice) });
  }

  /** Gives the upstream's id. A missing or repeated id is replaced by one that is unique in this choice only. */
  #freeId({ givenId, place }: Call): string {
    const wanted = givenId || `call_${this.choice}_${place}`;
    let id = wanted;
    while (this.#ids.has(id)) id = `${id}_${place}`;
    this.#ids.add(id);
    return id;
  }
}

/** Gives the member that tells which answer an event belongs to, where it is not the first. */
export function ofChoice(choice: number): { choice?: number } {
  return choice === 0 ? {} : { choice };
}

/**
 * Whether the piece begins another call. Some servers give every call the index 0, or none: then a name after arguments
 * does.
 */
function isAnother(call: Call, id: string, name: string, text: string): boolean {
  if (name === '') return false;
  if (id !== '' && call.givenId !== '') return id !== call.givenId;
  if (call.text === '') return false;
  return name !== call.name || (text.startsWith('{') && call.brackets.areClosed(call.text));
}

/** Gives the text, or the JSON of a value that should have been text. */
function argumentText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Whether JSON that arrives in pieces has closed all its brackets. Looks at each character once, and only when asked. */
class BracketCount {
  #at = 0;
  #depth = 0;
  #opened = false;
  #inString = false;
  #escaped = false;

  /** `text` is all that has arrived. */
  areClosed(text: string): boolean {
    for (; this.#at < text.length; this.#at++) {
      if (this.#escaped) this.#escaped = false;
      else if (this.#inString) this.#inside(text.charAt(this.#at));
      else this.#outside(text.charAt(this.#at));
    }
    return this.#opened && this.#depth === 0;
  }

  #inside(character: string): void {
    if (character === '\\') this.#escaped = true;
    else if (character === '"') this.#inString = false;
  }

  #outside(character: string): void {
    if (character === '"') this.#inString = true;
    else if (character === '}' || character === ']') this.#depth--;
    else if (character === '{' || character === '[') {
      this.#depth++;
      this.#opened = true;
    }
  }
}
