// One request that is healed: its attempts and choices, and what they share. heal.ts runs it.

import { all } from '../../dialects/all.js';
import type { Dialect } from '../../engine/dialect.js';
import {
  type AnswerEvent,
  ApiError,
  acceptedByName,
  type Message,
  type ModelRequest,
  type ParseEvent,
  type Reask,
  type Report,
  type Tool,
} from '../../model/index.js';
import { createCheckBudget } from '../../schema/safe-schema.js';
import { allowedTools } from '../emulate/allowed-tools.js';
import { separate } from '../emulate/delivery.js';
import { addIgnored, REASKS } from '../emulate/emulate.js';
import { taughtGrammars } from '../emulate/freeform-grammars.js';
import { reaskRecord, reaskTurns } from '../emulate/reask.js';
import { silent } from '../emulate/spell-request.js';
import { untrustedText } from '../emulate/untrusted-text.js';
import { tellingMembers } from '../emulate/upstream-turn.js';
import { tokensAdvice } from '../engines/special-tokens.js';
import { leftOut } from '../history/stand-ins.js';
import { callIds, newId, prefixesOf } from '../ids.js';
import type { BridgeOptions } from '../options.js';
import { structuredTextOf } from '../structured/structured-of.js';
import { askedInWords } from '../structured/teach-format.js';
import { withReasoning } from '../turns/recalled-reasoning.js';
import { type Batches, batchesOf } from '../upstream/batches.js';
import { estimateTokens } from '../upstream/estimate-tokens.js';
import { readableMedia, seesMedia } from '../upstream/media.js';
import { CALL_LIMITS } from '../upstream/portions.js';
import { controlMembers, stripControl } from '../upstream/strip-control.js';
import type { AskContext, Upstream, UpstreamRequest } from '../upstream/upstream.js';
import { type AttemptUsage, UsageCount } from '../upstream/usage-count.js';
import { foreignMembers } from '../upstream/vendor-members.js';
import { type CallFailure, callFailure } from './call-failures.js';
import { HealedChoice, type HealedChoiceOptions } from './healed-choice.js';
import { rescueCalls } from './rescue-calls.js';
import { isNamed, watchedDialects } from './watched-dialects.js';

/** How much a report keeps of the error that calls were read from. */
const LONGEST_MESSAGE = 200;

/** One request to the upstream: the first for all choices, each later one for a choice that failed. */
interface Asking {
  request: ModelRequest;
  attempt: number;
  /** The choice that is asked for again. */
  only?: number;
  /** An earlier attempt delivered text, and this one has not yet. */
  said: boolean;
  usage: AttemptUsage;
  choices: Map<number, HealedChoice>;
}

/** A choice whose attempt is to be replaced. */
interface FailedChoice {
  choice: number;
  healed: HealedChoice;
  attempt: number;
  said: boolean;
  /** The request that it answered. */
  request: ModelRequest;
}

/** The state that all choices and attempts of one request share. */
export class Healing {
  /** Text or a call was delivered, or is held and cannot be taken back: it is too late for another mode. */
  delivered = false;
  /** An event was delivered. */
  started = false;
  /** The last request as the upstream got it. */
  sent: UpstreamRequest | undefined;
  /** Text or a call was delivered. */
  #said = false;
  readonly #watched: readonly Dialect[];
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #report: Report;
  readonly #count = new UsageCount();
  readonly #usedIds: Set<string>;
  readonly #untrusted: string;
  readonly #checks = createCheckBudget();
  readonly #failed: FailedChoice[] = [];
  #current: Asking | undefined;
  #start: AnswerEvent | undefined;

  readonly request: UpstreamRequest;

  constructor(
    given: ModelRequest,
    readonly upstream: Upstream,
    readonly options: BridgeOptions & AskContext,
  ) {
    const stripped = stripControl(withReasoning(given, options.turn?.upstream ?? upstream));
    const { members, dropped } = foreignMembers(stripped, upstream, silent);
    const request = { ...stripped, ...(Object.keys(members).length > 0 && { members }) };
    const left = leftOut(stripControl(given), upstream);
    const ignored = [...dropped, ...controlMembers(given), ...(left.ignored ?? [])];
    this.request = request;
    const { conversation, skippedTools } = request;
    const offered = conversation.toolChoice === 'none' ? [] : allowedTools(conversation);
    this.#tools = acceptedByName(offered);
    this.#usedIds = new Set(callIds(conversation.messages));
    this.#watched = this.#watches() ? watchedDialects(request, options) : [];
    this.#untrusted = this.#watched.length > 0 ? untrustedText(conversation.messages) : '';
    const taught = taughtGrammars(request, upstream);
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
      ...(left.skippedItems && { skippedItems: left.skippedItems }),
      ...(taught.length > 0 && { taughtGrammars: taught }),
      ...(ignored.length > 0 && { ignored }),
    };
  }

  get hasTools(): boolean {
    return this.request.conversation.tools.length > 0;
  }

  get reasks(): readonly Reask[] {
    return this.#report.reasks;
  }

  end(): AnswerEvent[] {
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
    return [...(this.started ? [] : [start]), ...rescued.events, ...this.end()];
  }

  #turns(choice: number, failed: HealedChoice): Message[] {
    const { toolChoice } = this.request.conversation;
    const { language } = this.options.render ?? {};
    const { format } = this.request;
    const tools = [...this.#tools.values()];
    const turns = reaskTurns(failed, { tools, toolChoice, format, ...(language && { language }) });
    const reask = reaskRecord(choice, failed, turns);
    this.#report.reasks.push(reask);
    this.options.onEvent?.({ type: 'reask', reask });
    return turns.messages;
  }

  begin(): Asking | undefined {
    this.#current = this.#asking(this.request, 0);
    return this.#current;
  }

  /** Ends the last request, and gives the next: for a choice that failed, until none did or no reask is left. */
  again(): Asking | undefined {
    const { request, attempt, only, said, choices } = this.#current as Asking;
    if (only !== undefined && !choices.has(only))
      throw new ApiError('upstream-broken', 'The upstream answered with nothing.');
    const failed = [...choices].filter(([, healed]) => {
      this.#settle(healed);
      return healed.reask;
    });
    // The choice that was asked for again comes first.
    this.#failed.unshift(
      ...failed.map(([choice, healed]) => ({
        choice,
        healed,
        attempt,
        said: said || healed.saidText,
        request,
      })),
    );
    const next = this.#failed.shift();
    if (!next) return undefined;
    this.#current = this.#askAgain(next);
    return this.#current;
  }

  #askAgain({ choice, healed, attempt, said, request }: FailedChoice): Asking {
    const messages = [...request.conversation.messages, ...this.#turns(choice, healed)];
    const { choices, ...settings } = this.request.settings;
    const conversation = { ...request.conversation, messages };
    return { ...this.#asking({ ...this.request, conversation, settings }, attempt + 1, choice), said };
  }

  #asking(request: ModelRequest, attempt: number, only?: number): Asking {
    const usage = this.#count.begin(request);
    return { request, attempt, usage, said: false, choices: new Map(), ...(only !== undefined && { only }) };
  }

  ask({ request: given, attempt, only = 0 }: Asking): Batches<AnswerEvent> {
    const { signal, onEvent, render } = this.options;
    const seen = seesMedia(this.upstream) ? given : withReadableMedia(given);
    const request = askedInWords(seen, this.upstream, render?.language);
    this.sent = request;
    onEvent?.({ type: 'upstream-request', choice: only, attempt, request });
    const handles = (error: ApiError) => this.hasTools && callFailure(error) !== undefined;
    this.delivered = this.#said;
    const onIgnored = (member: string) => addIgnored(this.#report, member);
    const members = tellingMembers(onEvent, only, attempt);
    return batchesOf(this.upstream.ask(request, { signal, handles, onIgnored, ...members }));
  }

  /** Gives the events of one piece of the upstream as the client is to get them, up to an error. */
  read(
    asking: Asking,
    batch: readonly AnswerEvent[],
  ): { events: AnswerEvent[]; error?: ApiError | undefined } {
    const out: AnswerEvent[] = [];
    const error = this.#readInto(out, asking, batch);
    this.started ||= out.length > 0;
    this.#said ||= out.some(isContent);
    if (asking.said) asking.said = !separate(out);
    return { events: out, error };
  }

  #readInto(out: AnswerEvent[], asking: Asking, batch: readonly AnswerEvent[]): ApiError | undefined {
    for (const event of batch) {
      if (event.type === 'error') return event.error;
      const tooMuch = this.options.held?.add(event);
      if (tooMuch) return tooMuch;
      // The start waits for the next event, which may be a refusal of tools.
      if (event.type === 'answer-start') this.#start = asking.attempt === 0 ? event : undefined;
      else if (event.type === 'usage') asking.usage.told(event.usage);
      else if (event.type !== 'report') {
        if ('text' in event) asking.usage.wrote(event.text);
        if (this.#start) out.push(this.#start);
        this.#start = undefined;
        this.delivered ||= isContent(event);
        const healed = this.#choiceOf(asking, event);
        for (const one of healed.read(event)) out.push(one);
        if (healed.failure) return healed.failure;
      }
    }
    return undefined;
  }

  #choiceOf(asking: Asking, event: ChoiceEvent): HealedChoice {
    const choice = asking.only ?? event.choice ?? 0;
    const { attempt, choices } = asking;
    if (event.type === 'text-delta')
      this.options.onEvent?.({ type: 'upstream-text', choice, attempt, text: event.text });
    let healed = choices.get(choice);
    if (!healed) {
      healed = new HealedChoice(this.#choiceOptions(choice, attempt));
      choices.set(choice, healed);
    }
    return healed;
  }

  /** Lists what was wrong with an attempt that is the answer; a reask lists what it replaces. */
  #settle(choice: HealedChoice): void {
    this.#report.repairs.push(...choice.repairs);
    if (choice.reask) return;
    this.#report.issues.push(...choice.issues);
    if (choice.aside !== '') this.#report.aside = (this.#report.aside ?? '') + choice.aside;
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
      structured: structuredTextOf(this.request, this.options, this.#checks),
      holdAll: !stream,
      holdCalls: !stream || (this.request.delivery ?? delivery) === 'whole',
      refuseEchoes: echoes === 'refuse',
      refuseLeakedEchoes: echoes !== 'mark',
      unknownAsText: true,
      nearKeys: this.options.nearKeys,
      mayReask: (this.#tools.size > 0 || this.request.format !== undefined) && attempt < reasks,
      mayMove: this.#tools.size > 0 && this.options.mayMove,
      tokensAdvice: tokensAdvice(this.upstream),
      outwardId: (id) => this.#outwardId(id),
      newId: () => this.#newId(),
      parser: {
        tools: this.#tools,
        checks: this.#checks,
        thinking: inReasoning ?? false,
        newId: () => this.#newId(),
        untrusted: this.#untrusted,
        limits: { ...CALL_LIMITS, ...limits },
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

/** Throws if the user's message holds media. */
function withReadableMedia(request: ModelRequest): ModelRequest {
  const { messages, refused } = readableMedia(request.conversation.messages, false);
  if (refused) throw refused;
  return { ...request, conversation: { ...request.conversation, messages } };
}

/** Whether the event cannot be taken back: reasoning can be followed by another attempt. */
function isContent(event: AnswerEvent): boolean {
  if (event.type === 'answer-start' || event.type === 'reasoning-delta') return false;
  return event.type !== 'text-delta' || event.text !== '';
}

/** An event of one choice. */
type ChoiceEvent = Exclude<AnswerEvent, { type: 'answer-start' | 'usage' | 'report' | 'error' }>;
