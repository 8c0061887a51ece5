// What a grammar reads with: a cursor that cannot move without saying what it passed over.
//
// Every method that consumes characters emits the event that stands for them, so events tile the text by
// construction. While a hold is open (hold.ts), events wait in it.

import type {
  CallEnd,
  CallError,
  CallStart,
  Issue,
  IssueCode,
  JsonObject,
  JsonValue,
  ParseEvent,
  Range,
  Repair,
  RepairCode,
  Tool,
} from '../model/index.js';
import { isObject } from '../model/index.js';
import { Cursor } from '../text/cursor.js';
import { Gather } from '../text/gather.js';
import { addRepair, growRepair, mergeInto, repairsToIssues } from './event-merge.js';
import { Hold, OpenerHold } from './hold.js';
import type { Limits, ParserSetup } from './parser-options.js';

/** A named place in a grammar: reads on and says where it stands next. Undefined: more text must come. */
export type Mode = (reader: Reader) => Mode | undefined;

/** The call that is being read. */
export interface OpenCall {
  name: string;
  id: string;
  /** The arguments so far, as JSON text. */
  raw: Gather;
  tool: Tool | undefined;
  issues: Issue[];
  repairs: Repair[];
  /** Its event, held until the id is known. */
  start: CallStart;
  /** The limit that the arguments passed: nothing more of them is kept, and the call will fail. */
  exceeded: 'too-long' | 'too-deep' | undefined;
}

/** How much of a line is remembered, to tell whether it opens a code fence. */
const LINE_HEAD = 8;
const NO_FENCE = '-'.repeat(LINE_HEAD);

/** How many ids are asked for, where each is taken already, before one is put together. */
const NEW_ID_TRIES = 1000;

/** What the end of input means where the reader stands. */
export type Unfinished =
  | 'nothing'
  | 'incomplete' // a call that is not delivered
  | 'missing-closer' // complete calls: a repair
  | 'unclosed-block' // none of the block's calls counts
  | 'too-long' // nor of one that could not be held
  | 'text'; // what is held was no call: back to where it was tried, and on as text

interface State {
  call: OpenCall | undefined;
  /** Calls delivered or failed. */
  calls: number;
  unfinished: Unfinished;
  /** Whether characters that are no markup are text or reasoning. */
  voice: 'text' | 'reasoning';
  framed: boolean;
  /** Something was said since the last call, or in this message. */
  spoke: boolean;
  /** Issues and repairs listed so far. */
  notes: number;
  /** Text behind the calls has been reported. */
  reported: boolean;
  /** A block was left without its closer, which may still come. */
  owesCloser: boolean;
  /** The first characters of the line that is being said. */
  line: string;
  ids: number;
  /** The number of the last id that was made. */
  lastMade: number;
}

export class Reader extends Cursor {
  #out: ParseEvent[] = [];
  #holds: Hold[] = [];
  #ids: string[] = [];
  #knownIds = new Set<string>();
  #state: State = {
    call: undefined,
    calls: 0,
    unfinished: 'nothing',
    voice: 'text',
    framed: false,
    spoke: false,
    notes: 0,
    reported: false,
    owesCloser: false,
    line: '',
    ids: 0,
    lastMade: 0,
  };
  /** Where reading goes on behind a block: the engine's own mode. */
  plain: Mode = () => undefined;
  /** Calls that begin now stand in reasoning that never closed. */
  inReasoning = false;
  /** The source of the call, kept only where it must be compared with untrusted input. */
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
  }
  /** A message begins or ends: who speaks, whether in a frame, and nothing was said in it. */
  speakAs(voice: State['voice'], framed: boolean): void {
    this.#state.voice = voice;
    this.#state.framed = framed;
    this.#state.spoke = false;
    this.#state.line = '';
  }
  /** A frame around text is open. */
  get framed(): boolean {
    return this.#state.framed;
  }
  get unfinished(): Unfinished {
    return this.#state.unfinished;
  }
  set unfinished(unfinished: Unfinished) {
    this.#state.unfinished = unfinished;
  }
  /** No text stands between the last call, the start of the message, and here. */
  get silent(): boolean {
    return !this.#state.spoke;
  }
  /** The line that is being said opens a code fence. */
  get inFenceLine(): boolean {
    return this.#state.line.trimStart().startsWith('```');
  }

  /** The events since the last time. */
  takeEvents(): ParseEvent[] {
    const events = this.#out;
    this.#out = [];
    return events;
  }

  // ---------------------------------------------------------------- trying

  /** Begins a reading that may be wrong: see hold.ts. */
  try(): Hold {
    return this.#hold(new Hold(this, this.#snapshot()));
  }

  /** An opener stands `ahead` characters from here. What it opens is tried from here on. */
  tryOpener(ahead: number): OpenerHold {
    return this.#hold(new OpenerHold(this, this.#snapshot(), ahead));
  }

  #hold<H extends Hold>(hold: H): H {
    this.mark();
    this.#holds.push(hold);
    return hold;
  }

  #snapshot(): () => void {
    const state = { ...this.#state };
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

  /** For the hold alone. */
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

  /** The text ended: what is held goes out. */
  keepAll(): void {
    for (let hold = this.#holds.at(-1); hold; hold = this.#holds.at(-1)) hold.keep();
  }

  /** The text ended, and what the opener opened was no call. */
  rejectAll(): Mode {
    const [first] = this.#holds;
    while (this.#holds.length > 1) this.#holds.at(-1)?.undo();
    if (first instanceof OpenerHold) return first.reject();
    this.#state.unfinished = 'nothing';
    return this.plain;
  }

  // ---------------------------------------------------------------- passing over characters

  /** Tags, separators, dropped tokens. */
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

  /** Text or reasoning, as the voice is. */
  say(length: number): void {
    if (length === 0) return;
    const state = this.#state;
    if (state.voice === 'reasoning') {
      const text = this.text.slice(this.at, this.at + length);
      this.#push({ type: 'reasoning-delta', text, range: this.#advance(length) });
      return;
    }
    if (state.spoke) {
      this.#sayText(length);
      return;
    }
    const blank = blanksAt(this.text, this.at, length);
    if (blank > 0) this.#sayText(blank);
    if (blank === length) return;
    state.spoke = true;
    if (state.calls > 0 && !state.reported) this.#reportTextAfterCalls();
    this.#sayText(length - blank);
  }

  /**
   * Says the window up to `end` at once, past the queue, if nothing more has to be asked about where it stands.
   * Its last break is given. Most pieces of a stream come this way.
   */
  sayTo(end: number, breakAt: number): ParseEvent[] | undefined {
    const state = this.#state;
    if (!state.spoke || state.voice === 'reasoning' || this.at !== 0 || this.#holds.length > 0)
      return undefined;
    if (end === 0) return [];
    if (state.calls > 0) {
      this.#sayText(end, breakAt);
      return this.takeEvents();
    }
    const text = end === this.text.length ? this.text : this.text.slice(0, end);
    if (breakAt >= 0 || state.line.length < LINE_HEAD) state.line = lineHead(state.line, text, breakAt);
    const start = this.position;
    this.at = end;
    this.#source = '';
    return [{ type: 'text-delta', text, range: [start, start + end] }];
  }

  #sayText(length: number, lastBreak?: number): void {
    const state = this.#state;
    const text = length === this.text.length ? this.text : this.text.slice(this.at, this.at + length);
    const breakAt = lastBreak ?? text.lastIndexOf('\n');
    if (breakAt >= 0 || state.line.length < LINE_HEAD) state.line = lineHead(state.line, text, breakAt);
    const range = this.#advance(length);
    if (state.calls > 0 && this.setup.textAfterCalls === 'aside')
      this.#push({ type: 'text-delta', text, range, aside: true });
    else this.#push({ type: 'text-delta', text, range });
  }

  #reportTextAfterCalls(): void {
    this.#state.reported = true;
    this.issue('text-after-calls', 'The model wrote text behind its calls.');
  }

  // ---------------------------------------------------------------- calls

  /** A call begins; the next `length` characters are its name. */
  beginCall(name: string, length: number): OpenCall {
    return this.#begin(name, this.#advance(length));
  }

  /** A call begins whose name has been passed as markup. Its event waits for `identify`: keep it held. */
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

  /** Gives the call its id: the model's own, if it is fit to be seen, or a new one. */
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
      call.issues.push(
        this.#issue('duplicate-id', `Two calls have the id ${JSON.stringify(id)}.`, call.start.range),
      );
      id = undefined;
    }
    id ??= this.#newId();
    this.#ids.push(id);
    this.#knownIds.add(id);
    state.ids = this.#ids.length;
    return id;
  }

  /** The model may have written any id before we make it, and whoever makes ids may make one twice. */
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

  /** A piece of the arguments, as JSON text, for the next `length` characters. */
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

  /** The arguments are too much to be kept. The call will fail when it ends. */
  exceed(limit: 'too-long' | 'too-deep'): void {
    if (this.#state.call) this.#state.call.exceeded ??= limit;
  }

  /** The arguments are complete, and so is the call. */
  endCall(length = 0): void {
    const { call } = this.#state;
    if (!call) {
      this.markup(length);
      return;
    }
    this.identify();
    // No arguments are an empty object, and the deltas say so, too.
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

  /** A limit that this call passed. */
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
    const at = call.start.range;
    if (!call.tool) {
      if (this.setup.tools.size > 0)
        call.issues.push(
          this.#issue('unknown-tool', `No tool named ${JSON.stringify(call.name)} was declared.`, at),
        );
    } else {
      for (const problem of this.setup.validate(call.tool, input))
        call.issues.push(this.#issue('schema-mismatch', problem, at));
    }
    const { untrusted } = this.setup;
    if (untrusted && this.#source.trim().length > 8 && untrusted.includes(this.#source.trim()))
      call.issues.push(
        this.#issue('suspected-echo', 'This call stands word for word in untrusted input.', at),
      );
  }

  /** The call cannot be run. */
  failCall(code: IssueCode, message: string, length = 0): void {
    const { call } = this.#state;
    const range = this.#advance(length);
    const where: Range = [call?.start.range[0] ?? range[0], range[1]];
    const issue = this.#issue(code, message, where);
    if (!call) {
      this.#push({ type: 'call-error', range, issues: [issue] });
      this.#state.calls++;
      return;
    }
    this.identify();
    call.issues.push(issue);
    const event: CallError = {
      type: 'call-error',
      id: call.id,
      name: call.name,
      raw: call.raw.toString(),
      range,
      issues: call.issues,
    };
    this.#finishCall(call, event);
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

  // ---------------------------------------------------------------- saying what is wrong

  /** Something the model did wrong: about the open call, or on its own. At an absolute place, or here. */
  issue(code: IssueCode, message: string, start = this.position, end = start): void {
    if (this.#mayNote()) this.#list(this.#issue(code, message, [start, end]));
  }

  /** A key that an object has twice, at an absolute place, or here. */
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

  /** Something read generously, at an absolute place (here, if none is given). */
  repair(code: RepairCode, start = this.position, end = start): void {
    if (!this.#mayNote()) return;
    const repair: Repair = { code, range: [start, end] };
    if (this.#state.call) addRepair(this.#state.call.repairs, repair);
    else this.#push({ type: 'markup', range: [this.position, this.position], repairs: [repair] });
  }

  /** Whether one more note is listed. What a flood of them is about is clear from the first thousand. */
  #mayNote(): boolean {
    const state = this.#state;
    if (++state.notes <= this.limits.notes) return true;
    if (state.notes === this.limits.notes + 1)
      this.#list(
        this.#issue('too-many-notes', 'There is more to note than is listed.', [
          this.position,
          this.position,
        ]),
      );
    return false;
  }

  #list(issue: Issue): void {
    if (this.#state.call) this.#state.call.issues.push(issue);
    else this.#push({ type: 'markup', range: [this.position, this.position], issues: [issue] });
  }

  #issue(code: IssueCode, message: string, range: Range): Issue {
    return { code, range, message };
  }

  // ---------------------------------------------------------------- events

  #advance(length: number): Range {
    const start = this.position;
    const { untrusted } = this.setup;
    // What is longer than the untrusted text cannot stand in it, but for the space around it.
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
    queue.push(event);
  }

  /** A new answer's worth of source begins: what is compared with untrusted input starts here. */
  beginSource(): void {
    this.#source = '';
  }
}

/** The head of the line that is being said, behind `text`. A line that opens no fence is not looked at again. */
function lineHead(line: string, text: string, breakAt: number): string {
  const head = breakAt < 0 ? line + text : text.slice(breakAt + 1);
  const first = head.trimStart().charAt(0);
  return first === '`' || first === '' ? head.slice(0, LINE_HEAD) : NO_FENCE;
}

/** How many of the next characters are white space. */
function blanksAt(text: string, at: number, length: number): number {
  let blank = 0;
  while (blank < length && ' \t\r\n'.includes(text.charAt(at + blank))) blank++;
  return blank;
}

/** Members and elements over the whole value, or more than `limit`. Nothing is allocated: there may be very many. */
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

/** An id may be any printable text of a sane length; spaces and controls are not fit for headers and logs. */
function isFitId(id: string, limit: number): boolean {
  if (id.length === 0 || id.length > limit || !id.isWellFormed()) return false;
  for (let i = 0; i < id.length; i++) {
    const code = id.charCodeAt(i);
    if (code <= 0x20 || code === 0x7f || (code >= 0x80 && code < 0xa0)) return false;
  }
  return true;
}
