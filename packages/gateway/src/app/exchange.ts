// One request to a model, from its headers to the last byte of its answer.

import { ApiError } from '@dragoman/core';
import { errorResponse } from '@dragoman/core/bridge';
import type { KeyConfig } from '../config/config.js';
import type { Turn } from '../responses/index.js';
import { requestId } from '../seen/request-id.js';
import type { ExchangeInfo, ExchangeWatch } from '../services.js';
import type { Surroundings } from './app.js';
import type { Place } from './exchange-count.js';
import type { Plan } from './plan.js';
import { watchBody } from './watched-body.js';

export class Exchange {
  readonly #id: string;
  readonly #plan: Plan;
  #watch: ExchangeWatch | undefined;
  #key: KeyConfig | undefined;
  #turn: Turn | undefined;
  #ended = false;

  constructor(
    readonly request: Request,
    readonly around: Surroundings,
  ) {
    this.#id = requestId(request.headers.get('x-request-id'));
    this.#plan = around.plan();
  }

  async answer(): Promise<Response> {
    let place: Place | undefined;
    try {
      this.#key = await this.#plan.admit(this.request, this.around);
      this.#watch = this.around.watcher.begin(this.#info());
      await this.#takeTurn();
      place = this.around.count.enter();
      return this.#watched(await this.#respond(place), place);
    } catch (error) {
      place?.leave();
      const left = this.request.signal.aborted;
      const response = errorResponse(this.request.url, error);
      this.#end({ status: left ? 499 : response.status, error, left });
      return this.#named(response);
    }
  }

  async #respond({ signal }: Place): Promise<Response> {
    const respond = this.#plan.respondFor(this.request);
    const response = await respond(this.request, {
      signal,
      prepare: (body) => this.#prepare(body),
      ...(this.#watch?.event && { onEvent: (event) => this.#watch?.event?.(event) }),
    });
    return this.#turn ? this.#turn.answer(response) : response;
  }

  /** What a Responses request refers to is put in its place. */
  async #prepare(body: unknown): Promise<unknown> {
    const model = modelOf(body);
    if (model !== undefined) this.#allow(model);
    if (!new URL(this.request.url).pathname.endsWith('/responses')) return body;
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

  #watched(response: Response, place: Place): Response {
    const { status } = response;
    return this.#named(
      watchBody(response, this.request.signal, {
        firstByte: () => this.#watch?.firstByte?.(),
        end: ({ left }) => {
          place.leave();
          this.#end({ status, left });
        },
      }),
    );
  }

  #named(response: Response): Response {
    response.headers.set('x-request-id', this.#id);
    return response;
  }

  #end({ status, error, left }: { status: number; error?: unknown; left: boolean }): void {
    if (this.#ended) return;
    this.#ended = true;
    const { code = 'internal', message = '' } = (error ?? {}) as Partial<ApiError>;
    const problem = error === undefined ? {} : { error: { code, message } };
    this.#watch?.end?.({ status, left, ...problem });
    const { method, url } = this.request;
    const fields = {
      id: this.#id,
      method,
      path: new URL(url).pathname,
      status,
      key: this.#key?.name,
      ...problem,
    };
    this.around.log[status >= 500 ? 'warn' : 'info'](fields, left ? 'the client left' : 'answered');
  }

  #info(): ExchangeInfo {
    const path = new URL(this.request.url).pathname;
    const traceparent = this.request.headers.get('traceparent');
    return {
      id: this.#id,
      api: apiOf(path),
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
