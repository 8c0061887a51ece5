// Heals an upstream that has native tool calls: they are read, checked and, if they are wrong, asked for again, like those
// of emulation; text is searched for calls that leaked, in the model's dialects; calls in an error of the upstream, which
// could not read them, are delivered (rescue-calls.ts); and an upstream that refuses tools is asked again with emulation.

import { all } from '../../dialects/all.js';
import type { Dialect } from '../../engine/dialect.js';
import {
  type AnswerEvent,
  ApiError,
  type Message,
  type ModelRequest,
  type ParseEvent,
  type Reask,
  type Report,
  type Tool,
  UsageError,
} from '../../model/index.js';
import { allowedTools } from '../emulate/allowed-tools.js';
import { separate } from '../emulate/delivery.js';
import { dialectOfModel } from '../emulate/dialect-of-model.js';
import { emulateBatches, REASKS } from '../emulate/emulate.js';
import { reaskRecord, reaskTurns } from '../emulate/reask.js';
import { untrustedText } from '../emulate/untrusted-text.js';
import { callIds, newId, prefixesOf } from '../ids.js';
import type { BridgeOptions } from '../options.js';
import { batchesOf, fromBatches } from '../upstream/batches.js';
import { estimateTokens } from '../upstream/estimate-tokens.js';
import { refuseMedia } from '../upstream/media.js';
import { stripControl } from '../upstream/strip-control.js';
import type { AskContext, Upstream } from '../upstream/upstream.js';
import { type AttemptUsage, UsageCount } from '../upstream/usage-count.js';
import { type CallFailure, callFailure } from './call-failures.js';
import { HealedChoice, type HealedChoiceOptions } from './healed-choice.js';
import { rescueCalls } from './rescue-calls.js';
import { refusesTools } from './tool-refusals.js';

/** Throws an ApiError, before the first event or between two. */
export function heal(
  request: ModelRequest,
  upstream: Upstream,
  options: BridgeOptions & AskContext,
): AsyncIterable<AnswerEvent> {
  return fromBatches(healBatches(request, upstream, options));
}

async function* healBatches(
  request: ModelRequest,
  upstream: Upstream,
  options: BridgeOptions & AskContext,
): AsyncGenerator<AnswerEvent[]> {
  const healing = new Healing(stripControl(request), upstream, options);
  let failed: ApiError | undefined;
  let failure: CallFailure | undefined;
  try {
    yield* healing.answer();
    return;
  } catch (error) {
    if (!(error instanceof ApiError) || healing.delivered || !healing.hasTools) throw error;
    failure = callFailure(error);
    if (!failure && !refusesTools(error)) throw error;
    failed = error;
  }
  const rescued = failure && healing.rescue(failure, failed);
  if (rescued) return yield rescued;
  const reask = failure && failedCall(failure, failed);
  if (reask) options.onEvent?.({ type: 'reask', reask });
  else options.onEvent?.({ type: 'tools-refused', message: failed.message });
  const reasks = [...healing.reasks, ...(reask ? [reask] : [])];
  for await (const batch of emulateBatches(request, upstream, options)) {
    // Reasoning of the failed answer went out, and the start with it.
    const events = healing.started ? batch.filter(({ type }) => type !== 'answer-start') : batch;
    yield events.map((event) => {
      if (event.type !== 'report') return event;
      const report = { ...event.report, reasks: [...reasks, ...event.report.reasks] };
      return { type: 'report', report: reask ? report : { ...report, refused: failed.message } };
    });
  }
}

/** How much a report keeps of what the model wrote in a call that the upstream could not read. */
const LONGEST_TEXT = 2000;

function failedCall({ raw = '' }: CallFailure, { message }: ApiError): Reask {
  return { choice: 0, reasons: [message], issues: [], text: raw.slice(0, LONGEST_TEXT) };
}

/** How much a report keeps of the error that calls were read from. */
const LONGEST_MESSAGE = 200;

/** One request to the upstream: the first for all choices, each later one for a choice that failed. */
interface Asking {
  request: ModelRequest;
  attempt: number;
  /** The choice that is asked for again. */
  only?: number;
  usage: AttemptUsage;
  choices: Map<number, HealedChoice>;
}

/** The state that all choices and attempts of one request share. */
class Healing {
  /** Text or a call was delivered, or is held and cannot be taken back: it is too late for another mode. */
  delivered = false;
  /** An event was delivered. */
  started = false;
  /** Text or a call was delivered. */
  #sent = false;
  readonly #watched: readonly Dialect[];
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #report: Report;
  readonly #count = new UsageCount();
  readonly #usedIds: Set<string>;
  readonly #untrusted: string;
  #start: AnswerEvent | undefined;

  constructor(
    readonly request: ModelRequest,
    readonly upstream: Upstream,
    readonly options: BridgeOptions & AskContext,
  ) {
    const { conversation, skippedTools } = request;
    const offered = conversation.toolChoice === 'none' ? [] : allowedTools(conversation);
    this.#tools = new Map(offered.map((tool) => [tool.name, tool]));
    this.#usedIds = new Set(callIds(conversation.messages));
    this.#watched = this.#watches() ? watchedDialects(request, options) : [];
    this.#untrusted = this.#watched.length > 0 ? untrustedText(conversation.messages) : '';
    this.#report = {
      mode: 'heal',
      ...(this.#watched.length > 0 && {
        dialect: this.#watched.map(({ name }) => name).join(', '),
        dialectFrom: isNamed(options) ? ('name' as const) : ('model' as const),
      }),
      issues: [],
      repairs: [],
      reasks: [],
      ...(skippedTools && skippedTools.length > 0 && { skippedTools }),
    };
  }

  get hasTools(): boolean {
    return this.request.conversation.tools.length > 0;
  }

  get reasks(): readonly Reask[] {
    return this.#report.reasks;
  }

  async *answer(): AsyncGenerator<AnswerEvent[]> {
    const first = this.#asking(this.request, 0);
    yield* this.#ask(first);
    for (const [choice, attempt] of first.choices) yield* this.#askAgain(choice, attempt);
    yield this.#end();
  }

  #end(): AnswerEvent[] {
    const usage = this.#count.total;
    return [
      { type: 'usage', usage },
      { type: 'report', report: { ...this.#report, usage: usage.estimated ? 'estimated' : 'upstream' } },
    ];
  }

  /** Gives the answer that the calls in an error make. Undefined: it has no whole call. */
  rescue({ raw }: CallFailure, { message }: ApiError): AnswerEvent[] | undefined {
    if (raw === undefined || (this.request.settings.choices ?? 1) > 1 || !this.#watches()) return undefined;
    const { dialects = all, onEvent } = this.options;
    const attempt = this.#report.reasks.length;
    onEvent?.({ type: 'upstream-text', choice: 0, attempt, text: raw });
    const options = this.#choiceOptions(0, attempt);
    const untrusted = untrustedText(this.request.conversation.messages);
    const parser = { ...options.parser, untrusted };
    const rescued = rescueCalls(raw, dialects.dialects, { ...options, parser });
    if (!rescued) return undefined;
    // The request that failed is counted; what came in its error is not yet.
    this.#count.add({ inputTokens: 0, outputTokens: estimateTokens(raw), estimated: true });
    this.#report.issues.push(...rescued.issues);
    this.#report.repairs.push(...rescued.repairs);
    this.#report.rescued = message.slice(0, LONGEST_MESSAGE);
    const start = this.#start ?? { type: 'answer-start' };
    return [...(this.started ? [] : [start]), ...rescued.events, ...this.#end()];
  }

  /** Asks again for one choice until an attempt has no problem, or until no reask is left. */
  async *#askAgain(choice: number, failed: HealedChoice): AsyncGenerator<AnswerEvent[]> {
    let last = failed;
    let { conversation } = this.request;
    let said = false;
    for (let attempt = 1; last.reask; attempt++) {
      said ||= last.saidText;
      conversation = { ...conversation, messages: [...conversation.messages, ...this.#turns(choice, last)] };
      const { choices, ...settings } = this.request.settings;
      const asking = this.#asking({ ...this.request, conversation, settings }, attempt, choice);
      for await (const events of this.#ask(asking)) {
        if (said) said = !separate(events);
        yield events;
      }
      const next = asking.choices.get(choice);
      if (!next) throw new ApiError('upstream-broken', 'The upstream answered with nothing.');
      last = next;
    }
  }

  #turns(choice: number, failed: HealedChoice): Message[] {
    const { toolChoice } = this.request.conversation;
    const { language } = this.options.render ?? {};
    const tools = [...this.#tools.values()];
    const turns = reaskTurns(failed, { tools, toolChoice, ...(language && { language }) });
    const reask = reaskRecord(choice, failed, turns);
    this.#report.reasks.push(reask);
    this.options.onEvent?.({ type: 'reask', reask });
    return turns.messages;
  }

  #asking(request: ModelRequest, attempt: number, only?: number): Asking {
    const usage = this.#count.begin(request);
    return { request, attempt, usage, choices: new Map(), ...(only !== undefined && { only }) };
  }

  async *#ask(asking: Asking): AsyncGenerator<AnswerEvent[]> {
    const { request, attempt, only = 0 } = asking;
    const { signal, onEvent } = this.options;
    onEvent?.({ type: 'upstream-request', choice: only, attempt, request });
    refuseMedia(request.conversation.messages, this.upstream);
    const handles = (error: ApiError) => this.hasTools && callFailure(error) !== undefined;
    const batches = batchesOf(this.upstream.ask(request, { signal, handles }));
    this.delivered = this.#sent;
    try {
      for (let step = await batches.next(); !step.done; step = await batches.next()) {
        const { events, error } = this.#read(asking, step.value);
        this.started ||= events.length > 0;
        this.#sent ||= events.some(isContent);
        if (events.length > 0) yield events;
        if (error) throw error;
      }
    } finally {
      asking.usage.end();
      batches.return?.()?.catch(() => {});
    }
    for (const choice of asking.choices.values()) this.#settle(choice);
  }

  /** Gives the events of one piece of the upstream as the client is to get them, up to an error. */
  #read(asking: Asking, batch: readonly AnswerEvent[]): { events: AnswerEvent[]; error?: ApiError } {
    const out: AnswerEvent[] = [];
    for (const event of batch) {
      if (event.type === 'error') return { events: out, error: event.error };
      // The start waits for the next event, which may be a refusal of tools.
      if (event.type === 'answer-start') this.#start = asking.attempt === 0 ? event : undefined;
      else if (event.type === 'usage') asking.usage.told(event.usage);
      else if (event.type !== 'report') {
        if ('text' in event) asking.usage.wrote(event.text);
        if (this.#start) out.push(this.#start);
        this.#start = undefined;
        this.delivered ||= isContent(event);
        const { events, failure } = this.#healed(asking, event);
        for (const one of events) out.push(one);
        if (failure) return { events: out, error: failure };
      }
    }
    return { events: out };
  }

  #healed(asking: Asking, event: ChoiceEvent): { events: AnswerEvent[]; failure?: ApiError | undefined } {
    const choice = asking.only ?? event.choice ?? 0;
    const { attempt, choices } = asking;
    if (event.type === 'text-delta')
      this.options.onEvent?.({ type: 'upstream-text', choice, attempt, text: event.text });
    let healed = choices.get(choice);
    if (!healed) {
      healed = new HealedChoice(this.#choiceOptions(choice, attempt));
      choices.set(choice, healed);
    }
    return { events: healed.read(event), failure: healed.failure };
  }

  /** Lists what was wrong with an attempt that is the answer; a reask lists what it replaces. */
  #settle(choice: HealedChoice): void {
    this.#report.repairs.push(...choice.repairs);
    if (!choice.reask) this.#report.issues.push(...choice.issues);
  }

  #choiceOptions(choice: number, attempt: number): HealedChoiceOptions {
    const { conversation, settings, stream } = this.request;
    const { limits, policies, onEvent, echoes, inReasoning, delivery, reasks = REASKS } = this.options;
    return {
      choice,
      dialects: this.#watched,
      tools: this.#tools,
      toolChoice: this.#tools.size > 0 ? conversation.toolChoice : 'none',
      parallelCalls: settings.parallelCalls ?? true,
      holdAll: !stream,
      holdCalls: !stream || (this.request.delivery ?? delivery) === 'whole',
      refuseEchoes: echoes === 'refuse',
      unknownAsText: true,
      nearKeys: this.options.nearKeys,
      mayReask: this.#tools.size > 0 && attempt < reasks,
      mayMove: this.#tools.size > 0 && this.options.mayMove,
      outwardId: (id) => this.#outwardId(id),
      newId: () => this.#newId(),
      parser: {
        tools: this.#tools,
        thinking: inReasoning ?? false,
        newId: () => this.#newId(),
        untrusted: this.#untrusted,
        ...(limits && { limits }),
        policies: { coerceStrings: true, ...policies },
      },
      ...(onEvent && {
        onParse: (event: ParseEvent) => onEvent({ type: 'parse', choice, attempt, event }),
      }),
    };
  }

  #newId(): string {
    return (this.options.newId ?? newId)(prefixesOf(this.options, this.request).call);
  }

  /** Keeps an id that the upstream gave, unless another call of the conversation has it. */
  #outwardId(id: string): string {
    let outward = id;
    // A custom `newId` may give the same id again and again.
    for (let tries = 1; this.#usedIds.has(outward); tries++)
      outward = tries < 100 ? this.#newId() : `${this.#newId()}_${tries}`;
    this.#usedIds.add(outward);
    return outward;
  }

  /** Whether text is searched for calls: not without tools, and not with the choice `none`. */
  #watches(): boolean {
    return this.#tools.size > 0 && this.options.policies?.calls !== 'text';
  }
}

/** Whether the event cannot be taken back: reasoning can be followed by another attempt. */
function isContent(event: AnswerEvent): boolean {
  if (event.type === 'answer-start' || event.type === 'reasoning-delta') return false;
  return event.type !== 'text-delta' || event.text !== '';
}

/** An event of one choice. */
type ChoiceEvent = Exclude<AnswerEvent, { type: 'answer-start' | 'usage' | 'report' | 'error' }>;

export const isNamed = ({ watch, dialect = 'auto' }: BridgeOptions) =>
  watch !== undefined || dialect !== 'auto';

/** Gives the dialects of `watch`, else the one of `dialect`, else the model's own. */
export function watchedDialects({ model }: ModelRequest, options: BridgeOptions): readonly Dialect[] {
  const { dialects = all } = options;
  const named = options.dialect === 'auto' ? undefined : options.dialect;
  const watch = options.watch ?? (named && [named]);
  if (!watch) {
    const own = dialectOfModel(model, dialects);
    return own ? [own] : [];
  }
  try {
    return [...new Set(watch.map((one) => (typeof one === 'string' ? dialects.find(one) : one)))];
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new ApiError('internal', `watch: ${error.message}`, { cause: error });
  }
}
