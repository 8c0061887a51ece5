// The envelope of a call written as JSON: {"name": …, "id": …, "arguments": {…}}, in any order, under any of
// the keys models use, read in one pass. Arguments stream as soon as it is known whose they are.
//
//   [ { "name" : "f" , "id" : "1" , "arguments" : { … } } , … ]
//     ^ entry          ^ captured                  ^ streamed once name (and id) are known

import { schemaHint } from '../../codec/coerce.js';
import type { Mode, Reader } from '../../codec/reader.js';
import type { Range } from '../../model/index.js';
import { isObject } from '../../model/index.js';
import { JsonReader, type JsonStop, readJson } from '../../text/json.js';
import { noteJson } from './json-notes.js';

export interface EnvelopeKeys {
  /** The dialect's own key first; the others are repairs. */
  name: readonly string[];
  arguments: readonly string[];
  /** Absent: the wire has no ids. */
  id?: readonly string[];
}

/** Characters of JSON that are read before they are passed on. */
const PAUSE = 32768;

/** Keys that wrap name and arguments once more, as OpenAI does. */
const WRAPPERS = ['function', 'function_call', 'tool_call'];

interface Entry {
  depth: number;
  name: string | undefined;
  id: string | undefined;
  /** Arguments that came before it was known whose they are, as JSON text. */
  held: string | undefined;
  streamed: boolean;
  failed: boolean;
  rest: { key: string; json: string }[];
}

type Role = 'name' | 'id' | 'arguments' | 'rest' | 'streamed' | 'wrapper';

export interface EnvelopeOutcome {
  /** The JSON value is complete: the reader stands behind it. */
  done: Mode;
  /** Nothing here was a call: back to the opener, which is text. */
  reject: (reader: Reader, message: string) => Mode;
}

export class JsonEnvelope {
  readonly #json: JsonReader;
  readonly #keys: EnvelopeKeys;
  readonly #list: boolean;
  readonly #outcome: EnvelopeOutcome;
  readonly #base: number;
  #entry: Entry | undefined;
  #role: Role | undefined;
  #capture = '';
  #nameAt = 0;
  /** A call has been delivered or has failed: from here on nothing is taken back. */
  #committed = false;
  #wrapped = 0;

  constructor(
    reader: Reader,
    keys: EnvelopeKeys,
    list: boolean,
    close: JsonReaderCloser,
    outcome: EnvelopeOutcome,
  ) {
    const { depth, members } = reader.limits;
    this.#json = new JsonReader({ maxDepth: depth + 2, maxMembers: members, closer: close });
    this.#json.pause = PAUSE;
    this.#keys = keys;
    this.#list = list;
    this.#outcome = outcome;
    this.#base = reader.position;
  }

  readonly read: Mode = (reader) => {
    const json = this.#json;
    const from = reader.at;
    const to = json.read(reader.text, from, reader.ended);
    this.#pass(reader, to - from);
    if (json.failure) return this.#fail(reader, json.failure.code, json.failure.message);
    const stop = json.nextStop();
    if (stop) return this.#handle(reader, stop);
    if (json.done) return this.#outcome.done;
    return to > from && to < reader.text.length ? this.read : undefined;
  };

  /** What was just read is arguments, or markup around them. */
  #pass(reader: Reader, length: number): void {
    const out = this.#json.take();
    if (this.#role === 'streamed') reader.argument(out, length);
    else {
      this.#capture += out;
      reader.markup(length);
    }
    if (this.#json.hasNotes) noteJson(reader, this.#json, this.#base);
  }

  #handle(reader: Reader, stop: JsonStop): Mode {
    const entryDepth = this.#entry?.depth ?? Number.POSITIVE_INFINITY;
    if (stop.type === 'begin') {
      if (stop.depth > entryDepth) return this.#beginMember(reader, stop);
      return this.#beginEntry(reader, stop);
    }
    if (stop.depth > entryDepth) return this.#endMember(reader, stop);
    if (stop.depth === entryDepth) return this.#endEntry(reader);
    return this.#json.done ? this.#outcome.done : this.read;
  }

  #beginEntry(reader: Reader, stop: JsonStop): Mode {
    if (stop.depth === 0 && stop.first === '[') {
      if (!this.#list) reader.repair('bare-list');
      this.#json.watch = 1;
      return this.read;
    }
    if (stop.first !== '{') return this.#fail(reader, 'unreadable-call', 'a call must be a JSON object');
    if (stop.depth === 0 && this.#list) reader.repair('bare-object');
    if (this.#committed) reader.try();
    reader.unfinished = 'incomplete';
    this.#json.watch = stop.depth + 1;
    this.#wrapped = 0;
    this.#entry = {
      depth: stop.depth,
      name: undefined,
      id: undefined,
      held: undefined,
      streamed: false,
      failed: false,
      rest: [],
    };
    return this.read;
  }

  // ---------------------------------------------------------------- members

  #beginMember(reader: Reader, stop: JsonStop): Mode {
    const entry = this.#entry as Entry;
    this.#capture = '';
    this.#role = this.#roleOf(entry, stop);
    if (this.#role === 'wrapper') {
      this.#wrapped++;
      this.#json.watch++;
    } else if (this.#role === 'name') this.#nameAt = reader.position;
    else if (this.#role === 'arguments' && this.#canStream(entry, stop))
      this.#startStreaming(reader, entry, stop);
    return this.read;
  }

  #roleOf(entry: Entry, { key = '', first }: JsonStop): Role {
    if (first === '{' && WRAPPERS.includes(key) && !this.#wrapped) return 'wrapper';
    const quoted = first === '"' || first === "'";
    if (quoted && this.#keys.name.includes(key) && !entry.streamed) return 'name';
    if (this.#keys.id?.includes(key)) return 'id';
    if (this.#keys.arguments.includes(key) && !entry.streamed) return 'arguments';
    return 'rest';
  }

  #canStream(entry: Entry, { first }: JsonStop): boolean {
    const known = !!entry.name && (!this.#keys.id || entry.id !== undefined);
    return first === '{' && known && entry.held === undefined;
  }

  #startStreaming(reader: Reader, entry: Entry, { key = '' }: JsonStop): void {
    this.#commit(reader, entry);
    if (key !== this.#keys.arguments[0]) reader.repair('other-key');
    if (reader.setup.coerceStrings) this.#json.hint = schemaHint(reader.call?.tool?.parameters);
    entry.streamed = true;
    this.#role = 'streamed';
  }

  #endMember(reader: Reader, { key = '' }: JsonStop): Mode {
    const entry = this.#entry as Entry;
    const role = this.#role;
    this.#role = undefined;
    const json = this.#capture;
    this.#capture = '';
    if (role === 'name') this.#setName(reader, entry, json, key);
    else if (role === 'id') entry.id = textOf(json);
    else if (role === 'arguments') {
      entry.held = json;
      if (key !== this.#keys.arguments[0]) reader.repair('other-key');
    } else if (role === 'rest') entry.rest.push({ key, json });
    else if (role === undefined && this.#wrapped) {
      this.#wrapped--;
      this.#json.watch--;
    }
    return this.read;
  }

  #setName(reader: Reader, entry: Entry, json: string, key: string): void {
    const name = JSON.parse(json) as string;
    entry.name = name;
    if (key !== this.#keys.name[0]) reader.repair('other-key');
    if (reader.call) {
      // Said twice before anything was delivered: the last one counts.
      reader.call.name = name;
      reader.call.start.name = name;
      reader.call.tool = reader.setup.tools.get(name);
      return;
    }
    const range: Range = [this.#nameAt + 1, reader.position - 1];
    reader.beginCallAt(name, range);
  }

  // ---------------------------------------------------------------- entries

  #endEntry(reader: Reader): Mode {
    const entry = this.#entry as Entry;
    this.#entry = undefined;
    this.#json.watch = entry.depth;
    this.#role = undefined;
    if (entry.failed) return this.read;
    if (!entry.name) return this.#noName(reader);
    if (!entry.streamed && !this.#deliverHeld(reader, entry)) return this.read;
    reader.endCall();
    reader.unfinished = 'missing-closer';
    return this.read;
  }

  #noName(reader: Reader): Mode {
    if (!this.#committed) return this.#outcome.reject(reader, 'A call without a name.');
    reader.keep();
    reader.failCall('unreadable-call', 'A call without a name.');
    return this.read;
  }

  /** Arguments that were not streamed: late, missing, flat or in another shape. */
  #deliverHeld(reader: Reader, entry: Entry): boolean {
    this.#commit(reader, entry);
    const json = this.#heldArguments(reader, entry);
    if (json === undefined) {
      reader.failCall('unreadable-call', 'The arguments are not an object.');
      return false;
    }
    reader.argument(json, 0);
    return true;
  }

  #heldArguments(reader: Reader, entry: Entry): string | undefined {
    if (entry.held === undefined) return flatArguments(reader, entry.rest);
    if (entry.held.startsWith('{')) return coerced(reader, entry.held);
    if (entry.held === 'null') {
      reader.repair('missing-arguments');
      return '{}';
    }
    const inside = entry.held.startsWith('"')
      ? argumentsInString(reader, entry.held)
      : argumentsInList(reader, entry.held);
    return inside === undefined ? undefined : coerced(reader, inside);
  }

  /** The call is real: its id is settled and its events go out. */
  #commit(reader: Reader, entry: Entry): void {
    if (this.#keys.id && entry.id === undefined) reader.repair('missing-id');
    reader.identify(entry.id);
    reader.keep();
    this.#committed = true;
  }

  #fail(reader: Reader, code: 'unreadable-call' | 'too-deep' | 'too-long', message: string): Mode {
    const entry = this.#entry;
    const held = entry ? !entry.streamed : false;
    if (!this.#committed) return this.#outcome.reject(reader, `A call could not be read: ${message}.`);
    if (entry && held) reader.keep();
    reader.failCall(code, `The call could not be read: ${message}.`);
    reader.unfinished = 'missing-closer';
    this.#role = undefined;
    if (entry) entry.failed = true;
    this.#json.skipTo(entry?.depth ?? 1);
    if (!entry) this.#entry = { depth: 1, failed: true } as Entry;
    return this.read;
  }
}

export type JsonReaderCloser = (text: string, at: number, ended: boolean) => number;

/** Ids are text; models also write numbers. */
function textOf(json: string): string | undefined {
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' ? value : typeof value === 'number' ? json : undefined;
}

/** Arguments written beside the name, if every one of them is declared. */
function flatArguments(reader: Reader, rest: Entry['rest']): string {
  const properties = propertiesOf(reader);
  const flat = rest.length > 0 && rest.every(({ key }) => Object.hasOwn(properties, key));
  reader.repair(flat ? 'flat-arguments' : 'missing-arguments');
  if (!flat) return '{}';
  return `{${rest.map(({ key, json }) => `${JSON.stringify(key)}:${json}`).join(',')}}`;
}

function propertiesOf(reader: Reader): object {
  const schema = reader.call?.tool?.parameters;
  return isObject(schema) && isObject(schema.properties) ? schema.properties : {};
}

/** Arguments given as a JSON string that holds them. */
export function argumentsInString(reader: Reader, json: string): string | undefined {
  const text = JSON.parse(json) as string;
  const inner = text.trim() === '' ? { json: '{}' } : readJson(text, { maxDepth: reader.limits.depth });
  if (!inner?.json.startsWith('{')) return undefined;
  reader.repair('arguments-as-string');
  return inner.json;
}

/** Arguments that were held until it was known whose they are: only now can the schema be asked. */
function coerced(reader: Reader, json: string): string {
  const hint = reader.setup.coerceStrings ? schemaHint(reader.call?.tool?.parameters) : undefined;
  const read = hint && readJson(json, { hint });
  for (const { code } of read ? read.repairs : []) reader.repair(code);
  return read ? read.json : json;
}

/** [{"name": "location", "parameter": "Beijing"}], the shape the alkaid seed's own examples teach. */
function argumentsInList(reader: Reader, json: string): string | undefined {
  if (!json.startsWith('[')) return undefined;
  const members: string[] = [];
  const list = JSON.parse(json) as unknown[];
  const texts = elementTexts(json);
  for (const [i, item] of list.entries()) {
    if (!isObject(item) || typeof item.name !== 'string') {
      if (list.length !== 1 || !isObject(item)) return undefined;
      reader.repair('arguments-as-list');
      return texts[i];
    }
    const key = ['parameter', 'value'].find((candidate) => Object.hasOwn(item, candidate));
    if (key === undefined) return undefined;
    members.push(`${JSON.stringify(item.name)}:${memberText(texts[i] as string, key)}`);
  }
  reader.repair('arguments-as-list');
  return `{${members.join(',')}}`;
}

/** The elements of a JSON array as text, so that digits stay as they were written. */
function elementTexts(json: string): string[] {
  const reader = new JsonReader();
  const texts: string[] = [];
  reader.watch = 1;
  for (let at = 0; !reader.done; ) {
    at = reader.read(json, at, true);
    const stop = reader.nextStop();
    const out = reader.take();
    if (stop?.type === 'end' && stop.depth === 1) texts.push(out.replace(/^,/, ''));
    else if (!stop) break;
  }
  return texts;
}

function memberText(json: string, wanted: string): string {
  const reader = new JsonReader();
  reader.watch = 1;
  let value = 'null';
  for (let at = 0; !reader.done; ) {
    at = reader.read(json, at, true);
    const stop = reader.nextStop();
    const out = reader.take();
    if (stop?.type === 'end' && stop.depth === 1 && stop.key === wanted) value = out;
    else if (!stop) break;
  }
  return value;
}
