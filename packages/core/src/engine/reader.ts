// The reader that grammars use: a cursor that emits an event for every character it passes.
//
// Every method that consumes characters emits an event with their range, so the events cover the text without
// gaps or overlaps. While a hold is open (hold.ts), events are buffered in it.

import {
  type CallEnd,
  type CallError,
  type CallStart,
  type Issue,
  type IssueCode,
  isObject,
  type JsonObject,
  type JsonValue,
  type ParseEvent,
  type Range,
  type Repair,
  type RepairCode,
  type Tool,
} from '../model/index.js';
import { isBreak, isHighSurrogate, type Match, NO, NOT_YET } from '../text/characters.js';
import { Cursor } from '../text/cursor.js';
import { Gather } from '../text/gather.js';
import { addRepair, growRepair, mergeInto, repairsToIssues } from './event-merge.js';
import { Hold, OpenerHold } from './hold.js';
import type { Limits, ParserSetup } from './parser-options.js';
import { isSettled, PLACES, type Stops } from './stops.js';

/** A state of a grammar: reads on and returns the next state, or undefined if it needs more text. */
export type Mode = (reader: Reader) => Mode | undefined;

/**
 * Reads the backslashes after a marker's first character. The last one is dropped if the marker's rest follows
 * (markers.ts). Reading continues with `back`.
 */
export function unbreaking(
  matchTail: (text: string, tail: number, ended: boolean) => number,
  back: Mode,
): Mode {
  const mode: Mode = (reader) => {
    const { text, at, ended } = reader;
    if (text.charAt(at) !== '\\') return back;
    if (at + 1 >= text.length && !ended) return undefined;
    const doubled = text.charAt(at + 1) === '\\';
    const tail = doubled ? NO : matchTail(text, at + 1, ended);
    if (tail === NOT_YET) return undefined;
    if (tail === NO) reader.say(1);
    else reader.markup(1);
    return doubled ? mode : back;
  };
  return mode;
}

/** The call that is being read. */
export interface OpenCall {
  name: string;
  id: string;
  /** The arguments so far, as JSON text. */
  raw: Gather;
  tool: Tool | undefined;
  issues: Issue[];
  repairs: Repair[];
  /** Its start event, held until the id is known. */
  start: CallStart;
  /** The limit that the arguments exceeded: no more of them is kept, and the call will fail. */
  exceeded: 'too-long' | 'too-deep' | undefined;
}

/** Finds what is left of a value that was cut by a closer in its own text: a closer that nothing opened. */
export interface Leftover {
  match(text: string, at: number, ended: boolean): Match;
  /** The issue that it shows. */
  message: string;
}

/** How much of a line is remembered, to tell whether it opens a code fence. */
const LINE_HEAD = 8;
/** Chunks up to this length are scanned character by character; longer ones use the built-in string search. */
const SHORT = 64;
const NO_FENCE = '-'.repeat(LINE_HEAD);

/** How often `newId` is called again for an id in use, before a number is appended to make it unique. */
const NEW_ID_TRIES = 1000;

/** What the end of input means at the current position. */
export type Unfinished =
  | 'nothing'
  | 'incomplete' // the call is cut off and not delivered
  | 'missing-closer' // the calls are complete; only the closer is missing, which is a repair
  | 'unclosed-block' // none of the block's calls counts
  | 'too-long' // the block exceeded the limit of held text; none of its calls counts
  | 'text'; // the held text was no call: rewind and read it as text

/** The events of the next chunk, before there is one: one list for all readers, to which nothing is added. */
const NONE: ParseEvent[] = [];

class State {
  call: OpenCall | undefined;
  /** How many calls were delivered or failed. */
  calls = 0;
  unfinished: Unfinished = 'nothing';
  /** Whether characters that are no markup are text or reasoning. */
  voice: 'text' | 'reasoning' = 'text';
  framed = false;
  /** There was text other than white space since the last call or the start of this message. */
  spoke = false;
  /** There was, before the reasoning that is being read. */
  spokeBefore = false;
  /** Issues and repairs listed so far. */
  notes = 0;
  /** The text after the calls has been reported as an issue. */
  reported = false;
  /** The text mentions the opener of reasoning, so the next closer is a mention, too. */
  mentions = false;
  /** A block was left without its closer, which may still come. */
  owesCloser = false;
  /** What shows, behind a call, that one of its values was cut. */
  leftover: Leftover | undefined;
  /** The first characters of the current line of text. */
  line = '';
  /** Those of the current line of reasoning. */
  thought = '';
  ids = 0;
  /** The number of the last generated id. */
  lastMade = 0;
}

export class Reader extends Cursor {
  #out = NONE;
  #holds: Hold[] = [];
  #ids: string[] = [];
  #knownIds = new Set<string>();
  #state = new State();
  /** The engine's mode for plain text, in which reading continues after a block. */
  plain: Mode = () => undefined;
  /** Calls that begin now are inside reasoning that never closed. */
  inReasoning = false;
  /** The source text of the call, kept only for the comparison with untrusted input. */
  #source = '';

  constructor(readonly setup: ParserSetup) {
    super();
  }

  get limits(): Limits {
    return this.setup.limits;
  }
  get call(): OpenCall | undefined {
    return this.#state.call;
  }
  get calls(): number {
    return this.#state.calls;
  }
  get voice(): State['voice'] {
    return this.#state.voice;
  }
  set voice(voice: State['voice']) {
    this.#state.voice = voice;
    this.#state.thought = '';
  }
  /** Begins a new message: sets whether it is text or reasoning and whether a frame is open. */
  speakAs(voice: State['voice'], framed: boolean, line = ''): void {
    const state = this.#state;
    const goesOn = state.voice === 'reasoning' && voice === 'text' && !framed;
    [state.spoke, state.spokeBefore] = [goesOn && state.spokeBefore, voice === 'reasoning' && state.spoke];
    this.voice = voice;
    state.framed = framed;
    state.line = line;
  }
  get framed(): boolean {
    return this.#state.framed;
  }
  get unfinished(): Unfinished {
    return this.#state.unfinished;
  }
  set unfinished(unfinished: Unfinished) {
    this.#state.unfinished = unfinished;
  }
  /** Whether only white space came since the last call or the start of the message. */
  get silent(): boolean {
    return !this.#state.spoke;
  }
  get mentionsReasoning(): boolean {
    return this.#state.mentions;
  }
  set mentionsReasoning(mentions: boolean) {
    this.#state.mentions = mentions;
  }
  /** The first characters of the current line; another text of the same length, if they can open no fence. */
  get lineHead(): string {
    return this.#state.voice === 'text' ? this.#state.line : this.#state.thought;
  }
  /** Whether the current line opens a code fence. */
  get inFenceLine(): boolean {
    return this.lineHead.trimStart().startsWith('```');
  }

  takeEvents(): ParseEvent[] {
    const events = this.#out;
    if (events === NONE) return [];
    this.#out = NONE;
    return events;
  }

  // ---------------------------------------------------------------- trying

  /** Begins a tentative reading that can be undone: see hold.ts. */
  try(): Hold {
    return this.#hold(new Hold(this, this.#snapshot()));
  }

  /** Begins a tentative reading from here on, of the opener that is `ahead` characters away. */
  tryOpener(ahead: number): OpenerHold {
    return this.#hold(new OpenerHold(this, this.#snapshot(), ahead));
  }

  #hold<H extends Hold>(hold: H): H {
    this.mark();
    this.#holds.push(hold);
    return hold;
  }

  #snapshot(): () => void {
    const state = Object.assign(new State(), this.#state);
    const source = this.#source;
    const { call } = state;
    const raw = call?.raw.mark();
    const issues = call?.issues.length ?? 0;
    const repairs = call?.repairs.length ?? 0;
    return () => {
      this.#state = state;
      this.#source = source;
      for (const id of this.#ids.splice(state.ids)) this.#knownIds.delete(id);
      if (!call || !raw) return;
      call.raw.reset(raw);
      call.issues.length = issues;
      call.repairs.length = repairs;
    };
  }

  /** Only `Hold` calls this. */
  closeHold(hold: Hold, how: 'keep' | 'undo'): void {
    if (this.#holds.at(-1) !== hold) throw new Error('a hold was closed twice, or before one inside it');
    this.#holds.pop();
    if (how === 'undo') {
      this.rewind();
      hold.restore();
      return;
    }
    this.release();
    for (const event of hold.events) this.#push(event);
  }

  /** Keeps all holds, at the end of the text. */
  keepAll(): void {
    for (let hold = this.#holds.at(-1); hold; hold = this.#holds.at(-1)) hold.keep();
  }

  /** Undoes all holds, at the end of the text, because the opener opened no call. */
  rejectAll(): Mode {
    const [first] = this.#holds;
    while (this.#holds.length > 1) this.#holds.at(-1)?.undo();
    if (first instanceof OpenerHold) return first.reject();
    this.#state.unfinished = 'nothing';
    return this.plain;
  }

  // ---------------------------------------------------------------- consuming characters

  /** Consumes characters that are not content: tags, separators, dropped tokens. */
  markup(length: number, repair?: RepairCode): void {
    if (length === 0 && !repair) return;
    const range = this.#advance(length);
    const event: ParseEvent = { type: 'markup', range };
    const { call } = this.#state;
    const more =
      repair !== undefined && call !== undefined && growRepair(call.repairs, { code: repair, range });
    if (repair && !more && this.#mayNote()) {
      if (call) call.repairs.push({ code: repair, range });
      else event.repairs = [{ code: repair, range }];
    }
    this.#push(event);
  }

  /** Consumes characters as text or reasoning, depending on `voice`. */
  say(length: number): void {
    if (length === 0) return;
    const state = this.#state;
    if (state.spoke || state.voice === 'reasoning') {
      this.#sayOn(length);
      return;
    }
    const blank = blanksAt(this.text, this.at, length);
    if (blank > 0) this.#sayOn(blank);
    if (blank === length) return;
    state.spoke = true;
    if (state.calls > 0 && !state.reported) this.#reportTextAfterCalls();
    this.#sayOn(length - blank);
  }

  /**
   * The fast path for most chunks of a stream: emits a short window as text or reasoning, without modes and the queue. It
   * holds back what the modes would: line breaks at the end, half a surrogate pair, the first character of a marker.
   * Gives undefined where a mode must read the window.
   */
  sayProse(stops: Stops): ParseEvent[] | undefined {
    const { text } = this;
    const { mayStop } = stops;
    const { length } = text;
    const state = this.#state;
    if (length > SHORT || this.#holds.length > 0 || !(state.spoke || state.voice === 'reasoning'))
      return undefined;
    let end = length;
    let breakAt = -1;
    for (let at = 0; at < length; at++) {
      const code = text.charCodeAt(at);
      if (mayStop[code & PLACES] === 0) continue;
      if (code === 0x0a) breakAt = at;
      else if (stops.firsts.includes(text.charAt(at)) && (state.leftover || !isSettled(stops, text, at))) {
        // What may follow one of the first characters is waited for; behind it, a mode must decide.
        if (at + 2 < length || text.charAt(at + 1) === '\\') return undefined;
        end = at;
        break;
      }
    }
    while (end > 0 && waits(text.charCodeAt(end - 1))) end--;
    if (end === 0) return [];
    if (breakAt >= end) breakAt = text.lastIndexOf('\n', end - 1);
    const start = this.position;
    this.at = end;
    return [this.#delta(end === length ? text : text.slice(0, end), breakAt, [start, start + end])];
  }

  #sayOn(length: number): void {
    const text = this.text.slice(this.at, this.at + length);
    this.#push(this.#delta(text, text.lastIndexOf('\n'), this.#advance(length)));
  }

  /** Makes the event of a piece of text or reasoning, and notes its line. `breakAt` is the last line break in it. */
  #delta(text: string, breakAt: number, range: Range): ParseEvent {
    const state = this.#state;
    if (state.voice === 'reasoning') {
      state.thought = lineHead(state.thought, text, breakAt);
      return { type: 'reasoning-delta', text, range };
    }
    state.line = lineHead(state.line, text, breakAt);
    const aside = state.calls > 0 && this.setup.textAfterCalls === 'aside';
    return aside ? { type: 'text-delta', text, range, aside } : { type: 'text-delta', text, range };
  }

  #reportTextAfterCalls(): void {
    this.#state.reported = true;
    this.issue('text-after-calls', 'The model wrote text behind its calls.');
  }

  // ---------------------------------------------------------------- calls

  /** Begins a call whose name is the next `length` characters. */
  beginCall(name: string, length: number): OpenCall {
    return this.#begin(name, this.#advance(length));
  }

  /** Begins a call whose name was consumed as markup at `range`. Keep it in a hold until `identify`. */
  beginCallAt(name: string, range: Range): OpenCall {
    const queue = this.#holds.at(-1)?.events;
    const last = queue?.at(-1);
    if (!queue || last?.type !== 'markup' || last.range[0] > range[0])
      return this.#begin(name, [this.position, this.position]);
    const end = last.range[1];
    last.range = [last.range[0], range[0]];
    const call = this.#begin(name, range);
    if (end > range[1]) queue.push({ type: 'markup', range: [range[1], end] });
    return call;
  }

  #begin(name: string, range: Range): OpenCall {
    const start: CallStart = { type: 'call-start', id: '', name, range };
    const tool = this.setup.tools.get(name);
    const raw = new Gather();
    const call: OpenCall = { name, id: '', raw, tool, issues: [], repairs: [], start, exceeded: undefined };
    this.#state.call = call;
    this.#push(start);
    if (this.inReasoning) call.repairs.push({ code: 'call-in-reasoning', range });
    return call;
  }

  /** Sets the id of the call: the model's own, if it is valid and unused, or a new one. */
  identify(given?: string): void {
    const { call } = this.#state;
    if (!call || call.id) return;
    call.id = this.#claimId(call, given);
    call.start.id = call.id;
  }

  #claimId(call: OpenCall, given: string | undefined): string {
    const state = this.#state;
    let id = given;
    if (id !== undefined && !isFitId(id, this.limits.idLength)) {
      this.issue('bad-id', 'The id is empty, too long or not printable; another was made.');
      id = undefined;
    }
    if (id !== undefined && this.#knownIds.has(id)) {
      this.#blame(call, 'duplicate-id', `Two calls have the id ${JSON.stringify(id)}.`);
      id = undefined;
    }
    id ??= this.#newId();
    this.#ids.push(id);
    this.#knownIds.add(id);
    state.ids = this.#ids.length;
    return id;
  }

  /** Makes an unused id: the model may have written the same one before, and `newId` may repeat itself. */
  #newId(): string {
    const state = this.#state;
    let n = Math.max(this.#ids.length, state.lastMade);
    for (let tries = 0; ; tries++) {
      const made = this.setup.newId(++n);
      const id = tries < NEW_ID_TRIES ? made : `${made}_${n}`;
      if (this.#knownIds.has(id)) continue;
      state.lastMade = n;
      return id;
    }
  }

  /** Consumes `length` characters as a piece of the arguments, which is `json` as JSON text. */
  argument(json: string, length: number): void {
    const { call } = this.#state;
    if (!call) {
      this.markup(length);
      return;
    }
    if (call.exceeded || call.raw.length + json.length > this.limits.argumentLength) {
      call.exceeded ??= 'too-long';
      this.markup(length);
      return;
    }
    if (json === '' && length === 0) return;
    call.raw.add(json);
    this.#push({ type: 'call-delta', id: call.id, text: json, range: this.#advance(length) });
  }

  /** Marks the call's arguments as over a limit. The call will fail when it ends. */
  exceed(limit: 'too-long' | 'too-deep'): void {
    if (this.#state.call) this.#state.call.exceeded ??= limit;
  }

  endCall(length = 0): void {
    const { call } = this.#state;
    if (!call) {
      this.markup(length);
      return;
    }
    this.identify();
    // A call without arguments has an empty object, which the deltas must contain, too.
    if (call.raw.length === 0) this.argument('{}', 0);
    const raw = call.raw.toString();
    const input = call.exceeded ? undefined : parseObject(raw);
    const refusal = this.#refusal(call, input);
    if (!input || refusal) {
      const [code, message] = refusal ?? ['unreadable-call', 'The arguments are not a JSON object.'];
      this.failCall(code, message, length);
      return;
    }
    this.#judge(call, input);
    const { id, name } = call;
    this.#finishCall(call, { type: 'call-end', id, name, input, raw, range: this.#advance(length) });
  }

  #refusal(call: OpenCall, input: JsonObject | undefined): [IssueCode, string] | undefined {
    const { argumentLength, calls, depth, members } = this.limits;
    if (call.exceeded === 'too-deep') return ['too-deep', `The arguments are nested deeper than ${depth}.`];
    if (call.exceeded) return ['too-long', `The arguments are longer than ${argumentLength} characters.`];
    if (input && countMembers(input, members) > members)
      return ['too-long', `The arguments have more than ${members} members.`];
    if (this.#state.calls >= calls) return ['too-many-calls', `More than ${calls} calls in one answer.`];
    return undefined;
  }

  #judge(call: OpenCall, input: JsonObject): void {
    const { tools, untrusted } = this.setup;
    if (!call.tool && tools.size > 0)
      this.#blame(call, 'unknown-tool', `No tool named ${JSON.stringify(call.name)} was declared.`);
    for (const problem of call.tool ? this.setup.validate(call.tool, input) : [])
      this.#blame(call, 'schema-mismatch', problem);
    const source = this.#source.trim();
    if (untrusted && source.length > 8 && untrusted.includes(source))
      this.#blame(call, 'suspected-echo', 'This call stands word for word in untrusted input.');
  }

  #blame(call: OpenCall, code: IssueCode, message: string): void {
    call.issues.push({ code, range: call.start.range, message });
  }

  /** Ends the call with an error: it is not delivered as a call. */
  failCall(code: IssueCode, message: string, length = 0): void {
    const { call } = this.#state;
    const range = this.#advance(length);
    const where: Range = [call?.start.range[0] ?? range[0], range[1]];
    const issue: Issue = { code, range: where, message };
    if (!call) {
      this.#push({ type: 'call-error', range, issues: [issue] });
      this.#state.calls++;
      return;
    }
    this.identify();
    call.issues.push(issue);
    const { id, name, raw, issues } = call;
    this.#finishCall(call, { type: 'call-error', id, name, raw: raw.toString(), range, issues });
  }

  #finishCall(call: OpenCall, event: CallEnd | CallError): void {
    if (call.issues.length > 0) event.issues = call.issues;
    if (call.repairs.length > 0) event.repairs = call.repairs;
    this.#push(event);
    const state = this.#state;
    state.call = undefined;
    state.calls++;
    state.spoke = false;
    state.line = '';
    this.#source = '';
  }

  // ---------------------------------------------------------------- issues and repairs

  /** Reports an issue, on the open call if there is one. Positions are absolute; default the current one. */
  issue(code: IssueCode, message: string, start = this.position, end = start): void {
    if (this.#mayNote()) this.#list({ code, range: [start, end], message });
  }

  /** Reports a repeated key of an object, at an absolute position; default the current one. */
  duplicateKey(key: string, start = this.position, end = start): void {
    const message = `The key ${JSON.stringify(key)} stands twice; the last one counts.`;
    this.issue('duplicate-key', message, start, end);
  }

  /** Leaves a block whose closer is missing. */
  leaveOpen(): Mode {
    this.repair('missing-closer');
    this.#state.unfinished = 'nothing';
    this.#state.owesCloser = true;
    return this.plain;
  }

  settleCloser(): void {
    this.#state.owesCloser = false;
  }

  get owesCloser(): boolean {
    return this.#state.owesCloser;
  }

  get leftover(): Leftover | undefined {
    return this.#state.leftover;
  }

  /** Looks, from here on, for what is left of a value of the call that has ended. */
  watchFor(leftover: Leftover): void {
    this.#state.leftover = leftover;
  }

  /** Reports the next `length` characters as left over from a value, once for a call. */
  reportLeftover(length: number): void {
    const { leftover } = this.#state;
    this.#state.leftover = undefined;
    if (leftover) this.issue('ambiguous-value', leftover.message, this.position, this.position + length);
  }

  /** Lists a repair, at an absolute position; default the current one. */
  repair(code: RepairCode, start = this.position, end = start): void {
    if (!this.#mayNote()) return;
    const repair: Repair = { code, range: [start, end] };
    if (this.#state.call) addRepair(this.#state.call.repairs, repair);
    else this.#push({ type: 'markup', range: [this.position, this.position], repairs: [repair] });
  }

  /** Whether one more issue or repair may be listed: `limits.notes` bounds the list. */
  #mayNote(): boolean {
    const state = this.#state;
    if (++state.notes <= this.limits.notes) return true;
    if (state.notes === this.limits.notes + 1)
      this.#list({
        code: 'too-many-notes',
        range: [this.position, this.position],
        message: 'There is more to note than is listed.',
      });
    return false;
  }

  #list(issue: Issue): void {
    if (this.#state.call) this.#state.call.issues.push(issue);
    else this.#push({ type: 'markup', range: [this.position, this.position], issues: [issue] });
  }

  // ---------------------------------------------------------------- events

  #advance(length: number): Range {
    const start = this.position;
    const { untrusted } = this.setup;
    // A source longer than the untrusted text cannot be part of it; the margin allows for white space around it.
    if (untrusted && this.#source.length < untrusted.length + LINE_HEAD)
      this.#source += this.text.slice(this.at, this.at + length);
    this.at += length;
    return [start, start + length];
  }

  #push(event: ParseEvent): void {
    if (this.setup.strict && event.repairs) repairsToIssues(event);
    const queue = this.#holds.length > 0 ? (this.#holds.at(-1) as Hold).events : this.#out;
    const last = queue.length > 0 ? queue.at(-1) : undefined;
    if (last && mergeInto(last, event)) return;
    // Most chunks make one event: a list of one takes less memory than one that has grown.
    if (queue === NONE) this.#out = [event];
    else queue.push(event);
  }

  /** Begins a new source text for the comparison with untrusted input. */
  beginSource(): void {
    this.#source = '';
  }
}

/** Gives the head of the current line after `text`. For a line that cannot open a fence it gives NO_FENCE. */
function lineHead(line: string, text: string, breakAt: number): string {
  if (breakAt < 0 && line.length >= LINE_HEAD) return line;
  const head = breakAt < 0 ? line + text : text.slice(breakAt + 1);
  const first = head.trimStart().charAt(0);
  return first === '`' || first === '' ? head.slice(0, LINE_HEAD) : NO_FENCE;
}

/** Whether a character at the end of a chunk waits for the next one: a line break, and half a surrogate pair. */
function waits(code: number): boolean {
  return isBreak(code) || isHighSurrogate(code);
}

function blanksAt(text: string, at: number, length: number): number {
  let blank = 0;
  while (blank < length && ' \t\r\n'.includes(text.charAt(at + blank))) blank++;
  return blank;
}

/** Counts the members and elements of the whole value; stops over `limit`. Allocates nothing: there may be many. */
function countMembers(value: JsonValue, limit: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (++count > limit) return count;
      if (typeof item === 'object') count += countMembers(item, limit - count);
    }
    return count;
  }
  for (const key in value) {
    if (++count > limit) return count;
    const member = value[key] as JsonValue;
    if (typeof member === 'object') count += countMembers(member, limit - count);
  }
  return count;
}

function parseObject(raw: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(raw);
    return isObject(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether an id is printable text within the limit. Spaces and control characters would break headers and logs. */
function isFitId(id: string, limit: number): boolean {
  if (id.length === 0 || id.length > limit || !id.isWellFormed()) return false;
  for (let i = 0; i < id.length; i++) {
    const code = id.charCodeAt(i);
    if (code <= 0x20 || code === 0x7f || (code >= 0x80 && code < 0xa0)) return false;
  }
  return true;
}
