// Tool calls over an upstream that only writes text: the request is spelled in a dialect, the answer is read.

import type { Dialect } from '../codec/dialect.js';
import {
  type AnswerEvent,
  ApiError,
  type FinishReason,
  type Issue,
  type ModelRequest,
  type Reask,
  type Report,
  type Tool,
} from '../model/index.js';
import { allowedTools } from './allowed-tools.js';
import { Attempt, type AttemptOptions, type Outcome } from './attempt.js';
import { settleDialect } from './dialect-of-model.js';
import { answerPrefix, callIds, callPrefix } from './ids.js';
import { merge } from './merge.js';
import { newId } from './new-id.js';
import type { BridgeEvent, BridgeOptions } from './options.js';
import { type ReaskTurns, reaskTurns } from './reask.js';
import { asApiError, ignoredMembers, spellRequest } from './spell-request.js';
import { stripControl } from './strip-control.js';
import { untrustedText } from './untrusted-text.js';
import type { Upstream, UpstreamContext, UpstreamRequest } from './upstream.js';
import { UsageCount } from './usage-count.js';

/** How often a model that failed is asked again, unless told otherwise. */
const REASKS = 2;

/** Made once: an abort without a reason makes one each time, with a stack trace that nobody reads. */
const OVER = new DOMException('The answer is over.', 'AbortError');

/** What a report keeps of an attempt that was given up: its text is there as well, and cut, too. */
const MOST_ISSUES = 20;
const LONGEST_RAW = 2000;

/** Throws an ApiError, before the first event or between two. */
export async function* emulate(
  request: ModelRequest,
  upstream: Upstream,
  options: BridgeOptions & UpstreamContext,
): AsyncGenerator<AnswerEvent> {
  const count = request.settings.choices ?? 1;
  // When the answer is over, however it ended, nothing is left running. One choice alone sees to that itself.
  const over = count > 1 ? new AbortController() : undefined;
  const signal = over ? AbortSignal.any([options.signal, over.signal]) : options.signal;
  const exchange = new Exchange(stripControl(request), upstream, { ...options, signal });
  const choices = Array.from({ length: count }, (_, choice) => exchange.answer(choice));
  let started = false;
  try {
    for await (const event of merge(choices)) {
      // One start for all of them: the first that has something to say.
      if (event.type === 'answer-start' && started) continue;
      started = true;
      yield event;
    }
  } finally {
    over?.abort(OVER);
  }
  yield { type: 'usage', usage: exchange.usage.total };
  yield { type: 'report', report: exchange.report() };
}

/** What the answers to one request have in common. */
class Exchange {
  readonly usage = new UsageCount();
  readonly #dialect: Dialect;
  readonly #report: Report;
  readonly #tools: Map<string, Tool>;
  readonly #untrusted: string;
  readonly #usedIds: Set<string>;

  constructor(
    readonly request: ModelRequest,
    readonly upstream: Upstream,
    readonly options: BridgeOptions & UpstreamContext,
  ) {
    const { dialect, from } = settled(options.dialect, request.model);
    const { conversation, skippedTools } = request;
    const ignored = ignoredMembers(request);
    this.#dialect = dialect;
    const offered = conversation.toolChoice === 'none' ? [] : allowedTools(conversation);
    this.#tools = new Map(offered.map((tool) => [tool.name, tool]));
    this.#untrusted = untrustedText(conversation.messages);
    this.#usedIds = new Set(callIds(conversation.messages));
    this.#report = {
      mode: 'emulate',
      dialect: dialect.name,
      dialectFrom: from,
      issues: [],
      repairs: [],
      reasks: [],
      ...(skippedTools && skippedTools.length > 0 && { skippedTools }),
      ...(ignored.length > 0 && { ignored }),
    };
    checkChoice(request);
  }

  report(): Report {
    return { ...this.#report, usage: this.usage.total.estimated ? 'estimated' : 'upstream' };
  }

  /** One answer: attempts until one does, or until asking again is no use. */
  async *answer(choice: number): AsyncGenerator<AnswerEvent> {
    const again: ReaskTurns[] = [];
    let said = false;
    for (let attempt = 0; ; attempt++) {
      const spelled = spellRequest(this.request, this.#dialect, this.upstream, this.options, again);
      const reading = new Attempt(this.#attemptOptions(choice, attempt, spelled.inReasoning));
      const place = { choice, attempt };
      let outcome: Outcome | undefined;
      for await (const read of this.#read(place, spelled.request, reading)) {
        if (!Array.isArray(read)) outcome = read;
        else
          for (const event of read) {
            // Behind what an earlier attempt said.
            if (said && event.type === 'text-delta') yield { ...event, text: '\n\n' };
            if (event.type === 'text-delta') said = false;
            yield event;
          }
      }
      this.#report.repairs.push(...reading.repairs);
      if (!outcome?.reask) {
        this.#report.issues.push(...reading.issues);
        if (reading.aside !== '') this.#report.aside = (this.#report.aside ?? '') + reading.aside;
        yield { type: 'finish', reason: 'stop', ...outcome?.finish, ...(choice > 0 && { choice }) };
        return;
      }
      said ||= reading.saidText;
      again.push(this.#again(choice, reading));
    }
  }

  /** One request to the upstream, as far as it is wanted: the events of each of its pieces, then the outcome. */
  async *#read(
    { choice, attempt }: { choice: number; attempt: number },
    request: UpstreamRequest,
    reading: Attempt,
  ): AsyncGenerator<AnswerEvent[] | Outcome> {
    this.#tell({ type: 'upstream-request', choice, attempt, request });
    const stopper = new AbortController();
    const signal = AbortSignal.any([this.options.signal, stopper.signal]);
    const usage = this.usage.begin(request);
    let reason: FinishReason = 'stop';
    let begun = attempt > 0;
    try {
      for await (const event of this.upstream.ask(request, { signal })) {
        if (!begun) yield [this.#start()];
        begun = true;
        if (event.type === 'text-delta') {
          this.#tell({ type: 'upstream-text', choice, attempt, text: event.text });
          usage.wrote(event.text);
          yield reading.feed(event.text);
        } else if (event.type === 'reasoning-delta') {
          usage.wrote(event.text);
          yield reading.reasoning(event.text);
        } else if (isOfCall(event)) {
          if (event.type === 'call-delta') usage.wrote(event.text);
          yield reading.native(event);
        } else if (event.type === 'finish') reason = event.reason;
        else if (event.type === 'usage') usage.told(event.usage);
        else if (event.type === 'error') throw event.error;
        if (reading.done) break;
      }
    } finally {
      stopper.abort(OVER);
      usage.end();
    }
    const { outcome, events } = reading.finish(reason);
    yield events;
    if (reading.failure) throw reading.failure;
    yield outcome;
  }

  #start(): AnswerEvent {
    const id = this.#newId(answerPrefix(this.request.api));
    return { type: 'answer-start', id, model: this.request.model };
  }

  #again(choice: number, reading: Attempt): ReaskTurns {
    const { toolChoice } = this.request.conversation;
    const turns = reaskTurns(reading, {
      dialect: this.#dialect,
      tools: [...this.#tools.values()],
      toolChoice,
      ...(this.options.render?.language && { language: this.options.render.language }),
    });
    const issues = reading.issues.slice(0, MOST_ISSUES).map(shortened);
    const reask: Reask = { choice, reasons: turns.reasons, issues, text: reading.text };
    this.#report.reasks.push(reask);
    this.#tell({ type: 'reask', reask });
    return turns;
  }

  #attemptOptions(choice: number, attempt: number, inReasoning: boolean): AttemptOptions {
    const { conversation, settings, stream, api } = this.request;
    const { policies, limits, onEvent } = this.options;
    return {
      dialect: this.#dialect,
      choice,
      tools: this.#tools,
      toolChoice: this.#tools.size > 0 ? conversation.toolChoice : 'none',
      parallelCalls: settings.parallelCalls ?? true,
      stops: settings.stop ?? [],
      holdAll: !stream,
      holdCalls: !stream || (this.request.delivery ?? this.options.delivery) === 'whole',
      refuseEchoes: this.options.echoes === 'refuse',
      mayReask: attempt < (this.options.reasks ?? REASKS),
      parser: {
        tools: [...this.#tools.values()],
        thinking: inReasoning || (this.options.inReasoning ?? false),
        newId: () => this.#newId(callPrefix(api)),
        untrusted: this.#untrusted,
        ...(limits && { limits }),
        policies: { ...policies, ...(this.#tools.size === 0 && { calls: 'text' as const }) },
      },
      outwardId: (id) => this.#outwardId(id),
      ...(onEvent && { onParse: (event) => onEvent({ type: 'parse', choice, attempt, event }) }),
    };
  }

  /** An id the model gave is kept, unless the conversation has it already. */
  #outwardId(id: string): string {
    const outward = this.#usedIds.has(id) ? this.#newId(callPrefix(this.request.api)) : id;
    this.#usedIds.add(outward);
    return outward;
  }

  #newId(prefix: string): string {
    return (this.options.newId ?? newId)(prefix);
  }

  #tell(event: BridgeEvent): void {
    this.options.onEvent?.(event);
  }
}

function shortened(issue: Issue): Issue {
  const { raw } = issue;
  return raw === undefined || raw.length <= LONGEST_RAW
    ? issue
    : { ...issue, raw: `${raw.slice(0, LONGEST_RAW)}…` };
}

type OfCall = Extract<AnswerEvent, { type: 'call-start' | 'call-delta' | 'call-end' }>;

function isOfCall(event: AnswerEvent): event is OfCall {
  return event.type === 'call-start' || event.type === 'call-delta' || event.type === 'call-end';
}

function settled(dialect: BridgeOptions['dialect'], model: string): ReturnType<typeof settleDialect> {
  try {
    return settleDialect(dialect, model);
  } catch (error) {
    throw asApiError(error);
  }
}

/** A choice that cannot be kept is the client's mistake. */
function checkChoice({ conversation: { tools, toolChoice } }: ModelRequest): void {
  if (toolChoice === 'required' && tools.length === 0) {
    const message = 'tool_choice: a call is required, but there are no tools; send tools or leave it out';
    throw new ApiError('bad-request', message, { path: 'tool_choice' });
  }
  if (typeof toolChoice !== 'object' || tools.some(({ name }) => name === toolChoice.name)) return;
  const message = `tool_choice: there is no tool named ${JSON.stringify(toolChoice.name)} in tools`;
  throw new ApiError('bad-request', message, { path: 'tool_choice' });
}
