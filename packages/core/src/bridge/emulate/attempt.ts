// One attempt of a model: its text goes in, events of the answer come out, each as soon as it is certain that it
// will not have to be taken back.
//
//   text ──> parser ──> text, reasoning ──────────────────────> out
//                  └──> calls ──right, or being delivered ────> out
//                           └──wrong, and asking again may help──> held
//
// While asking again is possible, everything behind a problem is held. When the attempt is over, it is either
// given up for a new one (what was held is dropped; the report keeps the text) or what was held goes out.

import type { Dialect } from '../../engine/dialect.js';
import { addRepair } from '../../engine/event-merge.js';
import { createParser, type Parser } from '../../engine/parser.js';
import type { ParserOptions } from '../../engine/parser-options.js';
import {
  type AnswerEvent,
  ApiError,
  type FinishReason,
  type Issue,
  type ParseEvent,
  type Repair,
  type Tool,
  type ToolCall,
  type ToolChoice,
} from '../../model/index.js';
import { isBreak } from '../../text/characters.js';
import { Delivery } from './delivery.js';
import { nativeCall } from './native-call.js';
import { OpenerWatch } from './opener-watch.js';
import {
  isCut,
  issuesOf,
  isTextInTheEnd,
  isWanted,
  type Problem,
  problemOf,
  unreadableIssues,
} from './problem.js';
import { SourceWindow } from './source-window.js';
import { StopWatch } from './stop-watch.js';
import { behindThinkTags } from './think-tags.js';

export interface AttemptOptions {
  dialect: Dialect;
  choice: number;
  tools: ReadonlyMap<string, Tool>;
  toolChoice: ToolChoice;
  parallelCalls: boolean;
  stops: readonly string[];
  /** Nobody reads along: everything may wait until the end. */
  holdAll: boolean;
  /** Calls are delivered when they are complete. */
  holdCalls: boolean;
  refuseEchoes: boolean;
  mayReask: boolean;
  parser: ParserOptions;
  /** The id by which the client knows a call of the parser's. */
  outwardId(id: string): string;
  onParse?: (event: ParseEvent) => void;
}

/** What an attempt comes to. */
export interface Outcome {
  problems: Problem[];
  /** Ask again: what was held is dropped. */
  reask: boolean;
  finish: { reason: FinishReason; stopSequence?: string };
}

/** A call between its start and its end. */
interface OpenCall {
  id: string;
  name: string;
  /** Its start is on its way to the client. */
  live: boolean;
}

/** How much text behind the calls is kept for the report. */
const ASIDE = 2000;

/** Longer pieces are read in parts, so that little is read of what is not wanted any more. */
const PIECE = 4096;

export class Attempt {
  readonly issues: Issue[] = [];
  readonly repairs: Repair[] = [];
  /** Complete calls, right or wrong. */
  readonly calls: ToolCall[] = [];
  readonly problems: Problem[] = [];
  aside = '';
  /** Nothing more is wanted: a stop string, a second call where one was allowed, an invented result. */
  done = false;
  readonly #options: AttemptOptions;
  readonly #parser: Parser;
  readonly #source = new SourceWindow();
  readonly #stops: StopWatch;
  /** What ends the answer as an error, behind all that was said before it. */
  failure: ApiError | undefined;
  readonly #delivery: Delivery;
  #open: OpenCall | undefined;
  /** Up to here every character was delivered, or is markup of a call that was. */
  #settled = 0;
  /** Where the attempt was over, if it was before its end. */
  #doneAt: number | undefined;
  /** No text was said yet. */
  #silent = true;
  /** Calls that the upstream told apart itself, between their start and their end. */
  readonly #native = new Map<string, { name: string; raw: string }>();
  #stop: string | undefined;
  #cut = false;
  #good = 0;
  readonly #openers: OpenerWatch;
  /** An opener stood in the text and opened nothing. */
  #leftOpener: Issue | undefined;

  constructor(options: AttemptOptions) {
    this.#options = options;
    const { toolChoice } = options;
    const required = toolChoice === 'required' || typeof toolChoice === 'object';
    const isDoubtful = () => this.problems.length > 0 || this.#leftOpener !== undefined;
    this.#delivery = new Delivery({ ...options, required, isDoubtful });
    this.#parser = createParser(options.dialect, options.parser);
    this.#stops = new StopWatch(options.stops);
    this.#openers = new OpenerWatch(options.dialect);
  }

  get saidText(): boolean {
    return this.#delivery.saidText;
  }

  /** What was written, as far as it was wanted. */
  get text(): string {
    return this.#source.shown(this.#doneAt);
  }

  feed(text: string): AnswerEvent[] {
    for (let at = 0; at < text.length && !this.done; at += PIECE) {
      const piece = text.slice(at, at + PIECE);
      this.#source.add(piece);
      this.#readAll(this.#parser.feed(piece));
    }
    return this.#delivery.take();
  }

  /** Reasoning that the upstream tells apart itself. */
  reasoning(text: string): AnswerEvent[] {
    if (text === '' || this.done) return [];
    this.#think(text);
    return this.#delivery.take();
  }

  /** A call that the upstream tells apart itself, although it was told of no tools: judged like any other. */
  native(event: AnswerEvent & { type: 'call-start' | 'call-delta' | 'call-end' }): AnswerEvent[] {
    if (event.type === 'call-start') {
      this.#flushText();
      this.#native.set(event.id, { name: event.name, raw: '' });
      return this.#delivery.take();
    }
    const call = this.#native.get(event.id);
    if (!call || this.done) return [];
    if (event.type === 'call-delta') call.raw += event.text;
    else this.#judgeNative(event.id, call);
    return this.#delivery.take();
  }

  /** The upstream is done, for this reason. The events are for the client only if the outcome asks no more. */
  finish(reason: FinishReason): { outcome: Outcome; events: AnswerEvent[] } {
    if (!this.done) this.#readAll(this.#parser.finish());
    this.#flushText();
    const wasCut = (this.#cut && reason === 'length') || reason === 'content-filter';
    if (!wasCut) this.#findMissing(reason);
    const reask = this.#delivery.mayReask && this.problems.length > 0 && !wasCut;
    if (!reask) this.#delivery.letGo();
    return {
      outcome: { problems: this.problems, reask, finish: this.#finishOf(reason) },
      events: reask ? [] : this.#delivery.take(),
    };
  }

  #finishOf(reason: FinishReason): Outcome['finish'] {
    // What was withheld or cut must not look whole.
    if (reason === 'content-filter') return { reason };
    if (this.#cut || reason === 'length') return { reason: 'length' };
    if (this.#good > 0) return { reason: 'tool-calls' };
    return { reason: 'stop', ...(this.#stop !== undefined && { stopSequence: this.#stop }) };
  }

  /** What can only be known at the end: that no call came. */
  #findMissing(reason: FinishReason): void {
    const { toolChoice } = this.#options;
    const required = toolChoice === 'required' || typeof toolChoice === 'object';
    if (this.#good > 0 || this.problems.length > 0) return;
    if (this.#leftOpener) {
      this.#fault('unreadable', [this.#leftOpener]);
      if (this.#leftOpener.code === 'foreign-format') return;
    } else if (required && reason !== 'length') {
      const message = 'The model wrote no call where one was required.';
      this.#fault('no-call', [{ code: 'missing-call', range: [0, 0], message }]);
    } else return;
    this.issues.push(...(this.problems.at(-1)?.issues ?? []));
  }

  // --- what the parser says ------------------------------------------------------------------------------

  #readAll(events: ParseEvent[]): void {
    for (const event of events) {
      if (this.done) return;
      this.#options.onParse?.(event);
      if (event.issues) this.issues.push(...event.issues);
      for (const repair of event.repairs ?? []) addRepair(this.repairs, repair);
      this.#read(event);
    }
  }

  #read(event: ParseEvent): void {
    if (this.#isForged(event)) return;
    if (event.type === 'text-delta') {
      if (event.aside) this.#setAside(event);
      else this.#text(event);
    } else if (event.type === 'reasoning-delta') {
      this.#settle(event);
      this.#think(event.text);
    } else if (event.type === 'call-start') this.#start(event);
    else if (event.type === 'call-delta') this.#delta(event);
    else if (event.type === 'call-end') this.#end(event);
    else if (event.type === 'call-error') this.#failed(event);
    else this.#markup(event);
  }

  #markup(event: ParseEvent): void {
    this.#faultOf(event);
    if (this.#openers.readsMarkup) this.#openers.pass(this.#source.slice(event.range[0], event.range[1]));
  }

  /** A result the model made up: what follows is worth nothing. Behind a good call the attempt is simply over. */
  #isForged(event: ParseEvent): boolean {
    const forged = issuesOf(event, 'forged-result');
    if (forged.length === 0) return false;
    if (this.#good === 0 && !this.#delivery.mayReask) return false;
    if (this.#good === 0) this.#fault('forged', forged);
    this.#isDone(event.range[1]);
    return true;
  }

  #setAside(event: ParseEvent & { text: string }): void {
    this.#settle(event);
    if (this.aside.length < ASIDE) this.aside += event.text.slice(0, ASIDE - this.aside.length);
  }

  #text(event: ParseEvent & { text: string }): void {
    this.#faultOf(event);
    this.#silent = false;
    const opener = this.#openerIn(event);
    this.#settle(event);
    // What stands before the opener is said in any case; the rest waits if asking again may help.
    if (opener < 0) this.#watched(event.text, event.range[0]);
    else {
      this.#watched(event.text.slice(0, opener), event.range[0]);
      this.#leftOpener ??= leftOpener(event.range[0] + opener);
      if (!this.done) this.#watched(event.text.slice(opener), event.range[0] + opener);
    }
  }

  /** Text, up to a stop string. */
  #watched(said: string, at: number): void {
    const { text, stop, end = 0 } = this.#stops.feed(said);
    this.#say(text);
    if (stop === undefined) return;
    this.#stop = stop;
    this.#isDone(at + end);
  }

  #isDone(at: number): void {
    this.done = true;
    this.#doneAt = at;
  }

  #think(text: string): void {
    this.#flushText();
    this.#delivery.emit({ type: 'reasoning-delta', text });
  }

  #say(text: string): void {
    if (text !== '') this.#delivery.emit({ type: 'text-delta', text });
  }

  #flushText(): void {
    this.#say(this.#stops.flush());
  }

  #start({ id, name }: ParseEvent & { id: string; name: string }): void {
    this.#flushText();
    const tool = this.#options.tools.get(name);
    // A real call follows, so what looked like one was only mentioned.
    if (tool) this.#leftOpener = undefined;
    const live =
      tool !== undefined &&
      isWanted(name, this.#options.toolChoice) &&
      !this.#options.holdCalls &&
      !this.#delivery.waits &&
      tool.extra?.strict !== true;
    this.#open = { id: this.#options.outwardId(id), name, live };
    if (live) this.#delivery.emit({ type: 'call-start', id: this.#open.id, name });
  }

  #delta(event: ParseEvent & { text: string }): void {
    if (!this.#open?.live) return;
    this.#settle(event);
    if (event.text !== '') this.#delivery.emit({ type: 'call-delta', id: this.#open.id, text: event.text });
  }

  #end(event: Extract<ParseEvent, { type: 'call-end' }>): void {
    const open = this.#open;
    this.#open = undefined;
    if (!open) return;
    const { name, input, raw } = event;
    this.calls.push({ type: 'tool-call', id: open.id, name, input, raw });
    if (open.live) {
      this.#delivery.emit({ type: 'call-end', id: open.id });
      this.#good++;
    } else this.#judge(event, open.id, () => this.#sourceOf(event));
    this.#settle(event);
    if (!this.#options.parallelCalls && this.#good > 0) this.#isDone(event.range[1]);
  }

  #judgeNative(nativeId: string, { name, raw }: { name: string; raw: string }): void {
    this.#native.delete(nativeId);
    const { tools } = this.#options;
    const id = this.#options.outwardId(nativeId);
    const event = nativeCall(id, name, raw === '' ? '{}' : raw, tools.get(name));
    this.issues.push(...(event.issues ?? []));
    const asText = () => `${name}(${raw})`;
    if (event.type === 'call-error' || tools.size === 0) {
      if (tools.size > 0) this.#fault('unreadable', event.issues ?? []);
      this.#say(asText());
      return;
    }
    this.calls.push({ type: 'tool-call', id, name, input: event.input, raw: event.raw });
    this.#judge(event, id, asText);
    if (!this.#options.parallelCalls && this.#good > 0) this.done = true;
  }

  /** A call that was held until it was whole. */
  #judge(event: Extract<ParseEvent, { type: 'call-end' }>, id: string, source: () => string): void {
    const problem = problemOf(event, id, this.#options);
    if (problem) {
      this.problems.push(problem);
      if (problem.kind === 'other-tool') this.issues.push(...problem.issues);
    }
    if (problem && isTextInTheEnd(problem, this.#options.tools.get(event.name))) {
      this.#say(source());
      return;
    }
    this.#good++;
    this.#delivery.emit({ type: 'call-start', id, name: event.name });
    this.#delivery.emit({ type: 'call-delta', id, text: event.raw });
    this.#delivery.emit({ type: 'call-end', id });
  }

  #failed(event: Extract<ParseEvent, { type: 'call-error' }>): void {
    const open = this.#open;
    this.#open = undefined;
    const cut = isCut(event.issues);
    if (cut) this.#cut = true;
    if (open?.live && !cut) {
      this.failure = unreadableCall(event.issues);
      this.#isDone(event.range[1]);
    }
    if (open?.live) return;
    this.#flushText();
    this.#fault('unreadable', event.issues);
    if (cut) this.#keepInIssue(event);
    else this.#say(this.#sourceOf(event));
    this.#settle(event);
  }

  /** What was read of a call that was cut off is no text: its markup would leak. The issue carries it. */
  #keepInIssue(event: Extract<ParseEvent, { type: 'call-error' }>): void {
    const [issue] = event.issues;
    if (issue) issue.raw ??= this.#sourceOf(event);
  }

  /** All that was written of a call, from what was delivered on. The tags of a thought before it are no part. */
  #sourceOf(event: ParseEvent): string {
    const text = this.#source.slice(this.#settled, event.range[1]);
    const { reasoning } = this.#options.dialect.traits;
    return this.#silent && reasoning ? behindThinkTags(text, reasoning) : text;
  }

  #faultOf(event: ParseEvent): void {
    // What a fenced block shows is an example.
    if (this.#openers.fenced) return;
    const [foreign] = issuesOf(event, 'foreign-format');
    if (foreign) this.#leftOpener ??= foreign;
    const issues = unreadableIssues(event);
    if (issues.length > 0) this.#fault('unreadable', issues);
  }

  #fault(kind: Problem['kind'], issues: Issue[]): void {
    this.problems.push({ kind, issues });
  }

  /** Where an opener stands at the start of a line and opened nothing: most likely a call that went wrong. */
  #openerIn(event: ParseEvent & { text: string }): number {
    if (this.#options.tools.size === 0) return -1;
    let at = this.#openers.feed(event.text);
    // With the line breaks before it, which are a separator as before any call.
    while (at > 0 && isBreak(event.text.charCodeAt(at - 1))) at--;
    return at;
  }

  #settle(event: ParseEvent): void {
    this.#settled = event.range[1];
    this.#source.settle(this.#settled);
  }
}

function leftOpener(at: number): Issue {
  const message = 'A call was begun here, but what follows is none.';
  return { code: 'unreadable-call', range: [at, at], message };
}

function unreadableCall(issues: Issue[]): ApiError {
  const reason = issues.map(({ message }) => message).join(' ');
  return new ApiError(
    'unreadable-call',
    `The model wrote a call that could not be read to its end. ${reason}`,
  );
}
