// Runs the calls of one turn: approval, concurrency, and the results that go back to the model.

import { validateInput } from '../bridge/emulate/validate-input.js';
import {
  type JsonObject,
  type JsonValue,
  stringifyJson,
  type ToolCall,
  type ToolResult,
} from '../model/index.js';
import { describeError } from './describe-error.js';
import type { AgentEvent } from './events.js';
import type { Plan } from './options.js';
import type { ReadCall } from './read-turn.js';
import type { ReadyTool } from './ready-tools.js';
import * as refusals from './refusals.js';
import { runTool } from './run-tool.js';
import type { StandardIssue, StandardSchema } from './standard-schema.js';
import { orAborted, orTimeUp } from './stop.js';
import type { Output } from './to-output.js';
import type { Approve } from './tool.js';

/** A call with the tool that runs it, or with the refusal that answers it. */
export type Job = { read: ReadCall } & ({ tool: ReadyTool } | { refusal: string });

const MAX_WAITING = 1_000;

/** Gives one `tool-end` for each call, in the order in which they end. */
export async function* runCalls(
  jobs: readonly Job[],
  plan: Plan,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, void> {
  const turn = new CallRunner(jobs, plan, signal);
  const work = turn.run().finally(() => turn.events.close());
  // When the consumer leaves, the work is not awaited either.
  work.catch(() => {});
  yield* turn.events;
  await work;
}

class CallRunner {
  readonly events = new Channel<AgentEvent>();
  private readonly ended = new Set<Job>();
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly jobs: readonly Job[],
    private readonly plan: Plan,
    private readonly signal: AbortSignal,
  ) {}

  async run(): Promise<void> {
    for (const job of this.jobs) await this.begin(job);
    await Promise.all(this.running);
  }

  /** Resolves when the next call may be started. */
  private async begin(job: Job): Promise<void> {
    if ('refusal' in job) return this.refuse(job, job.refusal);
    const { tool } = job;
    const ready = await this.prepare(job.read.call, tool);
    if ('refusal' in ready && !this.signal.aborted) return this.refuse(job, ready.refusal);
    const alone = !this.plan.parallel || !tool.parallel;
    await this.room(alone ? 1 : this.plan.limits.concurrency);
    if (this.signal.aborted || 'refusal' in ready) return this.refuse(job, refusals.stopped);
    const work = this.start(job, tool, ready.value).finally(() => this.running.delete(work));
    this.running.add(work);
    if (alone) await work;
  }

  /** Waits until fewer than this many tools run. */
  private async room(places: number): Promise<void> {
    while (this.running.size >= places) await Promise.race(this.running);
  }

  /** Validates the input before asking for approval: nobody should have to judge a call that cannot run. */
  private async prepare(call: ToolCall, tool: ReadyTool): Promise<{ value: unknown } | { refusal: string }> {
    try {
      const checked = await this.within(checkInput(tool, call.input), tool);
      if (checked === undefined) return { refusal: refusals.slowCheck };
      if ('problems' in checked) return { refusal: refusals.wrongInput(call.name, checked.problems) };
      const refusal = await this.refusalOfApproval(call, tool);
      return refusal === undefined ? checked : { refusal };
    } catch (error) {
      return { refusal: refusals.brokenCheck(describeError(error)) };
    }
  }

  private async within<T>(promise: Promise<T>, tool: ReadyTool): Promise<T | undefined> {
    return orAborted(orTimeUp(promise, tool.timeout ?? this.plan.limits.toolTimeout), this.signal);
  }

  private async refusalOfApproval(call: ToolCall, tool: ReadyTool): Promise<string | undefined> {
    const { approve } = this.plan;
    for (const ask of [tool.approve, approve]) {
      const refusal = ask && (await this.ask(ask, call));
      if (refusal !== undefined) return refusal;
    }
    if (approve || !tool.needsApproval) return undefined;
    const needed = await orAborted(Promise.resolve(tool.needsApproval(call)), this.signal);
    return needed === false ? undefined : refusals.nobodyToAsk;
  }

  /** Only `true` lets a call run: any other answer of an approval is a refusal. */
  private async ask(approve: Approve, call: ToolCall): Promise<string | undefined> {
    try {
      const said = await orAborted(Promise.resolve(approve(call, { signal: this.signal })), this.signal);
      if (said === true) return undefined;
      return refusals.notApproved(typeof said === 'string' ? said : '');
    } catch (error) {
      return refusals.notApproved(describeError(error));
    }
  }

  private async start(job: Job, tool: ReadyTool, input: unknown): Promise<void> {
    const { call, raw } = job.read;
    const { toolTimeout, grace, resultLength } = this.plan.limits;
    this.events.push({ type: 'tool-start', call });
    const emit = (data: unknown): void => {
      if (!this.ended.has(job)) this.tell(call, data);
    };
    const told = { callId: call.id, name: call.name, raw, emit };
    const limits = { timeout: tool.timeout ?? toolTimeout, grace, resultLength };
    this.end(job, await runTool(tool, input, told, limits, this.signal), true);
  }

  private tell(call: ToolCall, data: unknown): void {
    if (this.events.size < MAX_WAITING) this.events.push({ type: 'tool-progress', call, data });
  }

  private refuse(job: Job, refusal: string): void {
    this.end(job, { output: refusal, isError: true }, false);
  }

  private end(job: Job, { output, isError }: Output, ran: boolean): void {
    const { call } = job.read;
    const result = toResult(call, cutOutput(output, this.plan.limits.resultLength), isError);
    this.ended.add(job);
    this.events.push({ type: 'tool-end', call, result, ran });
  }
}

export function toResult({ id, name }: ToolCall, output: JsonValue, isError: boolean): ToolResult {
  return { type: 'tool-result', callId: id, name, output, ...(isError && { isError }) };
}

/** Merges the events of tools that run in parallel into one sequence. */
class Channel<T> implements AsyncIterable<T> {
  private waiting: T[] = [];
  private closed = false;
  private wake: (() => void) | undefined;

  /** The number of items that wait for a consumer. */
  get size(): number {
    return this.waiting.length;
  }

  /** Items pushed after the end are dropped: an abandoned tool may still emit progress. */
  push(item: T): void {
    if (this.closed) return;
    this.waiting.push(item);
    this.wake?.();
  }

  close(): void {
    this.closed = true;
    this.wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for (;;) {
      const ready = this.waiting;
      this.waiting = [];
      yield* ready;
      if (this.waiting.length > 0) continue;
      if (this.closed) return;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }
}

const MAX_ISSUES = 5;
const MAX_MESSAGE = 300;

type CheckedInput = { value: unknown } | { problems: string[] };

/** Rejects if the code of the schema throws. */
async function checkInput(tool: ReadyTool, input: JsonObject): Promise<CheckedInput> {
  if (tool.schema) return standardCheck(tool.schema, input);
  const { parameters } = tool.definition;
  const problems = parameters === undefined ? [] : validateInput(parameters, input);
  return problems.length > 0 ? { problems } : { value: input };
}

async function standardCheck(schema: StandardSchema, input: JsonObject): Promise<CheckedInput> {
  const checked = await schema['~standard'].validate(input);
  if (!checked.issues) return { value: checked.value };
  return { problems: checked.issues.slice(0, MAX_ISSUES).map(wordsOf) };
}

function wordsOf({ path, message }: StandardIssue): string {
  const place = (path ?? []).map((step) => String(typeof step === 'object' ? step.key : step)).join('.');
  const words = message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message;
  return place === '' ? words : `${place}: ${words}`;
}

/**
 * Leaves out the middle of a long text, and says so: the beginning tells what it is, the end how it went. At most `limit`
 * characters, or as many as the note needs.
 */
export function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const kept = Math.max(0, limit - noteOf(text.length).length);
  const head = edge(text, Math.ceil(kept / 2), -1);
  const tail = edge(text, text.length - Math.floor(kept / 2), 1);
  return text.slice(0, head) + noteOf(tail - head) + text.slice(tail);
}

/** A value whose JSON is too long becomes text, cut. */
export function cutOutput(output: JsonValue, limit: number): JsonValue {
  const text = typeof output === 'string' ? output : stringifyJson(output, 'compact');
  return text.length <= limit ? output : cutMiddle(text, limit);
}

function noteOf(count: number): string {
  return `\n[${count} characters left out here: the result was too long]\n`;
}

/** Never between the halves of a surrogate pair, which then goes with the middle. */
function edge(text: string, at: number, outwards: 1 | -1): number {
  const code = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  const inPair = code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
  return inPair ? at + outwards : at;
}
