// The three APIs over one model: a web `Request` in, a web `Response` out. No server; any server can carry it.
//
//   Request ──decode──> ModelRequest ──ask──> AnswerEvent… ──encode──> Response

import { type AnswerEvent, ApiError, type ApiName, type ModelRequest } from '../model/index.js';
import { type Wire, wireOf } from '../wire/index.js';
import { collectAnswer } from './collect-answer.js';
import { type AskOptions, createAsk, toUpstream } from './create-ask.js';
import { estimateTokens } from './estimate-tokens.js';
import { eventStream } from './event-stream.js';
import { answerPrefix } from './ids.js';
import { newId } from './new-id.js';
import { readBody } from './read-body.js';
import { reportHeaders } from './report-headers.js';
import { asApiError } from './spell-request.js';
import type { Ask, Upstream } from './upstream.js';

export interface ResponderOptions extends AskOptions {
  /** Whether answers say what happened, in the member `dragoman` and the header `x-dragoman`. Default true. */
  report?: boolean;
  /** Milliseconds of silence after which a stream says that it is alive. Default 15,000; 0: never. */
  heartbeat?: number;
  /** The longest body that is read, in bytes. Default 32 MiB. */
  bodyBytes?: number;
}

export type Responder = (request: Request) => Promise<Response>;

/** The ends of the addresses that are answered. What stands before them makes no difference. */
const routes: readonly { end: string; wire: Wire['name']; counts?: boolean }[] = [
  { end: '/chat/completions', wire: 'openai-chat' },
  { end: '/responses', wire: 'openai-responses' },
  { end: '/messages', wire: 'anthropic-messages' },
  { end: '/messages/count_tokens', wire: 'anthropic-messages', counts: true },
];

export function createResponder(settings: ResponderOptions): Responder {
  const options = { ...settings, upstream: toUpstream(settings.upstream) };
  const ask = createAsk(options);
  return async (request) => {
    const path = new URL(request.url).pathname;
    const route = routes.find(({ end }) => path.endsWith(end));
    const wire = wireOf(route?.wire ?? 'openai-chat');
    try {
      if (!route) throw noRoute(path);
      if (request.method !== 'POST') throw notPost(request.method);
      const asked = wire.decodeRequest(await readBody(request, options.bodyBytes));
      refuseState(asked);
      options.onEvent?.({ type: 'request', request: asked });
      if (route.counts) return Response.json({ input_tokens: countTokens(asked) });
      return await new Exchange(wire, asked, request, options).respond(ask);
    } catch (error) {
      if (request.signal.aborted) throw error;
      return errorResponse(wire, asApiError(error));
    }
  };
}

class Exchange {
  readonly #aborter = new AbortController();
  readonly #says: boolean;

  constructor(
    readonly wire: Wire,
    readonly asked: ModelRequest,
    readonly request: Request,
    readonly options: ResponderOptions & { upstream: Upstream },
  ) {
    this.#says = (options.report ?? true) && request.headers.get('x-dragoman-report') !== 'off';
  }

  async respond(ask: Ask): Promise<Response> {
    const signal = AbortSignal.any([this.request.signal, this.#aborter.signal]);
    const events = this.#watched(ask(this.asked, { signal }));
    return this.asked.stream ? this.#stream(events) : this.#whole(events);
  }

  async #whole(events: AsyncIterable<AnswerEvent>): Promise<Response> {
    const answer = await collectAnswer(events);
    const body = this.wire.encodeResponse(answer, this.#context());
    return Response.json(body, { headers: this.#headers(answer.report) });
  }

  async #stream(events: AsyncIterable<AnswerEvent>): Promise<Response> {
    // Before anyone is asked: what cannot be said must not leave an answer without a reader.
    const reported = this.#headers();
    const body = await eventStream(events, {
      encoder: this.wire.createStreamEncoder(this.#context()),
      heartbeat: { text: this.wire.heartbeat, every: this.options.heartbeat ?? 15_000 },
      onCancel: (reason) => this.#aborter.abort(reason),
    });
    const headers = {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      ...reported,
    };
    return new Response(body, { headers });
  }

  #context() {
    return { request: this.asked, newId: this.options.newId ?? newId, report: this.#says };
  }

  #headers(report?: Parameters<typeof reportHeaders>[2]): Record<string, string> {
    return this.#says ? reportHeaders(this.options, this.asked, report) : {};
  }

  /** Every answer has an id, a model and a time; whoever watches sees what the client gets. */
  async *#watched(events: AsyncIterable<AnswerEvent>): AsyncGenerator<AnswerEvent> {
    for await (const event of events) {
      const shown = event.type === 'answer-start' ? this.#begin(event) : event;
      this.options.onEvent?.({ type: 'answer', event: shown });
      yield shown;
    }
  }

  #begin(event: AnswerEvent & { type: 'answer-start' }): AnswerEvent {
    const id = event.id ?? this.#context().newId(answerPrefix(this.asked.api));
    const created = event.created ?? Math.floor(Date.now() / 1000);
    return { ...event, id, model: event.model ?? this.asked.model, created };
  }
}

/** What only a server with a memory could do. */
function refuseState({ api, extra = {} }: ModelRequest): void {
  for (const key of remembered.get(api) ?? []) {
    if (extra[key] === undefined || extra[key] === null || extra[key] === false) continue;
    const message = `${key}: nothing is kept here between requests; send the whole conversation`;
    // In these words Anthropic's client is told to go on without: it then sends everything itself.
    const details = { error_code: `${key}_unsupported_request`, unsupported: [key] };
    throw new ApiError('bad-request', message, { path: key, details });
  }
}

const remembered: ReadonlyMap<ApiName | undefined, readonly string[]> = new Map([
  ['openai-responses', ['previous_response_id', 'conversation', 'background']],
  ['anthropic-messages', ['thread']],
]);

/** What a prompt of it would come to: an estimate, and said to be one in the documentation. */
function countTokens({ conversation }: ModelRequest): number {
  return estimateTokens(
    JSON.stringify([conversation.messages, conversation.tools.map(({ source }) => source)]),
  );
}

function noRoute(path: string): ApiError {
  const known = routes.map(({ end }) => `/v1${end}`).join(', ');
  return new ApiError('not-found', `There is nothing at ${path}; there are ${known}.`, { retryable: false });
}

function notPost(method: string): ApiError {
  return new ApiError('method-not-allowed', `This address takes POST, not ${method}.`);
}

function errorResponse(wire: Wire, error: ApiError): Response {
  const { status, headers, body } = wire.encodeError(error);
  const allow = error.code === 'method-not-allowed' ? { allow: 'POST' } : {};
  return Response.json(body, { status, headers: { ...headers, ...allow } });
}
