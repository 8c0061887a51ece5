// The tool calls of one attempt: those that go to the client as calls, and what is wrong with the others. A call is
// delivered while it is written (it is live), or judged when it is complete. A call that the upstream sends natively,
// although it was given no tools, is judged like one that the model wrote.

import {
  type AnswerEvent,
  ApiError,
  type CallEnd,
  type CallError,
  type Issue,
  type IssueCode,
  type JsonObject,
  type ParseEvent,
  type Range,
  type Tool,
  type ToolCall,
  type ToolChoice,
} from '../../model/index.js';
import type { AttemptText } from './attempt-text.js';
import type { Delivery } from './delivery.js';
import { type AttemptProblem, isCut, isTextInTheEnd, isWanted, problemOf } from './problem.js';
import { inputOf, validateInput } from './validate-input.js';

export interface AttemptCallsOptions {
  tools: ReadonlyMap<string, Tool>;
  toolChoice: ToolChoice;
  parallelCalls: boolean;
  /** Calls are delivered when they are complete. */
  holdCalls: boolean;
  refuseEchoes: boolean;
  /** Gives the id by which the client knows a call of the parser's. */
  outwardId(id: string): string;
}

/** A call between its start and its end. */
interface StartedCall {
  id: string;
  name: string;
  /** Its start was delivered, and its arguments follow as they are written. */
  live: boolean;
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
  /** A live call turned out unreadable: the answer ends with this error. */
  failure: ApiError | undefined;
  #started: StartedCall | undefined;
  /** Native calls between their start and their end. */
  readonly #native = new Map<string, { name: string; raw: string }>();

  constructor(
    readonly options: AttemptCallsOptions,
    readonly text: AttemptText,
    readonly delivery: Delivery,
    readonly issues: Issue[],
  ) {}

  addProblem(kind: AttemptProblem['kind'], issues: Issue[]): void {
    this.problems.push({ kind, issues });
  }

  // --- calls that the parser reads -----------------------------------------------------------------------

  start({ id, name }: { id: string; name: string }): void {
    this.text.flush();
    const { tools, toolChoice, holdCalls, outwardId } = this.options;
    const tool = tools.get(name);
    // A real call follows, so what looked like one was only mentioned.
    if (tool) this.text.leftOpener = undefined;
    const live =
      tool !== undefined &&
      isWanted(name, toolChoice) &&
      !holdCalls &&
      !this.delivery.waits &&
      tool.extra?.strict !== true;
    this.#started = { id: outwardId(id), name, live };
    if (live) this.delivery.emit({ type: 'call-start', id: this.#started.id, name });
  }

  delta(event: ParseEvent & { text: string }): void {
    if (!this.#started?.live) return;
    this.text.settle(event);
    if (event.text !== '') this.delivery.emit({ type: 'call-delta', id: this.#started.id, text: event.text });
  }

  end(event: CallEnd): void {
    const started = this.#started;
    this.#started = undefined;
    if (!started) return;
    const { name, input, raw } = event;
    this.complete.push({ type: 'tool-call', id: started.id, name, input, raw });
    if (started.live) {
      this.delivery.emit({ type: 'call-end', id: started.id });
      this.delivered++;
    } else this.#judge(event, started.id, () => this.text.sourceOf(event));
    this.text.settle(event);
    this.#endAfterCall(event.range[1]);
  }

  fail(event: CallError): void {
    const started = this.#started;
    this.#started = undefined;
    const cut = isCut(event.issues);
    if (cut) this.cut = true;
    if (started?.live && !cut) {
      this.failure = unreadableCall(event.issues);
      this.text.end(event.range[1]);
    }
    if (started?.live) return;
    this.text.flush();
    this.addProblem('unreadable', event.issues);
    if (cut) this.#keepInIssue(event);
    else this.text.say(this.text.sourceOf(event));
    this.text.settle(event);
  }

  /** The source of a call that was cut off would leak markup as text, so the issue carries it. */
  #keepInIssue(event: CallError): void {
    const [issue] = event.issues;
    if (issue) issue.raw ??= this.text.sourceOf(event);
  }

  // --- native calls --------------------------------------------------------------------------------------

  native(event: NativeCallEvent): void {
    if (event.type === 'call-start') {
      this.text.flush();
      this.#native.set(event.id, { name: event.name, raw: '' });
      return;
    }
    const call = this.#native.get(event.id);
    if (!call || this.text.ended) return;
    if (event.type === 'call-delta') call.raw += event.text;
    else this.#judgeNative(event.id, call);
  }

  #judgeNative(nativeId: string, { name, raw }: { name: string; raw: string }): void {
    this.#native.delete(nativeId);
    const { tools } = this.options;
    const id = this.options.outwardId(nativeId);
    const event = nativeCall(id, name, raw === '' ? '{}' : raw, tools.get(name));
    this.issues.push(...(event.issues ?? []));
    const asText = () => `${name}(${raw})`;
    if (event.type === 'call-error' || tools.size === 0) {
      if (tools.size > 0) this.addProblem('unreadable', event.issues ?? []);
      this.text.say(asText());
      return;
    }
    this.complete.push({ type: 'tool-call', id, name, input: event.input, raw: event.raw });
    this.#judge(event, id, asText);
    this.#endAfterCall();
  }

  // --- both ----------------------------------------------------------------------------------------------

  /** Delivers a complete call, or its source as text if the client must not get it as a call. */
  #judge(event: CallEnd, id: string, source: () => string): void {
    const problem = problemOf(event, id, this.options);
    if (problem) {
      this.problems.push(problem);
      if (problem.kind === 'other-tool') this.issues.push(...problem.issues);
    }
    if (problem && isTextInTheEnd(problem, this.options.tools.get(event.name))) {
      this.text.say(source());
      return;
    }
    this.delivered++;
    this.delivery.emit({ type: 'call-start', id, name: event.name });
    this.delivery.emit({ type: 'call-delta', id, text: event.raw });
    this.delivery.emit({ type: 'call-end', id });
  }

  /** Ends the attempt where only one call is allowed. */
  #endAfterCall(at?: number): void {
    if (!this.options.parallelCalls && this.delivered > 0) this.text.end(at);
  }
}

function unreadableCall(issues: Issue[]): ApiError {
  const reason = issues.map(({ message }) => message).join(' ');
  return new ApiError(
    'unreadable-call',
    `The model wrote a call that could not be read to its end. ${reason}`,
  );
}

/** A native call has no position in the text. */
const NOWHERE: Range = [0, 0];

/** Gives a native call the form in which a parser would report it. */
function nativeCall(id: string, name: string, raw: string, tool: Tool | undefined): CallEnd | CallError {
  const input = inputOf(raw);
  if (!input) {
    const issues = [issueOf('unreadable-call', 'The arguments of a call are no JSON object.')];
    return { type: 'call-error', range: NOWHERE, id, name, issues };
  }
  return { type: 'call-end', range: NOWHERE, id, name, input, raw, issues: inputIssues(name, input, tool) };
}

function inputIssues(name: string, input: JsonObject, tool: Tool | undefined): Issue[] {
  if (!tool) return [issueOf('unknown-tool', `No tool named ${JSON.stringify(name)} was declared.`)];
  return validateInput(tool.parameters ?? true, input).map((message) => issueOf('schema-mismatch', message));
}

function issueOf(code: IssueCode, message: string): Issue {
  return { code, range: NOWHERE, message };
}
