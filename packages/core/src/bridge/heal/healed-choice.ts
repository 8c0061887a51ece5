// One attempt of a native upstream at one answer. Its native calls are read and judged like those that a model writes as
// text, and calls that leaked into the text become real ones.
//
//   native call ──> its parser ──right, or being delivered ──> out, as it is written
//                            └──wrong, and asking again may help ──> held
//   text ──> leak watch ──> text, reasoning ─────────────────> out
//                      └──> leaked calls, and what follows ──> held until the finish
//
// A call that the upstream sends natively and also leaks is one call: the leaked copy is dropped.

import type { Dialect } from '../../engine/dialect.js';
import { addRepair } from '../../engine/event-merge.js';
import type {
  AnswerEvent,
  ApiError,
  CallEnd,
  FinishReason,
  Issue,
  JsonValue,
  ParseEvent,
  Repair,
  ToolCall,
} from '../../model/index.js';
import {
  AttemptCalls,
  type AttemptCallsOptions,
  type CallText,
  type NativeCallEvent,
} from '../emulate/attempt-calls.js';
import { Delivery } from '../emulate/delivery.js';
import type { AttemptProblem } from '../emulate/problem.js';
import { SourceWindow } from '../emulate/source-window.js';
import { StrippedWatch, strippedCall } from '../emulate/stripped-watch.js';
import { strippedHeads } from '../engines/special-tokens.js';
import { endAnswer } from '../structured/answer-end.js';
import type { StructuredText } from '../structured/structured-text.js';
import type { LeakSegment, LeakWatcher } from './leak-watch.js';
import { createLeakWatch } from './leak-watches.js';

export interface HealedChoiceOptions extends AttemptCallsOptions {
  choice: number;
  /** The dialects whose calls are looked for in the text. */
  dialects: readonly Dialect[];
  /** The answer is not streamed: everything may wait until the end. */
  holdAll: boolean;
  /** Calls in the text that occur word for word in the input stay text. */
  refuseLeakedEchoes: boolean;
  mayReask: boolean;
  mayMove?: boolean | undefined;
  /** Takes the JSON out of the text, where the client asked for JSON. */
  structured?: StructuredText | undefined;
  /** What to do about special tokens that the upstream left out. */
  tokensAdvice?: string | undefined;
  newId(): string;
  onParse?: (event: ParseEvent) => void;
}

/** The most that a model is shown of what it wrote, in characters. */
const MOST_SHOWN = 10_000;

type FinishEvent = AnswerEvent & { type: 'finish' };
type LeakedCall = LeakSegment & { type: 'call' };

export class HealedChoice {
  readonly issues: Issue[] = [];
  readonly repairs: Repair[] = [];
  /** Text around the JSON that was asked for. */
  aside = '';
  /** The model is asked again: the finish was not delivered, and what was held is dropped. */
  reask = false;
  readonly #options: HealedChoiceOptions;
  readonly #delivery: Delivery;
  readonly #calls: AttemptCalls;
  readonly #text: HealedText;
  readonly #required: boolean;
  #refused = false;
  /** Native calls, for the comparison with leaked ones. */
  readonly #native = new Map<string, { name: string; text: string }>();

  constructor(options: HealedChoiceOptions) {
    this.#options = options;
    const { toolChoice } = options;
    this.#required = toolChoice === 'required' || typeof toolChoice === 'object';
    const isDoubtful = () => this.problems.length > 0;
    const isFinal = () => options.structured?.given === true;
    this.#delivery = new Delivery({ ...options, required: this.#required, isDoubtful, isFinal });
    this.#text = new HealedText(options, this.#delivery, this.issues);
    this.#calls = new AttemptCalls(
      options,
      this.#text,
      this.#delivery,
      (event) => this.#note(event),
      this.issues,
    );
  }

  get calls(): readonly ToolCall[] {
    return this.#calls.complete;
  }

  get problems(): AttemptProblem[] {
    return this.#calls.problems;
  }

  /** The error that ends the answer, after everything that was delivered before it. */
  get failure(): ApiError | undefined {
    return this.#calls.failure;
  }

  get saidText(): boolean {
    return this.#delivery.saidText;
  }

  /** What the model wrote as text, and the calls that could not be read. */
  get text(): string {
    const unread = this.problems.flatMap(({ issues }) => issues.flatMap(({ raw }) => raw ?? []));
    return [this.#text.written, ...unread].join('\n').trim().slice(0, MOST_SHOWN);
  }

  read(event: AnswerEvent): AnswerEvent[] {
    if (this.#text.ended && event.type !== 'finish') return [];
    if (event.type === 'text-delta' && event.refusal) this.#refuse(event.text);
    else if (event.type === 'text-delta') this.#text.read(event.text);
    else if (event.type === 'reasoning-delta') this.#delivery.emit(withoutChoice(event));
    else if (event.type === 'finish') return this.#finish(event);
    else if (isCallEvent(event)) this.#readCall(event);
    return this.#delivery.take();
  }

  /** Delivers a refusal as it is: it is no JSON, and no call is in it. */
  #refuse(text: string): void {
    this.#text.flushWatch();
    this.#refused = true;
    this.#delivery.emit({ type: 'text-delta', text, refusal: true });
  }

  #readCall(event: NativeCallEvent): void {
    if (event.type === 'call-start') this.#native.set(event.id, { name: event.name, text: '' });
    const call = event.type === 'call-delta' ? this.#native.get(event.id) : undefined;
    // Only where text is watched can a copy leak.
    if (call && event.type === 'call-delta' && this.#options.dialects.length > 0) call.text += event.text;
    this.#calls.native(event);
  }

  #note(event: ParseEvent): void {
    this.#options.onParse?.(event);
    if (event.issues) this.issues.push(...event.issues);
    for (const repair of event.repairs ?? []) addRepair(this.repairs, repair);
  }

  // --- the end ---------------------------------------------------------------------------------------------

  #finish({ reason, given = reason, stopSequence }: FinishEvent): AnswerEvent[] {
    this.#text.flushWatch({ cut: given === 'length' });
    this.#calls.endNative(given);
    this.#deliverHeld();
    this.#endStructured(given, this.#refused || stopSequence !== undefined);
    const wasCut = this.#calls.wasCut(given);
    if (!wasCut) this.#findMissing();
    this.reask = this.#delivery.mayReask && this.problems.length > 0 && !wasCut;
    if (this.reask) return [];
    this.#delivery.letGo();
    const events = this.#delivery.take();
    if (this.failure) return events;
    const { choice } = this.#options;
    const finish = this.#calls.finishOf(given, stopSequence);
    return [...events, { type: 'finish', ...finish, ...(choice > 0 && { choice }) }];
  }

  #endStructured(reason: FinishReason, stopped: boolean): void {
    const { structured } = this.#options;
    if (structured) endAnswer(structured, { calls: this.#calls, reason, stopped }, this);
  }

  #deliverHeld(): void {
    const held = this.#text.takeHeld();
    // Arguments can be long: they are read for this only where a call leaked.
    const native = held.some(({ type }) => type === 'call') ? [...this.#native.values()] : [];
    const copies = new Set(native.map(({ name, text }) => keyOf(name, text)));
    const isCopy = ({ call }: LeakedCall) => copies.has(keyOf(call.name, call.raw));
    const { cut } = this.#text;
    if (cut.length > 0 && held.some((segment) => segment.type === 'call' && !isCopy(segment)))
      this.#calls.addProblem('unreadable', cut);
    for (const segment of held) {
      if (segment.type !== 'call') this.#text.pass(segment);
      else if (isCopy(segment)) this.repairs.push({ code: 'leaked-copy', range: segment.range });
      else this.#deliverLeaked(segment);
    }
  }

  #deliverLeaked({ call, source, range, issues, repairs }: LeakedCall): void {
    this.issues.push(...issues);
    this.repairs.push({ code: 'leaked-call', range }, ...repairs);
    const { name, input, raw } = call;
    const id = this.#options.outwardId(call.id.startsWith(MADE) ? this.#options.newId() : call.id);
    const freeform = this.#options.tools.get(name)?.freeform && { freeform: true };
    this.#calls.complete.push({ type: 'tool-call', id, name, input, raw, ...freeform });
    this.#calls.judge(call, id, () => source);
  }

  #findMissing(): void {
    if (!this.#required || this.#calls.delivered > 0 || this.problems.length > 0) return;
    const message = 'The model wrote no call where one was required.';
    const issue: Issue = { code: 'missing-call', range: [0, 0], message };
    this.#calls.addProblem('no-call', [issue]);
    this.issues.push(issue);
  }
}

/** The text of a native upstream, searched for leaked calls. After a leaked call everything waits for the finish. */
class HealedText implements CallText {
  leftOpener: Issue | undefined;
  ended = false;
  /** What follows a leaked call and shows that one of its values was cut. */
  readonly cut: Issue[] = [];
  readonly #source = new SourceWindow();
  #length = 0;
  #watch: LeakWatcher | undefined;
  #held: LeakSegment[] = [];
  #spoke = false;
  /** Calls without their special tokens stay text; the first is reported. */
  #stripped: StrippedWatch | undefined;

  constructor(
    readonly options: HealedChoiceOptions,
    readonly delivery: Delivery,
    readonly issues: Issue[],
  ) {}

  get written(): string {
    return this.#source.shown();
  }

  read(text: string): void {
    this.#source.add(text);
    this.#length += text.length;
    this.#source.settle(this.#length);
    if (this.options.dialects.length === 0) {
      this.#deliver(text);
      return;
    }
    this.#watch ??= this.#createWatch();
    this.#stripped ??= this.#createStripped();
    const { found } = this.#stripped.feed(text);
    if (found) this.#report(found.tool);
    if (text.trim() !== '') this.#spoke = true;
    this.#passAll(this.#watch.feed(text));
  }

  /** Ends the watch: what it held back comes before a native call, or before the finish. */
  flushWatch(end?: { cut?: boolean }): void {
    const watch = this.#watch;
    if (!watch) return;
    this.#watch = undefined;
    this.#passAll(watch.finish(end));
    this.issues.push(...watch.issues);
    this.cut.push(...watch.issues.filter(({ code }) => code === 'ambiguous-value'));
  }

  /** Delivers all text that was held: a call follows. Where the answer is to be JSON, the text waits for the end. */
  flush(): void {
    this.flushWatch();
    this.options.structured?.callFollows();
  }

  #deliver(text: string): void {
    const { structured } = this.options;
    this.say(structured ? structured.read(text) : text);
  }

  say(text: string): void {
    const { structured } = this.options;
    const said = structured?.waits ? structured.read(text) : text;
    if (said !== '') this.delivery.emit({ type: 'text-delta', text: said });
  }

  end(): void {
    this.ended = true;
  }

  /** Text of an upstream with native calls is delivered as it comes: none of it is the source of a call. */
  settle(): void {}

  sourceOf(): string {
    return '';
  }

  takeHeld(): LeakSegment[] {
    return this.#held.splice(0);
  }

  pass({ type, text }: Exclude<LeakSegment, { type: 'call' }>): void {
    if (type === 'text') this.#deliver(text);
    else if (text !== '') this.delivery.emit({ type: 'reasoning-delta', text });
  }

  #passAll(segments: LeakSegment[]): void {
    for (const segment of segments) {
      if (segment.type === 'call' || this.#held.length > 0) this.#held.push(segment);
      else this.pass(segment);
    }
  }

  #createWatch(): LeakWatcher {
    const { dialects, parser, onParse } = this.options;
    return createLeakWatch(dialects, {
      parser: { ...parser, newId: made, thinking: parser.thinking === true && !this.#spoke },
      accepts: (call) => this.#accepts(call),
      spoke: this.#spoke,
      ...(onParse && { onParse }),
    });
  }

  #createStripped(): StrippedWatch {
    const { dialects, tools } = this.options;
    return new StrippedWatch(dialects.flatMap((dialect) => strippedHeads(dialect, tools.values())));
  }

  #report(tool: string): void {
    this.issues.push(strippedCall(tool, this.#length, this.options.tokensAdvice ?? ''));
    this.#stripped = new StrippedWatch([]);
  }

  #accepts({ name, issues }: CallEnd): boolean {
    const { tools, toolChoice, refuseLeakedEchoes } = this.options;
    if (!tools.has(name)) return false;
    if (typeof toolChoice === 'object' && toolChoice.name !== name) return false;
    return !refuseLeakedEchoes || !issues?.some(({ code }) => code === 'suspected-echo');
  }
}

function isCallEvent(event: AnswerEvent): event is NativeCallEvent {
  return event.type === 'call-start' || event.type === 'call-delta' || event.type === 'call-end';
}

/** The delivery sets the choice. */
function withoutChoice(event: AnswerEvent & { type: 'reasoning-delta' }): AnswerEvent {
  const { choice, ...rest } = event;
  return choice === undefined ? event : rest;
}

/** Marks a call without an id of the model's, which never begins with a space: it gets one when it is delivered. */
const MADE = ' ';

function made(n: number): string {
  return MADE + n;
}

/** Gives the same key for the same name and arguments, in any order of their members. */
function keyOf(name: string, raw: string): string {
  try {
    return JSON.stringify([name, sorted(JSON.parse(raw === '' ? '{}' : raw))]);
  } catch {
    return JSON.stringify([name, raw]);
  }
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
}
