// Heals an upstream that has native tool calls but leaks some as text: native calls pass untouched, text is searched for
// calls in the model's dialects, and an upstream that refuses tools is asked again with emulation. Calls in the error of
// an upstream that could not read them are delivered (rescue-calls.ts).

import { all } from '../../dialects/all.js';
import type { Dialect } from '../../engine/dialect.js';
import {
  type AnswerEvent,
  ApiError,
  type ModelRequest,
  type ParseEvent,
  type Reask,
  type Report,
  UsageError,
} from '../../model/index.js';
import { allowedTools } from '../emulate/allowed-tools.js';
import { dialectOfModel } from '../emulate/dialect-of-model.js';
import { emulateBatches } from '../emulate/emulate.js';
import { untrustedText } from '../emulate/untrusted-text.js';
import { callIds, newId, prefixesOf } from '../ids.js';
import type { BridgeOptions } from '../options.js';
import { batchesOf, fromBatches } from '../upstream/batches.js';
import { refuseMedia } from '../upstream/media.js';
import { stripControl } from '../upstream/strip-control.js';
import type { Upstream, UpstreamContext } from '../upstream/upstream.js';
import { type AttemptUsage, UsageCount } from '../upstream/usage-count.js';
import { type CallFailure, callFailure } from './call-failures.js';
import { HealedChoice, type HealedChoiceOptions } from './healed-choice.js';
import { rescueCalls } from './rescue-calls.js';
import { refusesTools } from './tool-refusals.js';

/** Throws an ApiError, before the first event or between two. */
export function heal(
  request: ModelRequest,
  upstream: Upstream,
  options: BridgeOptions & UpstreamContext,
): AsyncIterable<AnswerEvent> {
  return fromBatches(healBatches(request, upstream, options));
}

async function* healBatches(
  request: ModelRequest,
  upstream: Upstream,
  options: BridgeOptions & UpstreamContext,
): AsyncGenerator<AnswerEvent[]> {
  const healing = new Healing(stripControl(request), options);
  let failed: ApiError | undefined;
  let failure: CallFailure | undefined;
  let answer: AsyncIterator<AnswerEvent[], unknown> | undefined;
  try {
    answer = healing.begin(upstream);
    for (let step = await answer.next(); !step.done; step = await answer.next()) {
      const events = healing.read(step.value);
      if (events.length > 0) yield events;
      if (healing.error) throw healing.error;
    }
    yield healing.end();
    return;
  } catch (error) {
    if (!(error instanceof ApiError) || healing.delivered || !healing.hasTools) throw error;
    failure = callFailure(error);
    if (!failure && !refusesTools(error)) throw error;
    failed = error;
  } finally {
    answer?.return?.()?.catch(() => {});
  }
  const rescued = failure && healing.rescue(failure, failed);
  if (rescued) return yield rescued;
  const note = failure ? failedCall(failure, failed) : { refused: failed.message };
  if ('reask' in note) options.onEvent?.({ type: 'reask', reask: note.reask });
  else options.onEvent?.({ type: 'tools-refused', message: failed.message });
  for await (const batch of emulateBatches(request, upstream, options)) {
    // Reasoning of the failed answer went out, and the start with it.
    const events = healing.started ? batch.filter(({ type }) => type !== 'answer-start') : batch;
    yield events.map((event) => (event.type === 'report' ? withNote(event.report, note) : event));
  }
}

type FailureNote = { refused: string } | { reask: Reask };

function withNote(report: Report, note: FailureNote): AnswerEvent {
  const noted =
    'reask' in note ? { ...report, reasks: [note.reask, ...report.reasks] } : { ...report, ...note };
  return { type: 'report', report: noted };
}

/** How much a report keeps of what the model wrote in a call that the upstream could not read. */
const LONGEST_TEXT = 2000;

function failedCall({ raw = '' }: CallFailure, { message }: ApiError): FailureNote {
  return { reask: { choice: 0, reasons: [message], issues: [], text: raw.slice(0, LONGEST_TEXT) } };
}

/** How much a report keeps of the error that calls were read from. */
const LONGEST_MESSAGE = 200;

class Healing {
  /** Text or a call was delivered: it is too late to ask again. */
  delivered = false;
  /** An event was delivered. */
  started = false;
  /** An error of the upstream, for the caller to throw after the events that came before it. */
  error: ApiError | undefined;
  readonly #request: ModelRequest;
  readonly #options: BridgeOptions & UpstreamContext;
  readonly #watched: readonly Dialect[];
  readonly #choices = new Map<number, HealedChoice>();
  readonly #report: Report;
  readonly #count = new UsageCount();
  readonly #usage: AttemptUsage;
  #start: AnswerEvent | undefined;

  constructor(request: ModelRequest, options: BridgeOptions & UpstreamContext) {
    this.#request = request;
    this.#usage = this.#count.begin(request);
    this.#options = options;
    this.#watched = this.#watches() ? watchedDialects(request, options) : [];
    const { skippedTools } = request;
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
    return this.#request.conversation.tools.length > 0;
  }

  begin(upstream: Upstream): AsyncIterator<AnswerEvent[], unknown> {
    const { signal, onEvent } = this.#options;
    onEvent?.({ type: 'upstream-request', choice: 0, attempt: 0, request: this.#request });
    refuseMedia(this.#request.conversation.messages, upstream);
    const handles = (error: ApiError) => this.hasTools && callFailure(error) !== undefined;
    return batchesOf(upstream.ask(this.#request, { signal, handles }));
  }

  /** Gives the answer that the calls in an error make. Undefined: it has no whole call. */
  rescue({ raw }: CallFailure, { message }: ApiError): AnswerEvent[] | undefined {
    const { choices = 1, parallelCalls: parallel = true } = this.#request.settings;
    if (raw === undefined || choices > 1 || !this.#watches()) return undefined;
    this.#options.onEvent?.({ type: 'upstream-text', choice: 0, attempt: 0, text: raw });
    const { dialects } = this.#options.dialects ?? all;
    const events = rescueCalls(raw, dialects, { ...this.#choiceOptions(0), parallel });
    if (!events) return undefined;
    this.#usage.wrote(raw);
    this.#report.rescued = message.slice(0, LONGEST_MESSAGE);
    const start = this.#start ?? { type: 'answer-start' };
    return [...(this.started ? [] : [start]), ...events, ...this.end()];
  }

  /** Gives the events of one piece of the upstream as the client is to get them. */
  read(batch: readonly AnswerEvent[]): AnswerEvent[] {
    const out: AnswerEvent[] = [];
    for (const event of batch) {
      if (event.type === 'error') {
        this.error = event.error;
        break;
      }
      // The start waits for the next event, which may be a refusal of tools.
      if (event.type === 'answer-start') this.#start = event;
      else if (event.type === 'usage') this.#usage.told(event.usage);
      else {
        if ('text' in event) this.#usage.wrote(event.text);
        if (this.#start) out.push(this.#start);
        this.#start = undefined;
        this.started = true;
        this.delivered ||= event.type !== 'reasoning-delta' && !('text' in event && event.text === '');
        for (const one of this.#healed(event)) out.push(one);
      }
    }
    return out;
  }

  end(): AnswerEvent[] {
    this.#usage.end();
    const usage = this.#count.total;
    const report: Report = { ...this.#report, usage: usage.estimated ? 'estimated' : 'upstream' };
    return [
      { type: 'usage', usage },
      { type: 'report', report },
    ];
  }

  #healed(event: AnswerEvent): AnswerEvent[] {
    if (event.type === 'report' || event.type === 'answer-start' || event.type === 'usage') return [event];
    if (event.type === 'error') return [event];
    const choice = event.choice ?? 0;
    if (event.type === 'text-delta') {
      this.#options.onEvent?.({ type: 'upstream-text', choice, attempt: 0, text: event.text });
    }
    if (this.#watched.length === 0) return [event];
    return this.#choice(choice).read(event);
  }

  #choice(choice: number): HealedChoice {
    let healed = this.#choices.get(choice);
    if (!healed) {
      healed = new HealedChoice(this.#choiceOptions(choice));
      this.#choices.set(choice, healed);
    }
    return healed;
  }

  #choiceOptions(choice: number): HealedChoiceOptions {
    const { conversation } = this.#request;
    const tools = allowedTools(conversation);
    const { limits, policies, onEvent, echoes, inReasoning } = this.#options;
    return {
      choice,
      dialects: this.#watched,
      tools: new Map(tools.map((tool) => [tool.name, tool])),
      toolChoice: conversation.toolChoice,
      refuseEchoes: echoes === 'refuse',
      report: this.#report,
      usedIds: callIds(conversation.messages),
      newId: () => (this.#options.newId ?? newId)(prefixesOf(this.#options, this.#request).call),
      parser: {
        tools,
        thinking: inReasoning ?? false,
        untrusted: untrustedText(conversation.messages),
        ...(limits && { limits }),
        ...(policies && { policies }),
      },
      ...(onEvent && {
        onParse: (event: ParseEvent) => onEvent({ type: 'parse', choice, attempt: 0, event }),
      }),
    };
  }

  /** Whether text is searched for calls: not without tools, and not with the choice `none`. */
  #watches(): boolean {
    return (
      this.hasTools &&
      this.#request.conversation.toolChoice !== 'none' &&
      this.#options.policies?.calls !== 'text'
    );
  }
}

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
