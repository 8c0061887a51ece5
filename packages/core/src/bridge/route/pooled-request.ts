// One request to a model with several endpoints: asks one, and another if it fails before anything was delivered. The
// client gets one answer or one error, never parts of two.

import {
  type AnswerEvent,
  ApiError,
  type Issue,
  type ModelRequest,
  type Move,
  type Report,
  type Usage,
} from '../../model/index.js';
import { type Batches, batchesOf } from '../upstream/batches.js';
import type { Ask, AskContext } from '../upstream/upstream.js';
import { addUsage } from '../upstream/usage-count.js';
import type { Balance } from './balance.js';
import { type HeldAnswer, holdStart } from './hold-start.js';
import { countFaults, lastingFault, toolFaults } from './tool-faults.js';

export interface AskedEndpoint {
  name: string;
  ask: Ask;
}

/** The longest reason of a move in a report, in characters. */
const LONGEST_REASON = 300;

/** An upstream's own refusals that another endpoint need not share: its key, its quota, its models. */
const otherMayAnswer = [401, 402, 403, 404];

export class PooledRequest {
  readonly #tried = new Set<number>();
  readonly #moves: Move[] = [];
  /** The usage of answers that were dropped. */
  #spent: Usage | undefined;
  /** An answer with a fault: the client gets it if no other endpoint answers. */
  #spare: { name: string; events: AnswerEvent[] } | undefined;
  readonly #hasTools: boolean;

  constructor(
    readonly request: ModelRequest,
    readonly context: AskContext,
    readonly endpoints: readonly AskedEndpoint[],
    readonly balance: Balance,
  ) {
    const { tools, toolChoice } = request.conversation;
    this.#hasTools = tools.length > 0 && toolChoice !== 'none';
  }

  async *answer(): AsyncGenerator<AnswerEvent[]> {
    for (;;) {
      const at = this.balance.pick(this.#tried);
      const endpoint = at === undefined ? undefined : this.endpoints[at];
      if (at === undefined || !endpoint) throw new ApiError('overloaded', 'No endpoint of this model is up.');
      this.#tried.add(at);
      const call = new EndpointAnswer(at, endpoint, this);
      try {
        const held = await call.begin(this.#spare === undefined && this.balance.hasOther(this.#tried));
        const move = this.#moveAfter(call, held);
        if (move && this.balance.hasOther(this.#tried)) {
          this.#leave(call, held, move);
          continue;
        }
        if (held.error !== undefined) {
          if (!this.#spare || this.context.signal.aborted) throw held.error;
          this.#moves.push(move ?? { from: call.name, reason: shortened(String(held.error)) });
          yield this.#spareAnswer(this.#spare);
          return;
        }
        yield held.events.map((event) => this.#shown(endpoint.name, event));
        if (!held.over) yield* this.#rest(call);
        return;
      } finally {
        call.end();
      }
    }
  }

  /** Whether the error is that of this server, which has no room for the answer. */
  isOurs(error: unknown): boolean {
    return error !== undefined && error === this.context.held?.refused;
  }

  get hasTools(): boolean {
    return this.#hasTools;
  }

  tell(name: string): void {
    const moved = this.#moves.at(-1);
    this.context.onEvent?.({ type: 'endpoint', name, ...(moved && { moved }) });
  }

  // --- moving ----------------------------------------------------------------------------------------------

  /** Gives the reason to ask another endpoint; undefined if the answer is the client's. */
  #moveAfter({ name }: EndpointAnswer, { events, over, error }: HeldAnswer): Move | undefined {
    if (error !== undefined) {
      return !this.context.signal.aborted && !this.isOurs(error) && mayMoveAfter(error)
        ? { from: name, reason: shortened(error.message) }
        : undefined;
    }
    const report = over ? reportIn(events) : undefined;
    const fault = report && this.#hasTools ? lastingFault(report) : undefined;
    // A fault is worth one other endpoint: two that fail alike show that the request is hard.
    if (!report || !fault || this.#spare) return undefined;
    return { from: name, reason: reasonOf(fault), faults: countFaults(toolFaults(report)) };
  }

  #leave({ name }: EndpointAnswer, { events, error }: HeldAnswer, move: Move): void {
    this.#moves.push(move);
    if (error === undefined) this.#spare = { name, events };
    for (const event of events) {
      if (event.type === 'usage')
        this.#spent = this.#spent ? addUsage(this.#spent, event.usage) : event.usage;
    }
  }

  // --- delivering ------------------------------------------------------------------------------------------

  async *#rest(call: EndpointAnswer): AsyncGenerator<AnswerEvent[]> {
    for (let batch = await call.next(); batch; batch = await call.next()) {
      yield batch.map((event) => this.#shown(call.name, event));
    }
  }

  /** The usage of the answer is in that of all dropped ones already. */
  #spareAnswer({ name, events }: { name: string; events: AnswerEvent[] }): AnswerEvent[] {
    return events.map((event) =>
      event.type === 'usage' && this.#spent
        ? { type: 'usage', usage: this.#spent }
        : this.#placed(name, event),
    );
  }

  #shown(name: string, event: AnswerEvent): AnswerEvent {
    if (event.type === 'usage' && this.#spent) {
      return { type: 'usage', usage: addUsage(this.#spent, event.usage) };
    }
    return this.#placed(name, event);
  }

  #placed(upstream: string, event: AnswerEvent): AnswerEvent {
    if (event.type !== 'report') return event;
    const moved = this.#moves.length > 0 && { moved: this.#moves };
    return { type: 'report', report: { ...event.report, upstream, ...moved } };
  }
}

/** The answer of one endpoint, which is recorded in the balance. */
class EndpointAnswer {
  readonly name: string;
  #batches: Batches<AnswerEvent> | undefined;
  #called = false;

  constructor(
    readonly at: number,
    readonly endpoint: AskedEndpoint,
    readonly pooled: PooledRequest,
  ) {
    this.name = endpoint.name;
  }

  async begin(mayMove: boolean): Promise<HeldAnswer> {
    const { request, context } = this.pooled;
    this.pooled.tell(this.name);
    context.held?.drop();
    this.#batches = batchesOf(this.endpoint.ask(request, { ...context, mayMove }));
    const { stream, settings } = request;
    const held = await holdStart(this.#batches, { stream, choices: settings.choices ?? 1 });
    if (held.error !== undefined) this.#failed(held.error);
    else {
      this.pooled.balance.worked(this.at);
      this.#read(held.events);
    }
    return held;
  }

  async next(): Promise<AnswerEvent[] | undefined> {
    try {
      const step = await this.#batches?.next();
      if (!step || step.done) return undefined;
      this.#read(step.value);
      return step.value;
    } catch (error) {
      this.#failed(error);
      throw error;
    }
  }

  /** Ends the endpoint's answer, if it was not read to its end. */
  end(): void {
    this.#batches?.return?.()?.catch(() => {});
  }

  #read(events: readonly AnswerEvent[]): void {
    for (const event of events) {
      if (event.type === 'call-end') this.#called = true;
      else if (event.type === 'report') this.#answered(toolFaults(event.report).length > 0);
      else if (event.type === 'error') this.#failed(event.error);
    }
  }

  /** The error rate is that of tool calls: answers without one do not count. */
  #answered(faulty: boolean): void {
    const { hasTools, balance } = this.pooled;
    if (hasTools && (faulty || this.#called)) balance.answered(this.at, faulty);
  }

  #failed(error: unknown): void {
    const { balance, context } = this.pooled;
    if (context.signal.aborted || this.pooled.isOurs(error) || !(error instanceof ApiError)) return;
    if (error.code === 'unreadable-call') this.#answered(true);
    else if (error.retryable) balance.failed(this.at, error.retryAfter);
  }
}

function mayMoveAfter(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.retryable || otherMayAnswer.includes(error.status ?? 0));
}

function reportIn(events: readonly AnswerEvent[]): Report | undefined {
  const found = events.find((event) => event.type === 'report');
  return found?.type === 'report' ? found.report : undefined;
}

function reasonOf({ code, message }: Issue): string {
  return shortened(`${code}: ${message}`);
}

function shortened(reason: string): string {
  return reason.length > LONGEST_REASON ? `${reason.slice(0, LONGEST_REASON)}…` : reason;
}
