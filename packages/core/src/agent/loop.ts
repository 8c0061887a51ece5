// The loop: ask, read the calls, run the tools, send the results back, ask again, until the model is done.

import { addUsage } from '../bridge/upstream/usage-count.js';
import {
  ApiError,
  ExactNumber,
  type ExactValue,
  exactEntries,
  type Message,
  type ModelRequest,
  parseExact,
  stringifyJson,
  type ToolCall,
  type ToolResult,
  type Usage,
} from '../model/index.js';
import type { AgentEndReason, AgentEvent, AgentResult } from './events.js';
import type { Plan } from './options.js';
import { type ReadCall, TurnReader } from './read-turn.js';
import * as refusals from './refusals.js';
import { type Job, runCalls, toResult } from './run-calls.js';
import { itemsUntilAborted } from './stop.js';

const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 };

export class Loop {
  readonly messages: Message[];
  private reason: AgentEndReason | undefined;
  private error: unknown;
  private turn = new TurnReader();
  private usage: Usage | undefined;
  private steps = 0;
  private calls = 0;
  private readonly repeats = new Repeats();
  /** The number of steps in a row that only repeated earlier calls. */
  private stuck = 0;
  /** The calls in the messages that have no results yet. */
  private unanswered: ToolCall[] = [];
  private readonly results = new Map<ToolCall, ToolResult>();

  constructor(
    private readonly plan: Plan,
    private readonly signal: AbortSignal,
  ) {
    this.messages = [...plan.conversation.messages];
  }

  async *events(): AsyncGenerator<AgentEvent, void> {
    try {
      while (this.reason === undefined) yield* this.step();
    } catch (error) {
      this.reason = 'error';
      this.error = error;
    }
    yield { type: 'agent-end', ...this.close() };
    if (this.reason === 'error') throw this.error;
  }

  get isOver(): boolean {
    return this.reason !== undefined;
  }

  /** The result of a run that has ended, or whose consumer has left. */
  close(): AgentResult {
    this.reason ??= 'aborted';
    this.deliver();
    return {
      reason: this.reason,
      messages: [...this.messages],
      text: this.turn.written,
      steps: this.steps,
      calls: Math.min(this.calls, this.plan.limits.maxCalls),
      ...(this.usage && { usage: this.usage }),
      ...(this.reason === 'error' && { error: this.error }),
    };
  }

  private async *step(): AsyncGenerator<AgentEvent, void> {
    if (this.signal.aborted) {
      this.reason = 'aborted';
      return;
    }
    const step = ++this.steps;
    this.turn = new TurnReader();
    yield { type: 'step-start', step };
    yield* this.ask(this.turn);
    const { message, finish, usage } = this.turn;
    this.take();
    yield* this.answer(this.turn);
    const results = this.deliver();
    if (finish === undefined || this.reason === 'aborted') return;
    yield { type: 'step-end', step, finish, message, results, ...(usage && { usage }) };
  }

  /** Passes the model's events on. Ends without a `finish` only if the run was aborted. */
  private async *ask(turn: TurnReader): AsyncGenerator<AgentEvent, void> {
    const { signal } = this;
    try {
      for await (const event of itemsUntilAborted(this.plan.ask(this.request(), { signal }), signal)) {
        if (event.type === 'error') throw event.error;
        const complete = turn.read(event);
        yield event;
        if (complete) yield { type: 'call-ready', call: complete.call };
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      if (turn.usage) this.usage = addUsage(this.usage ?? NO_USAGE, turn.usage);
    }
    if (turn.finish === undefined && !signal.aborted) {
      throw new ApiError('upstream-broken', 'The model stopped without saying that its answer was complete.');
    }
  }

  private request(): ModelRequest {
    const { conversation, name, settings } = this.plan;
    const holds = this.steps === 1 || conversation.toolChoice === 'none';
    const toolChoice = holds ? conversation.toolChoice : 'auto';
    return {
      model: name,
      conversation: { ...conversation, messages: [...this.messages], toolChoice },
      settings,
      stream: true,
      delivery: this.plan.delivery,
      includeUsage: true,
    };
  }

  /** Appends the turn as a message. An aborted turn that holds nothing but reasoning is left out. */
  private take(): void {
    const { message, finish, calls } = this.turn;
    const says = message.parts.some(({ type }) => type !== 'reasoning' || finish !== undefined);
    if (!says) return;
    this.messages.push(message);
    this.unanswered = calls.map(({ call }) => call);
  }

  /** Appends the results as a message, in the order of the calls. */
  private deliver(): ToolResult[] {
    const parts = this.unanswered.map(
      (call) => this.results.get(call) ?? toResult(call, refusals.leftBehind, true),
    );
    if (parts.length > 0) this.messages.push({ role: 'tool', parts });
    this.unanswered = [];
    this.results.clear();
    return parts;
  }

  /** Gives each call its result. Returns whether the run continues. */
  private async *answer(turn: TurnReader): AsyncGenerator<AgentEvent, void> {
    const { calls, finish } = turn;
    if (finish === undefined) yield* this.end('aborted', refusals.stopped);
    else if (finish === 'length' || turn.isCut) yield* this.end('length', refusals.cutOff);
    else if (finish === 'content-filter') yield* this.end('content-filter', refusals.withheld);
    else if (calls.length === 0) this.reason = 'done';
    else yield* this.runAll(calls);
  }

  /** No call of this turn is run. */
  private async *end(reason: AgentEndReason, refusal: string): AsyncGenerator<AgentEvent, void> {
    this.reason = reason;
    for (const { call } of this.turn.calls) {
      const result = toResult(call, refusal, true);
      this.results.set(call, result);
      yield { type: 'tool-end', call, result, ran: false };
    }
  }

  private async *runAll(calls: readonly ReadCall[]): AsyncGenerator<AgentEvent, void> {
    const { maxCalls, maxSteps, repeats } = this.plan.limits;
    const jobs = this.jobsOf(calls);
    for await (const event of runCalls(jobs, this.plan, this.signal)) {
      if (event.type === 'tool-end') this.results.set(event.call, event.result);
      yield event;
    }
    if (this.signal.aborted) this.reason = 'aborted';
    else if (this.calls > maxCalls) this.reason = 'max-calls';
    else if (this.stuck >= repeats) this.reason = 'repeats';
    else if (this.steps >= maxSteps) this.reason = 'max-steps';
  }

  private jobsOf(calls: readonly ReadCall[]): Job[] {
    this.repeats.nextStep();
    let isStuck = true;
    const jobs = calls.map((read) => {
      const allowed = this.plan.tools.get(read.call.name)?.repeats ?? this.plan.limits.repeats;
      const again = this.repeats.count(read) > allowed;
      isStuck &&= again;
      return this.jobOf(read, again ? allowed : undefined);
    });
    this.stuck = isStuck ? this.stuck + 1 : 0;
    return jobs;
  }

  private jobOf(read: ReadCall, repeated: number | undefined): Job {
    const { tools, limits, conversation } = this.plan;
    const tool = tools.get(read.call.name);
    const refuse = (refusal: string): Job => ({ read, refusal });
    if (conversation.toolChoice === 'none') return refuse(refusals.noneAllowed);
    if (tool === undefined) return refuse(refusals.unknownTool(read.call.name, [...tools.keys()]));
    if (read.fault !== undefined) return refuse(refusals.unreadable(read.fault, read.raw));
    if (repeated !== undefined) return refuse(refusals.repeated(repeated));
    this.calls++;
    return this.calls > limits.maxCalls ? refuse(refusals.tooMany(limits.maxCalls)) : { read, tool };
  }
}

/** Counts how often the same call was made in a row. A model that is stuck repeats it. */
class Repeats {
  private before = new Map<string, number>();
  private now = new Map<string, number>();

  /** Begins a step: calls of the last step continue their row, all others are forgotten. */
  nextStep(): void {
    this.before = this.now;
    this.now = new Map();
  }

  /** Counts the call: 1 for one that is new, more for one that the last step or this one has made before. */
  count(call: ReadCall): number {
    const key = keyOf(call);
    const count = (this.now.get(key) ?? this.before.get(key) ?? 0) + 1;
    this.now.set(key, count);
    return count;
  }
}

/** The name and the input with its keys in order. Digits count as they were written: ids may be long. */
function keyOf({ call, raw, fault }: ReadCall): string {
  if (fault !== undefined) return `${call.name}\n${raw}`;
  return `${call.name}\n${stringifyJson(sorted(parseExact(call.raw ?? '{}')), 'compact')}`;
}

function sorted(value: ExactValue): ExactValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  const members = exactEntries(value).map(([key, member]) => [key, sorted(member)] as const);
  return new Map(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}
