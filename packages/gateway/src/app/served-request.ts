// One request to a model, from its headers to the last byte of its answer.

import { ApiError } from '@dragoman/core';
import { errorReply, type Reply, unlessAborted } from '@dragoman/core/bridge';
import type { WireRoute } from '@dragoman/core/wire';
import { requestId } from '../observability/request-id.js';
import type { ExpandedRequest } from '../responses/index.js';
import type { ExchangeInfo, ExchangeWatch } from '../services.js';
import type { AppContext } from './app.js';
import type { AppRequest } from './app-request.js';
import type { RunningRequest } from './exchange-count.js';
import { takeRate } from './key-rate.js';
import type { Client, Plan } from './plan.js';
import { type RequestBody, readBody } from './request-body.js';
import { StoredSize } from './stored-size.js';
import { untilGiven, WatchedStream } from './watched-stream.js';
import type { WorkShare } from './work-budget.js';

type UsedModel = ReturnType<Plan['models']['find']>;

/** Characters of the store from which on the steps of a request are divided by pauses, as those of a long body are. */
const LONG_STORED = 32 * 1024;

export class ServedRequest {
  readonly #id: string;
  readonly #plan: Plan;
  #watch: ExchangeWatch | undefined;
  #key: Client | undefined;
  /** Whose stored responses and kept turns the request may use. */
  #client: string | undefined;
  #expanded: ExpandedRequest | undefined;
  #running: RunningRequest | undefined;
  #share: WorkShare | undefined;
  #stored: StoredSize | undefined;
  #admitted = false;
  #left = false;
  #ended = false;
  /** The error that the client got, instead of an answer or in the middle of one. */
  #error: ApiError | undefined;

  constructor(
    readonly request: AppRequest,
    readonly route: WireRoute,
    readonly context: AppContext,
  ) {
    this.#id = requestId(request.header('x-request-id'));
    this.#plan = context.plan();
  }

  async answer(): Promise<Reply> {
    try {
      this.#key = await this.#plan.admit(this.request, this.context);
      this.#admitted = true;
      if (this.#key?.requestsPerMinute !== undefined) await takeRate(this.context, this.#key, 'models');
      const { count, room } = this.context;
      while (count.full && (await room?.more()));
      this.#running = count.enter();
      this.#watchLeave(this.#running);
      const body = await unlessAborted(this.#read(), this.#running.aborter.signal);
      const { lane } = this.context;
      if (body.isLarge && lane?.isOpen) return this.#followed(await lane.answer(this.request, body));
      if (this.#usesStore) return await this.#replyWithStored(body, this.#running);
      this.#begin();
      return this.#watched(await this.#reply(body, this.#running));
    } catch (error) {
      if (this.#admitted) this.#begin();
      const reply = errorReply(this.request.path, error, this.context.wires);
      this.#error ??= error instanceof ApiError ? error : new ApiError('internal', String(error));
      this.#end(this.#left ? 499 : reply.status);
      return this.#named(reply);
    }
  }

  #watchLeave({ aborter }: RunningRequest): void {
    this.request.onLeave((reason) => {
      this.#left = true;
      aborter.abort(reason);
    });
  }

  #begin(): void {
    this.#watch ??= this.context.watcher.begin(this.#info());
  }

  async #read(): Promise<RequestBody> {
    const owner = await this.#plan.scopeOf(this.request, this.#key);
    this.#client = owner;
    this.#share = this.context.work.open();
    try {
      const { lane, known } = this.context;
      const { limits } = this.#plan.config;
      const hasLane = lane?.isOpen === true;
      return await readBody(this.request, { limits, share: this.#share, hasLane, known, owner });
    } catch (error) {
      if (error instanceof ApiError) throw error;
      throw new ApiError('bad-request', `The body could not be read (${error}).`, { cause: error });
    }
  }

  get #usesStore(): boolean {
    return this.route.wire.state.resolveItems !== undefined;
  }

  /** What is stored may make a large request of a small one: then the lane answers it, and logs and measures it. */
  async #replyWithStored(body: RequestBody, running: RunningRequest): Promise<Reply> {
    const { lane } = this.context;
    const hasLane = lane?.isOpen === true;
    // A large body is only answered here where there is no lane.
    const segments = hasLane ? [...body.segments] : [];
    const { limits } = this.#plan.config;
    if (this.#share) this.#stored = new StoredSize({ limits, share: this.#share, hasLane }, body);
    const reply = await this.#reply(body, running);
    if (lane && this.#stored?.isForTheLane)
      // Copied: a body that is kept among those counted may lie there, and the other thread takes the memory away.
      return this.#followed(
        await lane.answer(this.request, { segments: segments.map((bytes) => new Uint8Array(bytes)) }),
      );
    this.#begin();
    return this.#watched(reply);
  }

  async #reply(body: RequestBody, { aborter }: RunningRequest): Promise<Reply> {
    const { method, path, header } = this.request;
    const incoming = { method, path, header, text: async () => body.text() };
    return this.#plan.replierFor(this.request)(incoming, {
      client: this.#client,
      aborter,
      left: () => this.#left,
      onHeld: (characters) => this.#share?.hold(characters),
      ...(this.request.pause && { pause: this.request.pause }),
      elements: () => body.size.elements,
      prepare: (body) => this.#prepare(body),
      isLong: () => (this.#stored?.characters ?? 0) > LONG_STORED,
      onError: (error) => {
        if (!this.#stored?.isForTheLane) this.#error = error;
      },
      ...(this.#usesStore && {
        stored: {
          show: (response) => this.#expanded?.show(response) ?? response,
          keep: async (response) => this.#expanded?.keep(response) ?? response,
        },
      }),
      ...((!this.#watch || this.#watch.event) && { onEvent: (event) => this.#watch?.event?.(event) }),
    });
  }

  /** Checks the model, and replaces ids of stored items by the items, in an API that has them. */
  #prepare(body: unknown): unknown {
    const model = modelOf(body);
    const used = model === undefined ? undefined : this.#allowed(model);
    if (this.#usesStore) return this.#expand(body, used);
    this.#noteModel(used);
    return body;
  }

  async #expand(body: unknown, used: UsedModel | undefined): Promise<unknown> {
    try {
      const kept = this.context.responses.of(this.#client, this.#stored?.count);
      this.#expanded = await kept.expand(body);
      return this.#expanded.body;
    } finally {
      if (!this.#stored?.isForTheLane) {
        this.#begin();
        this.#noteModel(used);
      }
    }
  }

  #noteModel(used: UsedModel | undefined): void {
    if (used) this.#watch?.model?.({ name: used.name, upstream: used.upstreamName });
  }

  #allowed(model: string): UsedModel {
    if (!this.#plan.mayUse(this.#key, model)) {
      const message = `This key may not use the model ${JSON.stringify(model.slice(0, 100))}.`;
      throw new ApiError('forbidden', message, { path: 'model' });
    }
    return this.#plan.models.find(model);
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
    // Also if the server has not begun to read the stream yet.
    this.request.onLeave((reason) => stream.cancel(reason));
    return this.#named({ ...reply, body: stream });
  }

  /** A reply of the lane, which has its own log and metrics. */
  #followed(reply: Reply): Reply {
    return untilGiven(reply, this.request, () => this.#leave());
  }

  #leave(): void {
    this.#running?.leave();
    this.#share?.leave();
  }

  #named(reply: Reply): Reply {
    reply.headers['x-request-id'] = this.#id;
    return reply;
  }

  #end(status: number): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#leave();
    const left = this.#left;
    const { code = 'internal', message = '' } = this.#error ?? {};
    const problem = this.#error && !left ? { error: { code, message } } : {};
    this.#watch?.end?.({ status, left, ...problem });
    const { method, path } = this.request;
    const fields = { id: this.#id, method, path, status, key: this.#key?.name, ...problem };
    const failed = status >= 500 || (status === 200 && 'error' in problem);
    const words = left ? 'the client disconnected' : failed ? 'failed' : 'answered';
    this.context.log[failed ? 'warn' : 'info'](fields, words);
  }

  #info(): ExchangeInfo {
    const traceparent = this.request.header('traceparent');
    return {
      id: this.#id,
      api: apiOf(this.route),
      ...(this.#key && { key: this.#key.name }),
      ...(traceparent && { traceparent }),
    };
  }
}

/** Gives the API's name for metrics and traces: `chat` of `/chat/completions`. */
function apiOf({ wire, counts }: WireRoute): string {
  return counts ? 'count-tokens' : (wire.path.split('/')[1] ?? wire.name);
}

function modelOf(body: unknown): string | undefined {
  const model = typeof body === 'object' && body !== null ? (body as { model?: unknown }).model : undefined;
  return typeof model === 'string' ? model : undefined;
}
