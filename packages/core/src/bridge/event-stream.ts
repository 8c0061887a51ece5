// Events as the body of a response: encoded when someone reads, so that a slow reader slows the upstream down,
// with a sign of life in long silences, and always with a proper end.

import type { AnswerEvent } from '../model/index.js';
import type { StreamEncoder } from '../wire/index.js';
import { asApiError } from './spell-request.js';

export interface EventStreamOptions {
  encoder: StreamEncoder;
  heartbeat: { text: string; every: number };
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
): Promise<ReadableStream<Uint8Array>> {
  const pump = new Pump(events, options);
  // From the first event on the answer is on its way, also if nothing is to be said of it yet.
  let waiting = (await pump.step()) || undefined;
  const utf8 = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const text = waiting ?? (await pump.next());
        waiting = undefined;
        if (text === undefined) controller.close();
        else controller.enqueue(utf8.encode(text));
      },
      cancel(reason) {
        options.onCancel(reason);
        pump.stop();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Pieces of text for the wire, one at a time. */
class Pump {
  readonly #iterator: AsyncIterator<AnswerEvent>;
  /** The event that is being waited for, across heartbeats. */
  #pending: Promise<IteratorResult<AnswerEvent>> | undefined;
  #over = false;

  constructor(
    events: AsyncIterable<AnswerEvent>,
    readonly options: EventStreamOptions,
  ) {
    this.#iterator = events[Symbol.asyncIterator]();
  }

  /** One event, as text that may be empty; or a sign of life. Undefined at the end. Throws what events throw. */
  async step(): Promise<string | undefined> {
    if (this.#over) return undefined;
    this.#pending ??= this.#iterator.next();
    const result = await orSilence(this.#pending, this.options.heartbeat.every);
    if (result === 'silence') return this.options.heartbeat.text;
    this.#pending = undefined;
    return result.done ? this.#end() : this.#encode(result.value);
  }

  /** The next text for the wire; an error is one, too. Undefined at the end. */
  async next(): Promise<string | undefined> {
    try {
      for (;;) {
        const text = await this.step();
        if (text !== '') return text;
      }
    } catch (error) {
      if (this.#over) return undefined;
      this.stop();
      return this.options.encoder.encode({ type: 'error', error: asApiError(error) });
    }
  }

  stop(): void {
    this.#over = true;
    this.#pending?.catch(() => {});
    this.#iterator.return?.()?.catch(() => {});
  }

  #encode(event: AnswerEvent): string {
    if (event.type === 'error') this.stop();
    return this.options.encoder.encode(event);
  }

  #end(): string {
    this.#over = true;
    return this.options.encoder.end();
  }
}

/** What comes first: the event, or the time to say something. */
async function orSilence<T>(event: Promise<T>, time: number): Promise<T | 'silence'> {
  if (time <= 0) return event;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<'silence'>((resolve) => {
    timer = setTimeout(() => resolve('silence'), time);
  });
  try {
    return await Promise.race([event, silence]);
  } finally {
    clearTimeout(timer);
  }
}
