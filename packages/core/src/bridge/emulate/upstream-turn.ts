// One request to an upstream that only writes text: passes its answer to an attempt, piece by piece, until that is done.

import type { AnswerEvent, ApiError, FinishReason } from '../../model/index.js';
import type { BridgeEvent } from '../options.js';
import { batchesOf } from '../upstream/batches.js';
import type { HeldSize } from '../upstream/held-size.js';
import { LinkedAborter } from '../upstream/on-abort.js';
import type { Upstream, UpstreamContext, UpstreamRequest } from '../upstream/upstream.js';
import type { AttemptUsage } from '../upstream/usage-count.js';
import type { Attempt } from './attempt.js';

/** The abort reason, made once: an abort without a reason makes an error with a stack trace each time. */
export const OVER = new DOMException('The answer is over.', 'AbortError');

export interface UpstreamTurnOptions {
  choice: number;
  attempt: number;
  request: UpstreamRequest;
  upstream: Upstream;
  reading: Attempt;
  usage: AttemptUsage;
  signal: AbortSignal;
  /** Makes the first event for the client, unless an earlier attempt gave it. */
  start(): AnswerEvent;
  tell?: ((event: BridgeEvent) => void) | undefined;
  /** See UpstreamContext for these. */
  client?: string | undefined;
  held?: HeldSize | undefined;
  onIgnored(member: string): void;
  onHeld(): void;
}

export class UpstreamTurn {
  /** The upstream's finish reason. */
  reason: FinishReason = 'stop';
  readonly #stopper: LinkedAborter;
  readonly #batches: AsyncIterator<AnswerEvent[], unknown>;
  #begun: boolean;
  /** An error of the upstream, thrown after the events that came before it. */
  #error: ApiError | undefined;
  /** The upstream's answer has ended. */
  #over = false;

  constructor(readonly options: UpstreamTurnOptions) {
    const { choice, attempt, request, upstream, signal, tell, client, onIgnored, onHeld } = options;
    this.#begun = attempt > 0;
    tell?.({ type: 'upstream-request', choice, attempt, request });
    this.#stopper = new LinkedAborter(signal);
    try {
      const context: UpstreamContext = {
        signal: this.#stopper.signal,
        onIgnored,
        onHeld,
        ...(client !== undefined && { client }),
        ...tellingMembers(tell, choice, attempt),
      };
      this.#batches = batchesOf(upstream.ask(request, context));
    } catch (error) {
      this.#stopper.letGo();
      throw error;
    }
  }

  /** Gives the events of the next piece, possibly none. Undefined when the answer has ended or the attempt is done. */
  async next(): Promise<AnswerEvent[] | undefined> {
    if (this.#error) throw this.#error;
    if (this.options.reading.done) return undefined;
    const step = await this.#batches.next();
    this.#over = step.done === true;
    if (step.done) return undefined;
    const out: AnswerEvent[] = this.#begun ? [] : [this.options.start()];
    this.#begun = true;
    for (const event of step.value) {
      this.#error = event.type === 'error' ? event.error : this.options.held?.add(event);
      if (this.#error) break;
      const read = this.#read(event);
      if (read) for (const one of read) out.push(one);
      if (this.options.reading.done) break;
    }
    return out;
  }

  /** Counts the usage, and aborts the request if its answer has not ended. */
  end(): void {
    this.#stopper.letGo();
    this.options.usage.end();
    if (this.#over) return;
    this.#stopper.abort(OVER);
    this.#batches.return?.()?.catch(() => {});
  }

  #read(event: AnswerEvent): AnswerEvent[] | undefined {
    const { reading, usage, choice, attempt, tell } = this.options;
    switch (event.type) {
      case 'text-delta':
        tell?.({ type: 'upstream-text', choice, attempt, text: event.text });
        usage.wrote(event.text);
        return reading.feed(event.text);
      case 'reasoning-delta':
        usage.wrote(event.text);
        return reading.reasoning(event.text);
      case 'call-delta':
        usage.wrote(event.text);
        return reading.native(event);
      case 'call-start':
      case 'call-end':
        return reading.native(event);
      case 'finish':
        this.reason = event.given ?? event.reason;
        return undefined;
      case 'usage':
        usage.told(event.usage);
        return undefined;
      default:
        return undefined;
    }
  }
}

/** Gives the listener that tells which members were added to a request. */
export function tellingMembers(
  tell: ((event: BridgeEvent) => void) | undefined,
  choice: number,
  attempt: number,
): Pick<UpstreamContext, 'onMembers'> {
  if (!tell) return {};
  return { onMembers: (members) => tell({ type: 'upstream-members', choice, attempt, members }) };
}
