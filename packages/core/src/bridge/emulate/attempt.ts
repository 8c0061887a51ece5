// One attempt of a model: its text goes in, events of the answer come out, each as soon as it is certain that it
// will not have to be taken back.
//
//   text ──> parser ──> text, reasoning ──────────────────────> out
//                  └──> calls ──right, or being delivered ────> out
//                           └──wrong, and asking again may help──> held
//
// While asking again is possible, everything after a problem is held. When the attempt is over, either a new attempt
// replaces it (what was held is dropped; the report keeps the text) or what was held is delivered.

import { closerRule } from '../../engine/closer-rule.js';
import { addRepair } from '../../engine/event-merge.js';
import { createParser, type Parser } from '../../engine/parser.js';
import type {
  AnswerEvent,
  ApiError,
  FinishReason,
  Issue,
  ParseEvent,
  Repair,
  ToolCall,
  WrittenTurn,
} from '../../model/index.js';
import { endAnswer } from '../structured/answer-end.js';
import type { TurnWords } from '../turns/turn-words.js';
import {
  AttemptCalls,
  type AttemptCallsOptions,
  type AttemptFinish,
  type NativeCallEvent,
} from './attempt-calls.js';
import { AttemptText, type AttemptTextOptions } from './attempt-text.js';
import { Delivery } from './delivery.js';
import { type AttemptProblem, issuesOf, unreadableIssues } from './problem.js';

export interface AttemptOptions extends AttemptTextOptions, AttemptCallsOptions {
  choice: number;
  /** The answer is not streamed: everything may wait until the end. */
  holdAll: boolean;
  mayReask: boolean;
  mayMove?: boolean | undefined;
  onParse?: (event: ParseEvent) => void;
  /** Keeps what the model writes. */
  words?: TurnWords | undefined;
}

/** The result of an attempt. */
export interface AttemptOutcome {
  problems: AttemptProblem[];
  /** The model is asked again, and what was held is dropped. */
  reask: boolean;
  finish: AttemptFinish;
}

/** How much text after the calls is kept for the report. */
const ASIDE = 2000;

/** Longer pieces are parsed in parts, so that little is parsed after the attempt has ended. */
const PIECE = 4096;

export class Attempt {
  readonly issues: Issue[] = [];
  readonly repairs: Repair[] = [];
  /** Text after the calls, or around the JSON that was asked for, which is reported and not delivered. */
  aside = '';
  readonly #options: AttemptOptions;
  readonly #parser: Parser;
  readonly #delivery: Delivery;
  readonly #text: AttemptText;
  readonly #calls: AttemptCalls;
  readonly #required: boolean;

  constructor(options: AttemptOptions) {
    this.#options = options;
    const { toolChoice } = options;
    this.#required = toolChoice === 'required' || typeof toolChoice === 'object';
    const isDoubtful = () =>
      this.problems.length > 0 || this.#text.leftOpener !== undefined || this.#calls.mayBeCut;
    const isFinal = () => options.structured?.given === true;
    this.#delivery = new Delivery({ ...options, required: this.#required, isDoubtful, isFinal });
    this.#parser = createParser(options.dialect, options.parser);
    this.#text = new AttemptText(options, this.#delivery);
    this.#calls = new AttemptCalls(
      { ...options, rawValues: closerRule(options.dialect) !== undefined },
      this.#text,
      this.#delivery,
      (event) => this.#note(event),
      this.issues,
    );
  }

  /** Complete calls, right or wrong. */
  get calls(): readonly ToolCall[] {
    return this.#calls.complete;
  }

  get problems(): AttemptProblem[] {
    return this.#calls.problems;
  }

  /** Nothing more is read of the upstream's answer. */
  get done(): boolean {
    return this.#text.ended;
  }

  /** The error that ends the answer, after everything that was delivered before it. */
  get failure(): ApiError | undefined {
    return this.#calls.failure;
  }

  get saidText(): boolean {
    return this.#delivery.saidText;
  }

  /** The text that the model wrote, up to where the attempt ended. */
  get text(): string {
    return this.#text.written;
  }

  /** What the model wrote, if it was read without an issue. */
  get written(): WrittenTurn | undefined {
    const { words, dialect, parser } = this.#options;
    if (this.issues.length > 0) return undefined;
    return words?.turn(dialect, parser.thinking ?? false, this.#text.wordsEnd);
  }

  feed(text: string): AnswerEvent[] {
    for (let at = 0; at < text.length && !this.done; at += PIECE) {
      const piece = text.slice(at, at + PIECE);
      this.#text.add(piece);
      this.#options.words?.add(piece);
      this.#readAll(this.#parser.feed(piece));
    }
    return this.#delivery.take();
  }

  /** Takes reasoning that the upstream sends apart from the text. */
  reasoning(text: string): AnswerEvent[] {
    if (text === '' || this.done || this.#calls.over) return [];
    this.#think(text);
    return this.#delivery.take();
  }

  /** Takes a call that the upstream sends natively, although it was given no tools. */
  native(event: NativeCallEvent): AnswerEvent[] {
    this.#options.words?.lose();
    this.#calls.native(event);
    return this.#delivery.take();
  }

  /** Ends the attempt with the upstream's finish reason. The events are empty if the model is asked again. */
  finish(given: FinishReason): { outcome: AttemptOutcome; events: AnswerEvent[] } {
    if (!this.done) this.#readAll(this.#parser.finish({ cut: given === 'length' }));
    const reason = this.#calls.over ? 'stop' : given;
    this.#calls.endNative(reason);
    this.#text.flushStops();
    this.#endStructured(reason);
    const wasCut = this.#calls.wasCut(reason);
    if (!wasCut) this.#findMissing(reason);
    const reask = this.#delivery.mayReask && this.problems.some((one) => this.#mayHelp(one)) && !wasCut;
    if (!reask) this.#delivery.letGo();
    return {
      outcome: { problems: this.problems, reask, finish: this.#calls.finishOf(reason, this.#text.stop) },
      events: reask ? [] : this.#delivery.take(),
    };
  }

  #endStructured(reason: FinishReason): void {
    const { structured } = this.#options;
    const stopped = this.#text.stop !== undefined;
    const right = structured && endAnswer(structured, { calls: this.#calls, reason, stopped }, this);
    // What looked like the start of a call was that of the JSON.
    if (right) this.#text.leftOpener = undefined;
  }

  /** Adds the problem that only the end of the answer shows: that no call came. */
  #findMissing(reason: FinishReason): void {
    const { leftOpener } = this.#text;
    if (this.#calls.delivered > 0 || this.problems.length > 0) return;
    if (leftOpener) {
      const isStripped = leftOpener.code === 'stripped-markers';
      this.#calls.addProblem(isStripped ? 'stripped' : 'unreadable', [leftOpener]);
      if (leftOpener.code === 'foreign-format') return;
    } else if (this.#required && reason !== 'length') {
      const message = 'The model wrote no call where one was required.';
      this.#calls.addProblem('no-call', [{ code: 'missing-call', range: [0, 0], message }]);
    } else return;
    this.issues.push(...(this.problems.at(-1)?.issues ?? []));
  }

  /** Whether the problem may be gone if the upstream is asked once more. */
  #mayHelp({ kind }: AttemptProblem): boolean {
    return kind !== 'stripped' || this.#options.stripped?.mayAsk === true;
  }

  // --- events of the parser ------------------------------------------------------------------------------

  #readAll(events: ParseEvent[]): void {
    for (const event of events) {
      if (this.done) return;
      if (this.#calls.over) {
        this.#options.words?.lose();
        this.#readOn(event);
      } else {
        this.#note(event);
        this.#read(event);
      }
    }
  }

  /** Reads behind the only call that is allowed: what is left over there shows that one of its values was cut. */
  #readOn(event: ParseEvent): void {
    this.#text.settle(event);
    if (event.type !== 'text-delta' && event.type !== 'markup') return;
    const cut = issuesOf(event, 'ambiguous-value');
    this.issues.push(...cut);
    if (cut.length > 0) this.#calls.addProblem('unreadable', cut);
    if (cut.length > 0 || issuesOf(event, 'forged-result').length > 0) this.#text.end(event.range[1]);
  }

  #note(event: ParseEvent): void {
    this.#options.onParse?.(event);
    this.#options.words?.pass(event);
    if (event.issues) this.issues.push(...event.issues);
    for (const repair of event.repairs ?? []) addRepair(this.repairs, repair);
  }

  #read(event: ParseEvent): void {
    if (this.#isForged(event)) return;
    if (event.type === 'text-delta') {
      if (event.aside) this.#setAside(event);
      else this.#readText(event);
    } else if (event.type === 'reasoning-delta') {
      this.#text.settle(event);
      this.#think(event.text);
    } else if (event.type === 'call-start') this.#calls.start(event);
    else if (event.type === 'call-delta') this.#calls.delta(event);
    else if (event.type === 'call-end') this.#calls.end(event);
    else if (event.type === 'call-error') this.#calls.fail(event);
    else {
      this.#findUnreadable(event);
      this.#text.readMarkup(event);
    }
  }

  /** Ends the attempt at a tool result that the model invented; without a call before it, that is a problem. */
  #isForged(event: ParseEvent): boolean {
    const forged = issuesOf(event, 'forged-result');
    if (forged.length === 0) return false;
    const noCall = this.#calls.delivered === 0;
    if (noCall && !this.#delivery.mayReask) return false;
    if (noCall) this.#calls.addProblem('forged', forged);
    this.#text.end(event.range[1]);
    return true;
  }

  #setAside(event: ParseEvent & { text: string }): void {
    this.#text.settle(event);
    if (this.aside.length < ASIDE) this.aside += event.text.slice(0, ASIDE - this.aside.length);
  }

  #readText(event: ParseEvent & { text: string }): void {
    this.#findUnreadable(event);
    this.#text.read(event);
  }

  #think(text: string): void {
    this.#text.flushStops();
    this.#delivery.emit({ type: 'reasoning-delta', text });
  }

  /** Adds a problem for issues that show an unreadable call, unless a fenced block shows it as an example. */
  #findUnreadable(event: ParseEvent): void {
    if (this.#text.fenced) return;
    const [foreign] = issuesOf(event, 'foreign-format');
    if (foreign) this.#text.leftOpener ??= foreign;
    const issues = unreadableIssues(event);
    if (issues.length > 0) this.#calls.addProblem('unreadable', issues);
  }
}
