// The tool calls of one attempt: those that go to the client as calls, and what is wrong with the others. A call is
// delivered while it is written (it is live), or judged when it is complete. Calls come from the parser of the text, and
// natively: then each has a parser of its own, and several may be written at the same time.

import { DEFAULT_LIMITS, type SharingOptions } from '../../engine/parser-options.js';
import type {
  AnswerEvent,
  CallEnd,
  CallError,
  FinishReason,
  Issue,
  ParseEvent,
  Tool,
  ToolCall,
  ToolChoice,
} from '../../model/index.js';
import { ApiError } from '../../model/index.js';
import { withoutDuplicates } from '../../wire/call-arguments.js';
import { ArgumentCount } from '../upstream/portions.js';
import type { Delivery } from './delivery.js';
import { NativeCall } from './native-call.js';
import { withNearKeys } from './near-keys.js';
import { type AttemptProblem, isCut, issuesOf, isWanted, problemOf } from './problem.js';

export interface AttemptCallsOptions {
  tools: ReadonlyMap<string, Tool>;
  toolChoice: ToolChoice;
  parallelCalls: boolean;
  /** Calls are delivered when they are complete. */
  holdCalls: boolean;
  refuseEchoes: boolean;
  /** Members that are nearly named as the schema names them are renamed. Calls are then delivered when they are complete. */
  nearKeys?: boolean | undefined;
  /** A call of a tool that was not declared becomes text in the end. Default: it stays a call, with its issue. */
  unknownAsText?: boolean;
  /** Values are raw text: only what follows a call in the text shows that none of them was cut. */
  rawValues?: boolean;
  /** Gives the id by which the client knows a call of the parser's. */
  outwardId(id: string): string;
  /** The options of the parsers, of text and of native calls. */
  parser: SharingOptions;
}

/** The text around the calls. */
export interface CallText {
  /** An opener that opened no call: forgotten when a call follows. */
  leftOpener: Issue | undefined;
  /** Nothing more is read. */
  readonly ended: boolean;
  /** Delivers text as it is. */
  say(text: string): void;
  /** Delivers text that was held back, before a call. */
  flush(): void;
  end(at?: number): void;
  settle(event: ParseEvent): void;
  sourceOf(event: ParseEvent): string;
  /** Takes the source of a call that cannot be one for text, if it is the JSON that was asked for. */
  answers?(source: string): boolean;
}

/** A call between its start and its end. */
interface StartedCall {
  id: string;
  /** Its start was delivered, and its arguments follow as they are written. */
  live: boolean;
}

/** Where a call is read from: the attempt's text, or a native call. */
type CallSource = 'text' | NativeCall;

export interface AttemptFinish {
  reason: FinishReason;
  stopSequence?: string;
}

export type NativeCallEvent = AnswerEvent & { type: 'call-start' | 'call-delta' | 'call-end' };

export class AttemptCalls {
  /** Complete calls, right or wrong. */
  readonly complete: ToolCall[] = [];
  readonly problems: AttemptProblem[] = [];
  /** Calls that were delivered as calls. */
  delivered = 0;
  /** The text ended inside a call. */
  cut = false;
  /** A call is complete that the rest of the text may show to be cut: it is not delivered before the end. */
  mayBeCut = false;
  /** The only call that is allowed came. What follows is read for what it shows of that call, and not delivered. */
  over = false;
  /** A live call turned out unreadable, or all calls are too much together: the answer ends with this error. */
  failure: ApiError | undefined;
  readonly #started = new Map<CallSource, StartedCall>();
  /** Native calls between their start and their end, by the upstream's id. */
  readonly #native = new Map<string, NativeCall>();
  #natives = 0;
  /** Of all calls: each is within the limits of the parser. */
  readonly #arguments: ArgumentCount;

  constructor(
    readonly options: AttemptCallsOptions,
    readonly text: CallText,
    readonly delivery: Delivery,
    /** Lists the issues and repairs of an event of a native call. */
    readonly note: (event: ParseEvent) => void,
    readonly issues: Issue[],
  ) {
    this.#arguments = new ArgumentCount(options.parser.limits);
  }

  addProblem(kind: AttemptProblem['kind'], issues: Issue[]): void {
    this.problems.push({ kind, issues });
  }

  // --- calls in the text ---------------------------------------------------------------------------------

  start({ id, name }: { id: string; name: string }, source: CallSource = 'text'): void {
    const { tools, toolChoice, holdCalls, outwardId } = this.options;
    const tool = tools.get(name);
    // What the model wrote as a call of no declared tool may be the JSON that was asked for.
    if (tool || source !== 'text') this.text.flush();
    // A real call follows, so what looked like one was only mentioned.
    if (tool) this.text.leftOpener = undefined;
    const live =
      tool !== undefined &&
      isWanted(name, toolChoice) &&
      !holdCalls &&
      !this.options.nearKeys &&
      !this.delivery.waits &&
      tool.extra?.strict !== true;
    const started = { id: outwardId(id), live };
    this.#started.set(source, started);
    if (live) this.delivery.emit({ type: 'call-start', id: started.id, name, ...this.#kind(name) });
  }

  delta(event: ParseEvent & { text: string }, source: CallSource = 'text'): void {
    const started = this.#started.get(source);
    if (!started?.live) return;
    this.#settle(event, source);
    if (event.text !== '') this.delivery.emit({ type: 'call-delta', id: started.id, text: event.text });
  }

  end(read: CallEnd, source: CallSource = 'text'): void {
    const started = this.#take(source);
    if (!started) return;
    if (this.#isAnswer(read, source)) return;
    const tooMuch = this.#arguments.add({ type: 'call-delta', id: started.id, text: read.raw });
    if (tooMuch) {
      this.failure = tooMuch;
      this.text.end(source === 'text' ? read.range[1] : undefined);
      return;
    }
    const event = started.live ? read : this.#withNearKeys(read);
    const { name, input, raw } = event;
    this.complete.push({ type: 'tool-call', id: started.id, name, input, raw, ...this.#kind(name) });
    if (started.live) {
      this.delivery.emit({ type: 'call-end', id: started.id });
      this.delivered++;
    } else {
      this.mayBeCut ||= source === 'text' && this.options.rawValues === true;
      this.judge(event, started.id, () => this.#sourceOf(event, source));
    }
    this.#settle(event, source);
    this.#endAfterCall(event, source);
  }

  /** Whether what was read as a call of no declared tool is the JSON that was asked for. */
  #isAnswer(event: CallEnd | CallError, source: CallSource): boolean {
    if (source !== 'text' || this.options.tools.has(event.name ?? '')) return false;
    if (!this.text.answers?.(this.text.sourceOf(event))) return false;
    for (const issue of event.issues ?? []) this.issues.splice(this.issues.indexOf(issue), 1);
    this.#settle(event, source);
    return true;
  }

  #kind(name: string): { freeform?: boolean } {
    return this.options.tools.get(name)?.freeform ? { freeform: true } : {};
  }

  #withNearKeys(event: CallEnd): CallEnd {
    const tool = this.options.nearKeys && event.issues ? this.options.tools.get(event.name) : undefined;
    const mended = tool && withNearKeys(event, tool, this.options.parser.checks);
    if (!mended) return event;
    this.note({ type: 'markup', range: event.range, repairs: mended.repairs?.slice(-1) ?? [] });
    for (const issue of event.issues ?? [])
      if (issue.code === 'schema-mismatch') this.issues.splice(this.issues.indexOf(issue), 1);
    return mended;
  }

  fail(event: CallError, source: CallSource = 'text'): void {
    const started = this.#take(source);
    const cut = isCut(event.issues);
    if (cut) this.cut = true;
    if (started?.live && !cut) {
      this.failure = unreadableCall(event.issues);
      this.text.end(source === 'text' ? event.range[1] : undefined);
    }
    if (started?.live || (!cut && this.#isAnswer(event, source))) return;
    this.text.flush();
    this.addProblem('unreadable', event.issues);
    if (cut || source !== 'text') this.#keepInIssue(event, source);
    if (!cut) this.text.say(this.#sourceOf(event, source));
    this.#settle(event, source);
  }

  #take(source: CallSource): StartedCall | undefined {
    const started = this.#started.get(source);
    this.#started.delete(source);
    return started;
  }

  #settle(event: ParseEvent, source: CallSource): void {
    if (source === 'text') this.text.settle(event);
  }

  #sourceOf(event: ParseEvent, source: CallSource): string {
    return source === 'text' ? this.text.sourceOf(event) : source.asText();
  }

  /** The source of a call that was cut off would leak markup as text, and a native one is in no text: the issue has it. */
  #keepInIssue(event: CallError, source: CallSource): void {
    const [issue] = event.issues;
    if (issue) issue.raw ??= this.#sourceOf(event, source);
  }

  // --- native calls --------------------------------------------------------------------------------------

  native(event: NativeCallEvent): void {
    if (this.text.ended || this.over) return;
    if (event.type === 'call-start') {
      const call = new NativeCall(event.name, event.id, this.options.parser);
      if (this.#isOneTooMany(call)) return;
      this.#native.set(event.id, call);
      this.#readNative(call, call.feed(''));
      return;
    }
    const call = this.#native.get(event.id);
    if (!call) return;
    if (event.type === 'call-delta') this.#readNative(call, call.feed(event.text));
    else this.#endNative(event.id, call);
  }

  /** Every native call has a parser of its own, so their number is limited here. */
  #isOneTooMany({ name }: NativeCall): boolean {
    const most = this.options.parser.limits?.calls ?? DEFAULT_LIMITS.calls;
    this.#natives++;
    if (this.#natives !== most + 1) return this.#natives > most;
    const issue: Issue = {
      code: 'too-many-calls',
      range: [0, 0],
      message: `More than ${most} calls in one answer: ${name} and those after it are not delivered.`,
    };
    this.issues.push(issue);
    this.addProblem('unreadable', [issue]);
    return true;
  }

  /**
   * Ends the native calls that have no end. Of an answer that was cut, they are cut, too. Else the upstream took their
   * arguments for no JSON: the parser may read them all the same.
   */
  endNative(reason: FinishReason): void {
    const wasCut = reason === 'length' || reason === 'content-filter';
    for (const [id, call] of this.#native) {
      if (this.text.ended) return;
      if (wasCut) this.#readNative(call, [call.cut()]);
      else this.#endNative(id, call);
    }
    this.#native.clear();
  }

  #endNative(id: string, call: NativeCall): void {
    this.#native.delete(id);
    if (this.options.tools.size > 0) {
      this.#readNative(call, call.finish());
      return;
    }
    const message = `No tools were offered, and the model called ${JSON.stringify(call.name)}.`;
    this.issues.push({ code: 'unknown-tool', range: [0, 0], message });
    this.text.say(call.asText());
  }

  #readNative(call: NativeCall, events: ParseEvent[]): void {
    for (const event of events) {
      this.note(event);
      if (event.type === 'call-start') this.start(event, call);
      else if (event.type === 'call-delta') this.delta(event, call);
      else if (event.type === 'call-end') this.end(event, call);
      else if (event.type === 'call-error') this.fail(event, call);
    }
  }

  // --- both ----------------------------------------------------------------------------------------------

  /** Delivers a complete call, or its source as text if the client must not get it as a call. */
  judge(event: CallEnd, id: string, source: () => string): void {
    const problem = problemOf(event, id, this.options);
    if (problem) {
      this.problems.push(problem);
      if (problem.kind === 'other-tool') this.issues.push(...problem.issues);
    }
    this.text.flush();
    if (problem && this.#isTextInTheEnd(problem, event)) {
      this.text.say(source());
      return;
    }
    this.delivered++;
    this.delivery.emit({ type: 'call-start', id, name: event.name, ...this.#kind(event.name) });
    // What is delivered whole has each key once: another reader could take the value that was not checked.
    const isDoubled = issuesOf(event, 'duplicate-key').length > 0;
    const text = isDoubled ? withoutDuplicates(event.raw, event.input) : event.raw;
    this.delivery.emit({ type: 'call-delta', id, text });
    this.delivery.emit({ type: 'call-end', id });
  }

  /** Whether the client must get this wrong call as text, once reasks did not help. */
  #isTextInTheEnd({ kind }: AttemptProblem, event: CallEnd): boolean {
    if (kind === 'unknown-tool') return this.options.unknownAsText ?? false;
    if (kind === 'echo' || kind === 'other-tool') return true;
    const isStrict = this.options.tools.get(event.name)?.extra?.strict === true;
    return isStrict && issuesOf(event, 'schema-mismatch').length > 0;
  }

  /** Whether the answer ended because of a limit or a filter: asking again would not help. */
  wasCut(reason: FinishReason): boolean {
    return (this.cut && reason === 'length') || reason === 'content-filter';
  }

  /** Gives the finish of an answer. One that was filtered or cut must not look complete. */
  finishOf(reason: FinishReason, stopSequence?: string): AttemptFinish {
    if (reason === 'content-filter') return { reason };
    if (this.cut || reason === 'length') return { reason: 'length' };
    if (this.delivered > 0) return { reason: 'tool-calls' };
    return { reason: 'stop', ...(stopSequence !== undefined && { stopSequence }) };
  }

  /** Ends the attempt where only one call is allowed. */
  #endAfterCall({ range }: CallEnd, source: CallSource): void {
    if (this.options.parallelCalls || this.delivered === 0) return;
    if (source !== 'text') this.text.end();
    else if (this.options.rawValues) this.over = true;
    else this.text.end(range[1]);
  }
}

function unreadableCall(issues: Issue[]): ApiError {
  const reason = issues.map(({ message }) => message).join(' ');
  return new ApiError(
    'unreadable-call',
    `The model wrote a call that could not be read to its end. ${reason}`,
  );
}
