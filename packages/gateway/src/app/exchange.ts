// One request to a model, from its headers to the last byte of its answer.

import { ApiError } from '@dragoman/core';
import { errorReply, type Reply } from '@dragoman/core/bridge';
import type { KeyConfig } from '../config/config.js';
import { requestId } from '../observability/request-id.js';
import type { Turn } from '../responses/index.js';
import type { ExchangeInfo, ExchangeWatch } from '../services.js';
import type { Surroundings } from './app.js';
import type { Asked } from './asked.js';
import type { Place } from './exchange-count.js';
import type { Plan } from './plan.js';
import { WatchedStream } from './watched-stream.js';

export class Exchange {
  readonly #id: string;
  readonly #plan: Plan;
  #watch: ExchangeWatch | undefined;
  #key: KeyConfig | undefined;
  #turn: Turn | undefined;
  #place: Place | undefined;
  #left = false;
  #ended = false;
  /** What the client was told in the place of an answer, or in the middle of one. */
  #error: ApiError | undefined;

  constructor(
    readonly asked: Asked,
    readonly around: Surroundings,
  ) {
    this.#id = requestId(asked.header('x-request-id'));
    this.#plan = around.plan();
  }

  async answer(): Promise<Reply> {
    try {
      this.#key = await this.#plan.admit(this.asked, this.around);
      this.#watch = this.around.watcher.begin(this.#info());
      if (this.#key?.requestsPerMinute !== undefined) await this.#takeTurn();
      this.#place = this.around.count.enter();
      return this.#watched(await this.#reply(this.#place));
    } catch (error) {
      const reply = errorReply(this.asked.path, error);
      this.#error ??= error instanceof ApiError ? error : new ApiError('internal', String(error));
      this.#end(this.#left ? 499 : reply.status);
      return this.#named(reply);
    }
  }

  async #reply({ aborter }: Place): Promise<Reply> {
    this.asked.onLeave((reason) => {
      this.#left = true;
      aborter.abort(reason);
    });
    const reply = await this.#plan.replierFor(this.asked)(this.asked, {
      aborter,
      left: () => this.#left,
      prepare: (body) => this.#prepare(body),
      onError: (error) => {
        this.#error = error;
      },
      ...(this.#watch?.event && { onEvent: (event) => this.#watch?.event?.(event) }),
    });
    return this.#turn ? this.#turn.answer(reply) : reply;
  }

  /** What a Responses request refers to is put in its place. */
  #prepare(body: unknown): unknown {
    const model = modelOf(body);
    if (model !== undefined) this.#allow(model);
    return this.asked.path.endsWith('/responses') ? this.#expand(body) : body;
  }

  async #expand(body: unknown): Promise<unknown> {
    this.#turn = await this.around.responses.of(this.#key?.name).expand(body);
    return this.#turn.body;
  }

  #allow(model: string): void {
    if (!this.#plan.mayUse(this.#key, model)) {
      const message = `This key may not use the model ${JSON.stringify(model.slice(0, 100))}.`;
      throw new ApiError('forbidden', message, { path: 'model' });
    }
    const route = this.#plan.models.find(model);
    this.#watch?.model?.({ name: route.name, upstream: route.upstreamName });
  }

  async #takeTurn(): Promise<void> {
    const { name, requestsPerMinute } = this.#key ?? {};
    if (name === undefined || requestsPerMinute === undefined) return;
    const taken = await this.around.limiter.take(name, requestsPerMinute);
    if (taken.ok) return;
    const message = `This key may ask ${requestsPerMinute} times a minute; try again in ${taken.retryAfter} s.`;
    throw new ApiError('rate-limited', message, { retryAfter: taken.retryAfter });
  }

  #watched(reply: Reply): Reply {
    const { status, body } = reply;
    if (typeof body === 'string') {
      this.#watch?.firstByte?.();
      this.#end(status);
      return this.#named(reply);
    }
    const stream = new WatchedStream(body, {
      firstByte: () => this.#watch?.firstByte?.(),
      end: ({ left }) => {
        this.#left ||= left;
        this.#end(status);
      },
    });
    // Also if nobody has begun to read for the client yet.
    this.asked.onLeave((reason) => stream.cancel(reason));
    return this.#named({ ...reply, body: stream });
  }

  #named(reply: Reply): Reply {
    reply.headers['x-request-id'] = this.#id;
    return reply;
  }

  #end(status: number): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#place?.leave();
    const left = this.#left;
    const { code = 'internal', message = '' } = this.#error ?? {};
    const problem = this.#error && !left ? { error: { code, message } } : {};
    this.#watch?.end?.({ status, left, ...problem });
    const { method, path } = this.asked;
    const fields = { id: this.#id, method, path, status, key: this.#key?.name, ...problem };
    const failed = status >= 500 || (status === 200 && 'error' in problem);
    const words = left ? 'the client left' : failed ? 'failed' : 'answered';
    this.around.log[failed ? 'warn' : 'info'](fields, words);
  }

  #info(): ExchangeInfo {
    const traceparent = this.asked.header('traceparent');
    return {
      id: this.#id,
      api: apiOf(this.asked.path),
      ...(this.#key && { key: this.#key.name }),
      ...(traceparent && { traceparent }),
    };
  }
}

function apiOf(path: string): ExchangeInfo['api'] {
  if (path.endsWith('/count_tokens')) return 'count-tokens';
  if (path.endsWith('/messages')) return 'messages';
  return path.endsWith('/responses') ? 'responses' : 'chat';
}

function modelOf(body: unknown): string | undefined {
  const model = typeof body === 'object' && body !== null ? (body as { model?: unknown }).model : undefined;
  return typeof model === 'string' ? model : undefined;
}
