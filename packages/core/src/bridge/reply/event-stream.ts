// Events as the body of a response: encoded when the client reads, so that a slow reader slows the upstream down,
// with a sign of life in long silences, and always with a proper end.

import type { AnswerEvent, ApiError } from '../../model/index.js';
import type { StreamEncoder } from '../../wire/index.js';
import { asApiError } from '../emulate/spell-request.js';
import { batchesOf } from '../upstream/batches.js';
import type { ReplyStream } from './reply.js';

export interface EventStreamOptions {
  encoder: StreamEncoder;
  heartbeat: { text: string; every: number };
  /** Each event, as it is to be written. */
  watch(event: AnswerEvent): AnswerEvent;
  /** An error that is told in the stream. */
  onError(error: ApiError): void;
  /** The reader has gone. */
  onCancel(reason: unknown): void;
}

/**
 * Waits for the first event, so that an error before it can still become a status; but not longer than the
 * first heartbeat is due. From then on errors are told in the stream.
 */
export async function eventStream(
  events: AsyncIterable<AnswerEvent>,
  options: EventStreamOptions,
): Promise<ReplyStream> {
  const pump = new Pump(events, options);
  // From the first event on the answer is on its way, also if it has no text for the client yet.
  let waiting = (await pump.begin()) || undefined;
  return {
    next() {
      if (waiting === undefined) return pump.next();
      const text = waiting;
      waiting = undefined;
      return Promise.resolve(text);
    },
    cancel(reason) {
      options.onCancel(reason);
      pump.stop();
    },
  };
}

/** Pieces of text for the wire, one at a time. */
class Pump {
  readonly #batches: AsyncIterator<AnswerEvent[], unknown>;
  /** The events that are being waited for, across heartbeats. */
  #pending: Promise<IteratorResult<AnswerEvent[], unknown>> | undefined;
  #over = false;
  readonly #heartbeat: Heartbeat;

  constructor(
    events: AsyncIterable<AnswerEvent>,
    readonly options: EventStreamOptions,
  ) {
    this.#batches = batchesOf(events);
    this.#heartbeat = new Heartbeat(options.heartbeat.every);
  }

  /** The first step. What fails here is told elsewhere, and nothing is left running for it. */
  async begin(): Promise<string | undefined> {
    try {
      return await this.#step();
    } catch (error) {
      this.stop();
      throw error;
    }
  }

  /** What came together, as text that may be empty; or a sign of life. Undefined at the end. Throws what events throw. */
  async #step(): Promise<string | undefined> {
    if (this.#over) return undefined;
    this.#pending ??= this.#batches.next();
    const result = await this.#heartbeat.orSilence(this.#pending);
    if (result === 'silence') return this.options.heartbeat.text;
    this.#pending = undefined;
    return result.done ? this.#end() : this.#encode(result.value);
  }

  /** The next text for the wire; an error is one, too. Undefined at the end. */
  async next(): Promise<string | undefined> {
    try {
      for (;;) {
        const text = await this.#step();
        if (text !== '') return text;
      }
    } catch (error) {
      if (this.#over) return undefined;
      this.stop();
      return this.#fail(asApiError(error));
    }
  }

  stop(): void {
    this.#over = true;
    this.#heartbeat.stop();
    this.#pending?.catch(() => {});
    this.#batches.return?.()?.catch(() => {});
  }

  #encode(batch: readonly AnswerEvent[]): string {
    let text = '';
    try {
      for (const event of batch) {
        const shown = this.options.watch(event);
        if (shown.type === 'error') throw shown.error;
        text += this.options.encoder.encode(shown);
      }
      return text;
    } catch (error) {
      // The encoder counts on it that what was encoded before the error is sent.
      if (text === '') throw error;
      this.stop();
      return text + this.#fail(asApiError(error));
    }
  }

  #fail(error: ApiError): string {
    this.options.onError(error);
    return this.options.encoder.encode({ type: 'error', error });
  }

  #end(): string {
    this.#over = true;
    this.#heartbeat.stop();
    return this.options.encoder.end();
  }
}

/**
 * Waits for events, and says when a wait has become a silence. One timer serves a whole stream: armed and cleared for
 * every event, it would cost more than the event.
 */
class Heartbeat {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #heard = Date.now();
  #tell: (() => void) | undefined;

  /** `every` 0: never. */
  constructor(readonly every: number) {}

  orSilence<T>(event: Promise<T>): Promise<T | 'silence'> {
    if (this.every <= 0) return event;
    this.#heard = Date.now();
    this.#timer ??= this.#arm(this.every);
    return new Promise((resolve, reject) => {
      this.#tell = () => resolve('silence');
      event.then(resolve, reject);
    });
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#tell = undefined;
  }

  #arm(time: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => {
      const silent = Date.now() - this.#heard;
      if (silent < this.every) {
        this.#timer = this.#arm(this.every - silent);
        return;
      }
      this.#timer = undefined;
      this.#tell?.();
    }, time);
  }
}
