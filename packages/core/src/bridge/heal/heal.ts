// Heals an upstream that has native tool calls but leaks some as text: native calls pass untouched, text is searched for
// calls in the model's dialects, and an upstream that refuses tools is asked again with emulation.

import { all } from '../../dialects/all.js';
import type { Dialect } from '../../engine/dialect.js';
import {
  type AnswerEvent,
  ApiError,
  type ModelRequest,
  type ParseEvent,
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
import { HealedChoice, type HealedChoiceOptions } from './healed-choice.js';
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
  let refused: ApiError | undefined;
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
    if (!(error instanceof ApiError) || healing.delivered || !healing.hasTools || !refusesTools(error))
      throw error;
    refused = error;
  } finally {
    answer?.return?.()?.catch(() => {});
  }
  options.onEvent?.({ type: 'tools-refused', message: refused.message });
  for await (const batch of emulateBatches(request, upstream, options)) {
    yield batch.map((event) => (event.type === 'report' ? withRefusal(event.report, refused) : event));
  }
}

function withRefusal(report: Report, { message }: ApiError): AnswerEvent {
  return { type: 'report', report: { ...report, refused: message } };
}

class Healing {
  /** An event was delivered: it is too late to ask again. */
  delivered = false;
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
    return batchesOf(upstream.ask(this.#request, { signal }));
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
        this.delivered = true;
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
