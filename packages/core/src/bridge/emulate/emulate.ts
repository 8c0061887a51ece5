// Tool calls over an upstream that only writes text: the request is rendered in a dialect, the answer is parsed.

import type { Dialect } from '../../engine/dialect.js';
import {
  type AnswerEvent,
  ApiError,
  acceptedByName,
  type ModelRequest,
  type Report,
  type Tool,
} from '../../model/index.js';
import { createCheckBudget } from '../../schema/safe-schema.js';
import { type StrippedHead, strippedHeads, tokensAdvice } from '../engines/special-tokens.js';
import { tellItems } from '../history/stand-ins.js';
import { callIds, newId, prefixesOf } from '../ids.js';
import type { BridgeEvent, BridgeOptions } from '../options.js';
import { refusedFormat, rememberRefusal, withoutFormats } from '../structured/format-refusals.js';
import { structuredTextOf } from '../structured/structured-of.js';
import { withReasoning } from '../turns/recalled-reasoning.js';
import { TurnWords } from '../turns/turn-words.js';
import { fromBatches } from '../upstream/batches.js';
import { nestedMembers } from '../upstream/nested-members.js';
import { LinkedAborter } from '../upstream/on-abort.js';
import { CALL_LIMITS } from '../upstream/portions.js';
import { controlMembers, stripControl } from '../upstream/strip-control.js';
import type { AskContext, Upstream, UpstreamRequest } from '../upstream/upstream.js';
import { UsageCount } from '../upstream/usage-count.js';
import { allowedTools } from './allowed-tools.js';
import { Attempt, type AttemptOptions } from './attempt.js';
import type { StrippedOptions } from './attempt-text.js';
import { separate } from './delivery.js';
import { settleDialect } from './dialect-of-model.js';
import { taughtGrammars } from './freeform-grammars.js';
import { keepReasoning } from './keep-reasoning.js';
import { merge } from './merge.js';
import { type ReaskTurns, reaskRecord, reaskTurns } from './reask.js';
import { asApiError, ignoredMembers, spellRequest } from './spell-request.js';
import { ignoredThinking, thinkingOptions, withThinking } from './thinking.js';
import { untrustedText } from './untrusted-text.js';
import { OVER, UpstreamTurn } from './upstream-turn.js';

/** How often a model that failed is asked again by default. */
export const REASKS = 2;

/** Throws an ApiError, before the first event or between two. */
export function emulate(
  request: ModelRequest,
  upstream: Upstream,
  options: BridgeOptions & AskContext,
): AsyncIterable<AnswerEvent> {
  return fromBatches(emulateBatches(request, upstream, options));
}

export async function* emulateBatches(
  request: ModelRequest,
  upstream: Upstream,
  options: BridgeOptions & AskContext,
): AsyncGenerator<AnswerEvent[]> {
  const count = request.settings.choices ?? 1;
  // However the answer ends, no request to the upstream is left running. A single choice ends its own.
  const over = count > 1 ? new LinkedAborter(options.signal) : undefined;
  const signal = over?.signal ?? options.signal;
  options.turn?.begin();
  const emulation = new Emulation(request, upstream, { ...options, signal });
  const choices = Array.from({ length: count }, (_, choice) => emulation.answer(choice));
  let started = false;
  try {
    for await (const batch of merge(choices)) {
      // All choices share one start, from the first that has an event.
      const events = started ? batch.filter(({ type }) => type !== 'answer-start') : batch;
      started = true;
      if (events.length > 0) yield events;
    }
  } finally {
    over?.letGo();
    over?.abort(OVER);
  }
  yield [
    { type: 'usage', usage: emulation.usage.total },
    { type: 'report', report: emulation.report() },
  ];
}

/** The state that all choices of one request share. */
class Emulation {
  readonly usage = new UsageCount();
  readonly #dialect: Dialect;
  readonly #report: Report;
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #untrusted: string;
  readonly #usedIds: Set<string>;
  readonly #heads: readonly StrippedHead[];
  readonly #checks = createCheckBudget();
  /** A call has another id than the model gave it. */
  #renamed = false;
  /** An answer lacked the special tokens that calls are made of. */
  #stripped = false;
  readonly request: ModelRequest;

  constructor(
    given: ModelRequest,
    public upstream: Upstream,
    readonly options: BridgeOptions & AskContext,
  ) {
    const told = withReasoning(tellItems(given));
    const { dialect, from } = settled(options, given.model);
    const kept = keepReasoning(
      withThinking(stripControl(told), dialect, upstream, options),
      dialect,
      upstream.takes,
    );
    const { request } = kept;
    const { conversation, skippedTools } = request;
    const ignored = [
      ...ignoredMembers(request, upstream),
      ...nestedMembers(told),
      ...controlMembers(given),
      ...ignoredThinking(request, dialect, upstream),
      ...kept.ignored,
    ];
    this.request = request;
    const taught = taughtGrammars(request, upstream, dialect);
    this.#dialect = dialect;
    const offered = conversation.toolChoice === 'none' ? [] : allowedTools(conversation);
    this.#tools = acceptedByName(offered);
    this.#heads = strippedHeads(dialect, offered);
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
      ...(request.unreadItems && { skippedItems: request.unreadItems }),
      ...(ignored.length > 0 && { ignored }),
      ...(taught.length > 0 && { taughtGrammars: taught }),
      ...(request.format && upstream.grammar && offered.length > 0 && { taughtFormat: true as const }),
    };
    checkChoice(request);
  }

  report(): Report {
    return { ...this.#report, usage: this.usage.total.estimated ? 'estimated' : 'upstream' };
  }

  /** Answers one choice: makes attempts until one has no problem, or until no reask is left. */
  async *answer(choice: number): AsyncGenerator<AnswerEvent[]> {
    const again: ReaskTurns[] = [];
    // An earlier attempt delivered text: at all, and since the last text of a later one.
    let [spoke, said] = [false, false];
    for (let attempt = 0; ; attempt++) {
      const turn = this.#turn(choice, attempt, again);
      const { reading } = turn.options;
      try {
        for (let events = await turn.next(); events; events = await turn.next()) {
          if (said) said = !separate(events);
          if (events.length > 0) yield events;
        }
      } catch (error) {
        const refused = refusedFormat(error, turn.options.request);
        if (refused === undefined) throw error;
        this.#report.refused = refused;
        this.upstream = withoutFormats(this.upstream);
        turn.options.usage.drop();
        attempt--;
        continue;
      } finally {
        turn.end();
      }
      const withoutFormat = this.#report.refused !== undefined && !turn.options.request.format;
      if (withoutFormat) rememberRefusal(this.upstream, this.request);
      const { outcome, events } = reading.finish(turn.reason);
      if (said) separate(events);
      if (reading.failure || outcome.reask) yield events;
      if (reading.failure) throw reading.failure;
      this.#report.repairs.push(...reading.repairs);
      if (!outcome.reask) {
        this.#report.issues.push(...reading.issues);
        if (reading.aside !== '') this.#report.aside = (this.#report.aside ?? '') + reading.aside;
        const written = spoke || this.#renamed ? undefined : reading.written;
        if (written) this.options.turn?.wrote(written);
        yield [...events, { type: 'finish', ...outcome.finish, ...(choice > 0 && { choice }) }];
        return;
      }
      said ||= reading.saidText;
      spoke ||= said;
      // The model is not at fault, so it is not told: the upstream is asked for its special tokens.
      if (outcome.problems.every(({ kind }) => kind === 'stripped')) this.#askForTokens(choice, reading);
      else again.push(this.#again(choice, reading));
    }
  }

  #turn(choice: number, attempt: number, again: readonly ReaskTurns[]): UpstreamTurn {
    const spelled = spellRequest(this.request, this.#dialect, this.upstream, this.options, again);
    const { inReasoning } = spelled;
    const asked = withOwnSeed(spelled.request, choice);
    const request = this.#stripped ? { ...asked, strippedTokens: true } : asked;
    return new UpstreamTurn({
      choice,
      attempt,
      request,
      upstream: this.upstream,
      reading: new Attempt(this.#attemptOptions(choice, attempt, inReasoning)),
      usage: this.usage.begin(request),
      signal: this.options.signal,
      start: () => this.#start(),
      tell: this.options.onEvent,
      client: this.options.client,
      held: this.options.held,
      onIgnored: (member) => addIgnored(this.#report, member),
      onHeld: () => {
        this.#report.held = true;
      },
    });
  }

  #start(): AnswerEvent {
    const id = this.#newId('answer');
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
    const reask = reaskRecord(choice, reading, turns);
    this.#report.reasks.push(reask);
    this.#tell({ type: 'reask', reask });
    return turns;
  }

  #askForTokens(choice: number, { issues, problems, text }: Attempt): void {
    this.#stripped = true;
    const reasons = problems.flatMap((problem) => problem.issues.map(({ message }) => message));
    const reask = reaskRecord(choice, { issues, text }, { messages: [], trusted: [], reasons });
    this.#report.reasks.push(reask);
    this.#tell({ type: 'reask', reask });
  }

  #attemptOptions(choice: number, attempt: number, inReasoning: boolean): AttemptOptions {
    const { conversation, settings, stream } = this.request;
    const { policies, limits, onEvent } = this.options;
    return {
      dialect: this.#dialect,
      choice,
      tools: this.#tools,
      toolChoice: this.#tools.size > 0 ? conversation.toolChoice : 'none',
      parallelCalls: settings.parallelCalls ?? true,
      stops: settings.stop ?? [],
      stripped: this.#strippedOptions(),
      structured: structuredTextOf(this.request, this.options, this.#checks),
      holdAll: !stream,
      holdCalls: !stream || (this.request.delivery ?? this.options.delivery) === 'whole',
      refuseEchoes: this.options.echoes === 'refuse',
      nearKeys: this.options.nearKeys,
      mayReask: attempt < (this.options.reasks ?? REASKS),
      mayMove: this.options.mayMove,
      parser: {
        tools: this.#tools,
        checks: this.#checks,
        thinking: inReasoning || (this.options.inReasoning ?? false),
        newId: () => this.#newId('call'),
        untrusted: this.#untrusted,
        limits: { ...CALL_LIMITS, ...limits },
        policies: {
          coerceStrings: true,
          ...policies,
          ...(this.#tools.size === 0 && { calls: 'text' as const }),
        },
      },
      words: this.options.turn && new TurnWords(this.#askedThinking(), this.options.turn),
      outwardId: (id) => this.#outwardId(id),
      ...(onEvent && { onParse: (event) => onEvent({ type: 'parse', choice, attempt, event }) }),
    };
  }

  #askedThinking(): { thinking: boolean | undefined } {
    const { thinking, template } = thinkingOptions(this.request, this.#dialect, this.options);
    const asked = thinking ?? template?.enable_thinking ?? template?.thinking;
    return { thinking: asked === undefined || asked === null ? undefined : Boolean(asked) };
  }

  #strippedOptions(): StrippedOptions | undefined {
    const mayAsk = this.upstream.specialTokens?.().state === 'unasked' && !this.#stripped;
    return { heads: this.#heads, advice: tokensAdvice(this.upstream), mayAsk };
  }

  /** Keeps the id that the model gave, unless the conversation has it already. */
  #outwardId(id: string): string {
    const outward = this.#usedIds.has(id) ? this.#newId('call') : id;
    if (outward !== id) this.#renamed = true;
    this.#usedIds.add(outward);
    return outward;
  }

  #newId(kind: 'call' | 'answer'): string {
    return (this.options.newId ?? newId)(prefixesOf(this.options, this.request)[kind]);
  }

  #tell(event: BridgeEvent): void {
    this.options.onEvent?.(event);
  }
}

/** Every choice has a seed of its own: with one seed, all of them would be the same. */
function withOwnSeed(request: UpstreamRequest, choice: number): UpstreamRequest {
  const { settings } = request;
  if (choice === 0 || settings.seed === undefined) return request;
  return { ...request, settings: { ...settings, seed: settings.seed + choice } };
}

/** Lists a member that had no effect, once. */
export function addIgnored(report: Report, member: string): void {
  if (!report.ignored?.includes(member)) report.ignored = [...(report.ignored ?? []), member];
}

function settled(options: BridgeOptions, model: string): ReturnType<typeof settleDialect> {
  try {
    return settleDialect(options, model);
  } catch (error) {
    throw asApiError(error);
  }
}

/** Throws for a `tool_choice` that the tools of the request cannot satisfy. */
function checkChoice({ conversation: { tools, toolChoice } }: ModelRequest): void {
  if (toolChoice === 'required' && tools.length === 0) {
    const message = 'tool_choice: a call is required, but there are no tools; send tools or leave it out';
    throw new ApiError('bad-request', message, { path: 'tool_choice' });
  }
  if (typeof toolChoice !== 'object' || tools.some(({ name }) => name === toolChoice.name)) return;
  const message = `tool_choice: there is no tool named ${JSON.stringify(toolChoice.name)} in tools`;
  throw new ApiError('bad-request', message, { path: 'tool_choice' });
}
