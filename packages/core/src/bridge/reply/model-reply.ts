// The reply to one request, made of the events of the model's answer.

import type { Answer, AnswerEvent, ModelRequest, Report } from '../../model/index.js';
import { isLongJson, jsonPieces } from '../../model/json-pieces.js';
import type { EncodeContext, Wire } from '../../wire/index.js';
import { newId } from '../ids.js';
import type { BridgeOptions } from '../options.js';
import type { TurnMemory } from '../turns/turn-memory.js';
import { TurnNotes } from '../turns/turn-notes.js';
import { HeldSize } from '../upstream/held-size.js';
import { LARGE, pause } from '../upstream/portions.js';
import type { Ask, AskContext } from '../upstream/upstream.js';
import { collectAnswer } from './collect-answer.js';
import { eventStream } from './event-stream.js';
import type { ItemMemory } from './item-memory.js';
import type { Incoming, Reply, ReplyStream } from './reply.js';
import { type HeaderOptions, reportHeaders } from './report-headers.js';
import type { ReplyContext, ResponderSettings } from './respond.js';
import type { Seal } from './seal.js';
import { sealReasoning } from './seal-reasoning.js';

/** The way to ask a model, with its options. */
export interface ModelWay {
  options: BridgeOptions;
  /** One, or several that share the requests. */
  endpoints: readonly HeaderOptions[];
  ask: Ask;
}

export interface ModelReplyOptions {
  wire: Wire;
  request: ModelRequest;
  incoming: Incoming;
  way: ModelWay;
  tell: AskContext['onEvent'];
  memory: ItemMemory;
  settings: Omit<ResponderSettings, 'turns'> & { seal: Seal; turns: TurnMemory | undefined };
  context: ReplyContext;
}

/** Makes one reply, streamed or whole, as the request wants it. */
export class ModelReply {
  readonly #says: boolean;
  #turn: TurnNotes | undefined;
  readonly #context: EncodeContext;
  readonly #held: HeldSize;

  constructor(readonly options: ModelReplyOptions) {
    const { settings, incoming, request, way, memory, context } = options;
    this.#held = new HeldSize({ tell: context.onHeld });
    this.#says = (settings.report ?? true) && incoming.header('x-dragoman-report') !== 'off';
    this.#context = {
      request,
      newId: way.options.newId ?? newId,
      report: this.#says,
      onItem: (item) => memory.keep(item),
    };
  }

  async make(): Promise<Reply> {
    const { wire, request, way, tell, settings, context } = this.options;
    const { signal } = context.aborter;
    const turns = settings.turns?.of(context.client);
    const found = turns?.recall(request) ?? request;
    const recalled = found instanceof Promise ? await found : found;
    this.#turn = turns && new TurnNotes(turns, request, settings.seal.isOwn);
    const answer = way.ask(recalled, {
      signal,
      ids: wire.ids,
      held: this.#held,
      ...(context.client !== undefined && { client: context.client }),
      ...(tell && { onEvent: tell }),
      ...(this.#turn && { turn: this.#turn }),
    });
    const { sealed } = wire.state;
    const events = sealed?.asked(request) ? sealReasoning(answer, sealed.key, settings.seal) : answer;
    return request.stream ? this.#stream(events) : this.#whole(events);
  }

  async #whole(events: AsyncIterable<AnswerEvent>): Promise<Reply> {
    const answer = await collectAnswer(mapEach(events, (event) => this.#watch(event)));
    const isLarge = lengthOf(answer) > LARGE;
    if (isLarge) await pause();
    const { wire, context } = this.options;
    const response = wire.encodeResponse(answer, this.#context);
    const body = context.stored ? await context.stored.keep(response) : response;
    if (isLarge) await pause();
    const headers = this.#headers(answer.report);
    return isLarge && isLongJson(body)
      ? longReply(body, lengthOf(answer), headers)
      : jsonReply(body, headers);
  }

  async #stream(events: AsyncIterable<AnswerEvent>): Promise<Reply> {
    // Made before the model is asked: an error here must not leave an answer that nobody reads.
    const reported = this.#headers();
    const { wire, settings, context } = this.options;
    const { stored } = context;
    const encoding = { ...this.#context, inPieces: true, ...(stored && { show: stored.show }) };
    const keeps = wire.stream.keeps === true;
    const body = await eventStream(events, {
      encoder: wire.createStreamEncoder(encoding),
      keep: stored?.keep,
      heartbeat: { text: wire.stream.heartbeat, every: settings.heartbeat ?? 15_000 },
      carries: wire.stream.carries,
      watch: (event) => {
        if (!keeps) this.#held.give(event);
        return this.#watch(event);
      },
      onError: (error) => context.onError?.(error),
      onCancel: (reason) => context.aborter.abort(reason),
    });
    return { status: 200, headers: { ...streamHeaders(wire), ...reported }, body };
  }

  #headers(report?: Report): Record<string, string> {
    return this.#says ? reportHeaders(this.options.way.endpoints, this.options.request, report) : {};
  }

  /** Gives every answer an id, a model and a time, and reports the event as the client gets it. */
  #watch(event: AnswerEvent): AnswerEvent {
    const shown = event.type === 'answer-start' ? this.#begin(event) : event;
    this.options.tell?.({ type: 'answer', event: shown });
    this.#turn?.pass(shown);
    return shown;
  }

  #begin(event: AnswerEvent & { type: 'answer-start' }): AnswerEvent {
    const { wire, request } = this.options;
    const id = event.id ?? this.#context.newId(wire.ids.answer);
    const created = event.created ?? Math.floor(Date.now() / 1000);
    return { ...event, id, model: event.model ?? request.model, created };
  }
}

function streamHeaders({ stream }: Wire): Record<string, string> {
  return {
    'content-type': `${stream.type}; charset=utf-8`,
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  };
}

/** Characters of all that was written. */
function lengthOf({ choices }: Answer): number {
  let length = 0;
  for (const { parts } of choices)
    for (const part of parts) length += (part.type === 'tool-call' ? part.raw : part.text)?.length ?? 0;
  return length;
}

export function jsonReply(body: unknown, headers: Record<string, string> = {}, status = 200): Reply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

/** Writes a long body while the client reads it: at once, it would keep all others waiting. */
function longReply(body: unknown, length: number, headers: Record<string, string>): Reply {
  const pieces = jsonPieces(body);
  let held = length;
  const end = () => {
    held = 0;
    pieces.return();
  };
  const stream: ReplyStream = {
    async next() {
      await pause();
      const { value } = pieces.next();
      if (value === undefined) end();
      return value ?? undefined;
    },
    get held() {
      return held;
    },
    cancel: end,
  };
  return { status: 200, headers: { 'content-type': 'application/json', ...headers }, body: stream };
}

/**
 * Maps each item. This is a plain iterator: a generator would cost an item three turns of the microtask queue instead of
 * one.
 */
export function mapEach<T, R>(items: AsyncIterable<T>, map: (item: T) => R): AsyncIterable<R> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = items[Symbol.asyncIterator]();
      const mapped = (result: IteratorResult<T>): IteratorResult<R> => {
        if (result.done) return { done: true, value: undefined };
        try {
          return { done: false, value: map(result.value) };
        } catch (error) {
          // After an error nothing more is read, so the source is ended.
          iterator.return?.().catch(() => {});
          throw error;
        }
      };
      return {
        next: () => iterator.next().then(mapped),
        async return() {
          await iterator.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
