// Events as the body of a streamed response: encoded when the client reads, so that a slow client slows the upstream
// down (backpressure), with a heartbeat in long silences, and always with a proper end.

import type { AnswerEvent, ApiError, ApiErrorCode } from '../../model/index.js';
import type { StreamEncoder } from '../../wire/index.js';
import { asApiError } from '../emulate/spell-request.js';
import { batchesOf } from '../upstream/batches.js';
import type { ReplyStream } from './reply.js';

export interface EventStreamOptions {
  encoder: StreamEncoder;
  heartbeat: { text: string; every: number };
  /** Errors that are sent in the stream, even if nothing was sent before. */
  carries?: readonly ApiErrorCode[] | undefined;
  /** Stores the whole response of an answer before its end is written, and gives it as it is to be written. */
  keep?: ((response: Record<string, unknown>) => Promise<Record<string, unknown>>) | undefined;
  /** Sees each event, and gives it as it is to be written. */
  watch(event: AnswerEvent): AnswerEvent;
  /** Called with an error that is sent in the stream. */
  onError(error: ApiError): void;
  /** Called when the client has disconnected. */
  onCancel(reason: unknown): void;
}

/**
 * Waits for the first event, so that an error before it can still become an HTTP status; but not longer than the first
 * heartbeat is due. From then on errors are sent in the stream.
 */
export async function eventStream(
  events: AsyncIterable<AnswerEvent>,
  options: EventStreamOptions,
): Promise<ReplyStream> {
  const pump = new Pump(events, options);
  // The first event starts the response, also if it has no text for the client yet.
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

/** Encodes the events, one batch at a time. */
class Pump {
  readonly #batches: AsyncIterator<AnswerEvent[], unknown>;
  /** The batch that is being waited for, across heartbeats. */
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

  /** Takes the first step. An error here ends the events, and is the caller's to report, unless the stream carries it. */
  async begin(): Promise<string | undefined> {
    try {
      return await this.#step();
    } catch (error) {
      this.stop();
      const known = asApiError(error);
      if (this.options.carries?.includes(known.code)) return this.#fail(known);
      throw error;
    }
  }

  /** Gives the next batch as text, possibly empty, or a heartbeat. Undefined at the end. Throws what events throw. */
  async #step(): Promise<string | undefined> {
    if (this.#over) return undefined;
    this.#pending ??= this.#batches.next();
    const result = await this.#heartbeat.orSilence(this.#pending);
    if (result === 'silence') return this.options.heartbeat.text;
    this.#pending = undefined;
    return result.done ? this.#end() : this.#encode(result.value);
  }

  /** Gives the next text for the client, errors included. Undefined at the end. */
  async next(): Promise<string | undefined> {
    try {
      for (;;) {
        const text = this.options.encoder.rest?.() || (await this.#step());
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
      // The encoder has counted the text before the error as sent, so it has to be sent.
      if (text === '') throw error;
      this.stop();
      return text + this.#fail(asApiError(error));
    }
  }

  #fail(error: ApiError): string {
    this.options.onError(error);
    return this.options.encoder.encode({ type: 'error', error });
  }

  /** A client's next request may refer to the response, so its last event waits until it is stored. */
  async #end(): Promise<string> {
    this.#over = true;
    this.#heartbeat.stop();
    const { encoder, keep } = this.options;
    const response = keep && encoder.last?.();
    return encoder.end(response && (await keep(response)));
  }
}

/**
 * Waits for events, and reports when a wait has become a silence. One timer serves a whole stream: setting and clearing
 * one for every event would cost more than the event.
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
