// Reads the envelope of a call written as JSON, {"name": …, "id": …, "arguments": {…}}: in any order, under any of the
// keys models use, in one pass. Arguments stream as soon as the tool is known.
//
//   [ { "name" : "f" , "id" : "1" , "arguments" : { … } } , { … } ]
//     ^ entry          ^ captured                  ^ streamed once name (and id) are known
//     |<---------------- held ------------------->|           ^ the next entry has a hold of its own
//
// The JSON reader stops at the beginning and at the end of every entry and member, and `#handle` dispatches on which:
//
//   #beginEntry ─> ( #beginMember ─> #endMember )* ─> #endEntry
//
// The caller gives the first hold. It reaches back to the opener, so that everything becomes text if no call comes.

import type { Hold } from '../../engine/hold.js';
import type { Mode, Reader } from '../../engine/reader.js';
import type { Range } from '../../model/index.js';
import { Gather } from '../../text/gather.js';
import { type JsonFailure, JsonReader, type JsonStop } from '../../text/json.js';
import {
  argumentHint,
  argumentsInList,
  argumentsInString,
  coerced,
  flatArguments,
  type RestMember,
} from './json-arguments.js';
import { type JsonReaderCloser, noteJson, PAUSE } from './streamed-arguments.js';

export interface EnvelopeKeys {
  /** The dialect's own key first; any other is a repair. */
  name: readonly string[];
  arguments: readonly string[];
  /** Absent: the dialect has no ids. */
  id?: readonly string[];
  /** Further keys that the dialect itself writes: no repairs. */
  own?: readonly string[];
}

export interface EnvelopeSpelling {
  keys: EnvelopeKeys;
  /** The dialect writes a list of calls; otherwise each JSON value is one call. */
  list: boolean;
  /** The name is the key of the arguments: {"get_weather": {…}}. */
  nameIsKey?: boolean | undefined;
  /** The key of the list of calls, where an object is around it: {"tool_calls": […]}. */
  wrapper?: string | undefined;
  /** The JSON may be something other than a call: only a complete call of a declared tool counts. */
  careful?: boolean | undefined;
  /** The vendor writes Python's literals. */
  python?: boolean | undefined;
}

/** Keys that wrap name and arguments once more, as OpenAI does. */
const WRAPPERS = ['function', 'function_call', 'tool_call'];

/** Keys of a list of calls inside an object. */
const LISTS = ['tool_calls', 'function_calls', 'calls'];

/** Keys that a careful reader accepts beside name and arguments. */
const HARMLESS = ['type', 'index', 'id', 'call_id', 'tool_call_id'];

/** Gives further first keys, besides the dialect's own, of JSON that may be a call. */
export function firstKeys(): string[] {
  return [...WRAPPERS, ...LISTS, ...HARMLESS];
}

class Entry {
  name: string | undefined;
  id: string | undefined;
  /** Arguments that came before the tool's name, as JSON text. */
  held: string | undefined;
  streamed = false;
  failed = false;
  rest: RestMember[] = [];
  /** Whether its members are calls, with the name as key. */
  keyed = false;

  constructor(readonly depth: number) {}
}

type Role = 'name' | 'id' | 'arguments' | 'keyed' | 'rest' | 'streamed' | 'wrapper';

/** The surroundings of the JSON. */
export interface EnvelopePlace {
  /** Matches what ends JSON that is incomplete. */
  closer: JsonReaderCloser;
  /** Holds everything since the opener. Kept here as soon as a call counts. */
  hold: Hold;
  /** Runs when the JSON value is complete; the reader is after it. */
  done: Mode;
  /** Undoes the hold: nothing here was a call. */
  reject: (message: string) => Mode;
}

export class JsonEnvelope {
  readonly #json: JsonReader;
  readonly #keys: EnvelopeKeys;
  readonly #spelling: EnvelopeSpelling;
  readonly #place: EnvelopePlace;
  readonly #base: number;
  /** Holds the call that is being read until it counts. The hold of the first call is the place's own. */
  #hold: Hold;
  #entry: Entry | undefined;
  #role: Role | undefined;
  #capture = new Gather();
  #nameAt = 0;
  #wrapped = 0;
  /** The depth of the list inside a wrapping object. */
  #listDepth: number | undefined;

  constructor(reader: Reader, spelling: EnvelopeSpelling, place: EnvelopePlace) {
    const { depth, members } = reader.limits;
    this.#json = new JsonReader({
      maxDepth: depth + (spelling.wrapper === undefined ? 2 : 3),
      maxMembers: members,
      closer: place.closer,
      python: spelling.python === true,
    });
    this.#json.pause = PAUSE;
    this.#spelling = spelling;
    this.#keys = spelling.keys;
    this.#place = place;
    this.#hold = place.hold;
    this.#base = reader.position;
  }

  /** Whether no call counts yet, so that everything may still become text. */
  get #isTried(): boolean {
    return this.#place.hold.isOpen;
  }

  /** Whether this may still be JSON other than a call. */
  get #isDoubtful(): boolean {
    return this.#spelling.careful === true && this.#isTried;
  }

  readonly read: Mode = (reader) => {
    const json = this.#json;
    const from = reader.at;
    const to = json.read(reader.text, from, reader.ended);
    this.#pass(reader, to - from);
    if (json.failure) return this.#fail(reader, json.failure.code, json.failure.message);
    const stop = json.nextStop();
    if (stop) return this.#handle(reader, stop);
    if (json.done) return this.#done();
    return to > from && to < reader.text.length ? this.read : undefined;
  };

  /** Emits what was just read, as arguments or as markup around them. */
  #pass(reader: Reader, length: number): void {
    const out = this.#json.take();
    if (this.#role === 'streamed') reader.argument(out, length);
    else {
      this.#capture.add(out);
      reader.markup(length);
    }
    if (this.#json.hasNotes) noteJson(reader, this.#json, this.#base);
  }

  #handle(reader: Reader, stop: JsonStop): Mode {
    if (this.#listDepth !== undefined && stop.depth <= this.#listDepth) return this.#behindList();
    const entryDepth = this.#entry?.depth ?? Number.POSITIVE_INFINITY;
    const inEntry = stop.depth > entryDepth;
    if (stop.type === 'begin')
      return inEntry ? this.#beginMember(reader, stop) : this.#beginEntry(reader, stop);
    if (inEntry) return this.#endMember(reader, stop);
    return stop.depth === entryDepth ? this.#endEntry(reader) : this.#goOn();
  }

  /** {"tool_calls": […] | , …}  — further members of the object are no calls. */
  #behindList(): Mode {
    this.#json.watch = 0;
    return this.#goOn();
  }

  #goOn(): Mode {
    return this.#json.done ? this.#done() : this.read;
  }

  /** Ends the value. If a careful reader found no call in it, it becomes text again. */
  #done(): Mode {
    return this.#isDoubtful ? this.#place.reject('No call.') : this.#place.done;
  }

  // ---------------------------------------------------------------- an entry begins

  /** | [ or | {  */
  #beginEntry(reader: Reader, { depth, first }: JsonStop): Mode {
    if (depth === 0 && first === '[') {
      if (!this.#spelling.list) reader.repair('bare-list');
      this.#json.watch = 1;
      return this.read;
    }
    if (first !== '{') return this.#fail(reader, 'unreadable-call', 'a call must be a JSON object');
    if (depth === 0 && this.#spelling.list) reader.repair('bare-object');
    if (!this.#isTried) this.#hold = reader.try();
    reader.unfinished = 'incomplete';
    this.#json.watch = depth + 1;
    this.#wrapped = 0;
    this.#entry = new Entry(depth);
    return this.read;
  }

  // ---------------------------------------------------------------- a member begins

  /** {"key": | value  */
  #beginMember(reader: Reader, stop: JsonStop): Mode {
    const entry = this.#entry as Entry;
    this.#capture = new Gather();
    if (this.#wrapsList(entry, stop)) return this.#openList(stop);
    this.#role = this.#roleOf(entry, stop);
    if (this.#role === 'rest' && this.#isDoubtful && !HARMLESS.includes(stop.key ?? ''))
      return this.#place.reject('No call.');
    if (this.#role === 'keyed') this.#beginKeyed(reader, entry, stop);
    else if (this.#role === 'wrapper') {
      this.#wrapped++;
      this.#json.watch++;
    } else if (this.#role === 'name') this.#nameAt = reader.position;
    else if (this.#role === 'arguments' && this.#canStream(entry, stop))
      this.#startStreaming(reader, entry, stop);
    return this.read;
  }

  #wrapsList(entry: Entry, { key = '', first, depth }: JsonStop): boolean {
    const { wrapper } = this.#spelling;
    if (wrapper === undefined || first !== '[' || depth !== 1 || entry.depth !== 0) return false;
    return key === wrapper || LISTS.includes(key);
  }

  /** {"tool_calls": | [{…}, …]}  */
  #openList({ depth }: JsonStop): Mode {
    this.#entry = undefined;
    this.#role = undefined;
    this.#listDepth = depth;
    this.#json.watch = depth + 1;
    return this.read;
  }

  #roleOf(entry: Entry, { key = '', first }: JsonStop): Role {
    if (this.#spelling.nameIsKey && (entry.keyed || this.#isKeyed(entry, key, first))) return 'keyed';
    if (first === '{' && WRAPPERS.includes(key) && !this.#wrapped) return 'wrapper';
    const quoted = first === '"' || first === "'";
    if (quoted && this.#keys.name.includes(key) && !entry.streamed) return 'name';
    if (this.#keys.id?.includes(key)) return 'id';
    if (this.#keys.arguments.includes(key) && !entry.streamed) return 'arguments';
    return 'rest';
  }

  /**
   * Whether the key is the tool's name. The first member decides: under a name key, a quoted value is an ordinary name.
   */
  #isKeyed(entry: Entry, key: string, first: string): boolean {
    if (entry.name !== undefined || entry.rest.length > 0 || entry.held !== undefined) return false;
    return key !== '' && (first === '{' || first === 'n' || !this.#keys.name.includes(key));
  }

  /** {"get_weather": | {…}}  */
  #beginKeyed(reader: Reader, entry: Entry, stop: JsonStop): void {
    if (entry.keyed) this.#hold = reader.try();
    entry.keyed = true;
    entry.name = stop.key ?? '';
    entry.held = undefined;
    entry.streamed = false;
    reader.beginCallAt(entry.name, [reader.position, reader.position]);
    if (stop.first === '{') this.#startStreaming(reader, entry, stop);
  }

  #canStream(entry: Entry, { first }: JsonStop): boolean {
    const known = !!entry.name && (!this.#keys.id || entry.id !== undefined);
    return first === '{' && known && entry.held === undefined;
  }

  /** {"name": "f", "arguments": | {…}}  */
  #startStreaming(reader: Reader, entry: Entry, { key = '' }: JsonStop): void {
    this.#commit(reader, entry);
    if (this.#isOther(key, this.#keys.arguments) && !entry.keyed) reader.repair('other-key');
    this.#json.hint = argumentHint(reader);
    entry.streamed = true;
    this.#role = 'streamed';
  }

  /** Makes the call count: settles its id and releases its events. */
  #commit(reader: Reader, entry: Entry): void {
    if (this.#keys.id && entry.id === undefined) reader.repair('missing-id');
    reader.identify(entry.id);
    this.#hold.keep();
  }

  // ---------------------------------------------------------------- a member ends

  /** {"key": value |  */
  #endMember(reader: Reader, { key = '' }: JsonStop): Mode {
    const entry = this.#entry as Entry;
    const role = this.#role;
    this.#role = undefined;
    const json = this.#capture.toString();
    this.#capture = new Gather();
    if (entry.keyed) {
      entry.held = json;
      return this.#endCall(reader, entry);
    }
    if (role === 'name') {
      if (this.#isStranger(reader, json)) return this.#place.reject('No tool of this name.');
      this.#setName(reader, entry, json, key);
    } else if (role === 'id') entry.id = textOf(json);
    else if (role === 'arguments') {
      entry.held = json;
      if (this.#isOther(key, this.#keys.arguments)) reader.repair('other-key');
    } else if (role === 'rest') entry.rest.push({ key, json });
    else if (role === undefined && this.#wrapped) {
      this.#wrapped--;
      this.#json.watch--;
    }
    return this.read;
  }

  /** Whether a careful reader must reject the name: tools were declared, and none has it. */
  #isStranger({ setup }: Reader, json: string): boolean {
    return this.#isDoubtful && setup.tools.size > 0 && !setup.tools.has(JSON.parse(json) as string);
  }

  #isOther(key: string, keys: readonly string[]): boolean {
    return key !== keys[0] && !this.#keys.own?.includes(key);
  }

  #setName(reader: Reader, entry: Entry, json: string, key: string): void {
    const name = JSON.parse(json) as string;
    entry.name = name;
    if (this.#isOther(key, this.#keys.name)) reader.repair('other-key');
    if (reader.call) {
      // The name was given twice before anything was delivered: the last one counts.
      reader.call.name = name;
      reader.call.start.name = name;
      reader.call.tool = reader.setup.tools.get(name);
      return;
    }
    const range: Range = [this.#nameAt + 1, reader.position - 1];
    reader.beginCallAt(name, range);
  }

  // ---------------------------------------------------------------- an entry ends

  /** {…} |  */
  #endEntry(reader: Reader): Mode {
    const entry = this.#entry as Entry;
    this.#entry = undefined;
    this.#json.watch = entry.depth;
    this.#role = undefined;
    if (entry.failed || entry.keyed) return this.read;
    if (!entry.name) return this.#noName(reader);
    if (this.#isDoubtful && entry.held === undefined) return this.#place.reject('A call without arguments.');
    return this.#endCall(reader, entry);
  }

  #noName(reader: Reader): Mode {
    if (this.#isTried) return this.#place.reject('A call without a name.');
    this.#hold.keep();
    reader.failCall('unreadable-call', 'A call without a name.');
    return this.read;
  }

  #endCall(reader: Reader, entry: Entry): Mode {
    if (!entry.streamed && !this.#deliverHeld(reader, entry)) return this.read;
    reader.endCall();
    reader.unfinished = 'missing-closer';
    return this.read;
  }

  /** Delivers arguments that were not streamed: late, missing, flat or in another shape. */
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

  // ---------------------------------------------------------------- giving up

  /**
   * Gives up on a call. If no call counts yet, everything becomes text; else the call fails and reading continues after
   * it.
   */
  #fail(reader: Reader, code: JsonFailure['code'], message: string): Mode {
    if (this.#isTried) return this.#place.reject(`A call could not be read: ${message}.`);
    this.#hold.settle();
    reader.failCall(code, `The call could not be read: ${message}.`);
    reader.unfinished = 'missing-closer';
    this.#role = undefined;
    this.#entry ??= new Entry((this.#listDepth ?? 0) + 1);
    this.#entry.failed = true;
    this.#json.skipTo(this.#entry.depth);
    return this.read;
  }
}

/** Gives an id as text; models also write numbers. */
function textOf(json: string): string | undefined {
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' ? value : typeof value === 'number' ? json : undefined;
}
