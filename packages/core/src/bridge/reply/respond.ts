// The three APIs over one model: a web `Request` in, a web `Response` out. No server; any server can carry it.
//
//   Request ──decode──> ModelRequest ──ask──> AnswerEvent… ──encode──> Response

import { type AnswerEvent, ApiError, type ModelRequest, type Report } from '../../model/index.js';
import { type EncodeContext, type Wire, wireOf } from '../../wire/index.js';
import { answerPrefix } from '../emulate/ids.js';
import { newId } from '../emulate/new-id.js';
import { asApiError } from '../emulate/spell-request.js';
import { estimateTokens } from '../upstream/estimate-tokens.js';
import { onAbort } from '../upstream/on-abort.js';
import { unlessAborted } from '../upstream/unless-aborted.js';
import type { Ask, AskContext, Upstream } from '../upstream/upstream.js';
import { collectAnswer } from './collect-answer.js';
import { type AskOptions, createAsk, toUpstream } from './create-ask.js';
import { eventStream } from './event-stream.js';
import { ItemMemory } from './item-memory.js';
import { mapEach } from './map-each.js';
import { readBody } from './read-body.js';
import { refuseState } from './refuse-state.js';
import { type Incoming, incomingOf, type Reply, toResponse } from './reply.js';
import { reportHeaders } from './report-headers.js';

export interface ResponderSettings {
  /** Whether answers say what happened, in the member `dragoman` and the header `x-dragoman`. Default true. */
  report?: boolean;
  /** Milliseconds of silence after which a stream says that it is alive. Default 15,000; 0: never. */
  heartbeat?: number;
  /** The longest body that is read, in bytes. Default 32 MiB. */
  bodyBytes?: number;
  /** How many items of answers later requests of the Responses API may name. Default 1,000; 0: none. */
  rememberedItems?: number;
}

/** One model. */
export interface ResponderOptions extends AskOptions, ResponderSettings {}

/** Several models. */
export interface RouterOptions extends ResponderSettings {
  /** The way to the model of a request; the same object each time. Throws an ApiError if there is none. */
  route(request: ModelRequest): AskOptions | Promise<AskOptions>;
}

export type Responder = (request: Request, context?: RespondContext) => Promise<Response>;

/** The same before it is made of web objects, for servers that have none. */
export type Replier = (incoming: Incoming, context: ReplyContext) => Promise<Reply>;

/** What concerns one exchange alone. */
export interface RespondContext {
  /** Told of this exchange, in the place of the option of this name. */
  onEvent?: AskContext['onEvent'];
  /** Told of an error that the client is told, in the place of an answer or in the middle of one. */
  onError?(error: ApiError): void;
  /** Ends the exchange, as the request's own signal does; a stream then ends with the error it was aborted with. */
  signal?: AbortSignal;
  /** The body as it is to be read, from what was sent. */
  prepare?(body: unknown): unknown;
}

export interface ReplyContext extends Omit<RespondContext, 'signal'> {
  /** Aborted by whoever ends the exchange: when the client has left, or when the server will wait no longer. */
  aborter: AbortController;
  /** Whether the client has left: then nobody reads what the answer would be. */
  left(): boolean;
}

interface Route {
  end: string;
  wire: Wire['name'];
  counts?: boolean;
}

/** The ends of the addresses that are answered. What stands before them makes no difference. */
const routes: readonly Route[] = [
  { end: '/chat/completions', wire: 'openai-chat' },
  { end: '/responses', wire: 'openai-responses' },
  { end: '/messages', wire: 'anthropic-messages' },
  { end: '/messages/count_tokens', wire: 'anthropic-messages', counts: true },
];

export function createResponder(options: ResponderOptions | RouterOptions): Responder {
  const reply = createReplier(options);
  return async (request, { signal, ...context } = {}) => {
    const aborter = new AbortController();
    const letGo = follow(aborter, request.signal, signal);
    const left = () => request.signal.aborted;
    try {
      const made = await reply(incomingOf(request), { ...context, aborter, left });
      return toResponse(made, letGo);
    } catch (error) {
      letGo();
      throw error;
    }
  };
}

/** Aborted when one of these is, until it lets go of them: a signal may live longer than the exchange. */
function follow(aborter: AbortController, ...signals: (AbortSignal | undefined)[]): () => void {
  const links = signals.map((signal) => signal && onAbort(signal, () => aborter.abort(signal.reason)));
  return () => {
    for (const letGo of links) letGo?.();
  };
}

/** Throws only if the client has left. */
export function createReplier(options: ResponderOptions | RouterOptions): Replier {
  const memory = new ItemMemory(options.rememberedItems ?? 1000);
  const wayOf = waysOf(options);
  const answer = async (incoming: Incoming, context: ReplyContext, route: Route): Promise<Reply> => {
    const { signal } = context.aborter;
    const sent = await readBody(incoming, signal, options.bodyBytes);
    const body = context.prepare ? await context.prepare(sent) : sent;
    signal.throwIfAborted();
    const wire = wireOf(route.wire);
    const asked = wire.decodeRequest(memory.resolve(body));
    refuseState(asked);
    const found = wayOf(asked);
    const way = found instanceof Promise ? await found : found;
    const tell = context.onEvent ?? way.options.onEvent;
    tell?.({ type: 'request', request: asked });
    if (route.counts) return jsonReply({ input_tokens: countTokens(asked) });
    return new Exchange({ wire, asked, incoming, way, tell, memory, settings: options, context }).reply();
  };
  return async (incoming, context) => {
    const { method, path } = incoming;
    const { signal } = context.aborter;
    const route = routes.find(({ end }) => path.endsWith(end));
    const wire = wireOf(route?.wire ?? 'openai-chat');
    try {
      if (!route) throw noRoute(path);
      if (method !== 'POST') throw notPost(method);
      // A body that does not come, a store or a model that does not listen: none of them holds up who ends the exchange.
      return await unlessAborted(answer(incoming, context, route), signal, (reply) => leave(reply, signal));
    } catch (error) {
      if (context.left()) throw error;
      const told = asApiError(error);
      context.onError?.(told);
      return encodedReply(wire, told);
    }
  };
}

/** Nobody reads it any more. */
function leave({ body }: Reply, { reason }: AbortSignal): void {
  if (typeof body !== 'string') body.cancel(reason);
}

/** An error as a client expects it at this address. */
export function errorReply(path: string, error: unknown): Reply {
  const route = routes.find(({ end }) => path.endsWith(end));
  return encodedReply(wireOf(route?.wire ?? 'openai-chat'), asApiError(error));
}

export function errorResponse(url: string, error: unknown): Response {
  return toResponse(errorReply(url.includes('://') ? new URL(url).pathname : url, error));
}

/** How a model is asked. */
interface Way {
  options: AskOptions & { upstream: Upstream };
  ask: Ask;
}

/** Ways are made once, so that what is learned about a model is not forgotten. */
function waysOf(options: ResponderOptions | RouterOptions): (request: ModelRequest) => Way | Promise<Way> {
  const ways = new WeakMap<object, Way>();
  const wayOf = (found: AskOptions): Way => {
    const known = ways.get(found);
    if (known) return known;
    const settled = { ...found, upstream: toUpstream(found.upstream) };
    const way = { options: settled, ask: createAsk(settled) };
    ways.set(found, way);
    return way;
  };
  if (!('route' in options)) {
    const way = wayOf(options);
    return () => way;
  }
  return (request) => {
    const found = options.route(request);
    return found instanceof Promise ? found.then(wayOf) : wayOf(found);
  };
}

interface ExchangeOptions {
  wire: Wire;
  asked: ModelRequest;
  incoming: Incoming;
  way: Way;
  tell: AskContext['onEvent'];
  memory: ItemMemory;
  settings: ResponderSettings;
  context: ReplyContext;
}

class Exchange {
  readonly #says: boolean;
  readonly #context: EncodeContext;

  constructor(readonly options: ExchangeOptions) {
    const { settings, incoming, asked, way, memory } = options;
    this.#says = (settings.report ?? true) && incoming.header('x-dragoman-report') !== 'off';
    this.#context = {
      request: asked,
      newId: way.options.newId ?? newId,
      report: this.#says,
      onItem: (item) => memory.keep(item),
    };
  }

  async reply(): Promise<Reply> {
    const { asked, way, tell, context } = this.options;
    const { signal } = context.aborter;
    const events = way.ask(asked, { signal, ...(tell && { onEvent: tell }) });
    return asked.stream ? this.#stream(events) : this.#whole(events);
  }

  async #whole(events: AsyncIterable<AnswerEvent>): Promise<Reply> {
    const answer = await collectAnswer(mapEach(events, (event) => this.#watch(event)));
    const body = this.options.wire.encodeResponse(answer, this.#context);
    return jsonReply(body, this.#headers(answer.report));
  }

  async #stream(events: AsyncIterable<AnswerEvent>): Promise<Reply> {
    // Before anyone is asked: what cannot be said must not leave an answer without a reader.
    const reported = this.#headers();
    const { wire, settings, context } = this.options;
    const body = await eventStream(events, {
      encoder: wire.createStreamEncoder(this.#context),
      heartbeat: { text: wire.heartbeat, every: settings.heartbeat ?? 15_000 },
      watch: (event) => this.#watch(event),
      onError: (error) => context.onError?.(error),
      onCancel: (reason) => context.aborter.abort(reason),
    });
    return { status: 200, headers: { ...STREAM_HEADERS, ...reported }, body };
  }

  #headers(report?: Report): Record<string, string> {
    return this.#says ? reportHeaders(this.options.way.options, this.options.asked, report) : {};
  }

  /** Every answer has an id, a model and a time; whoever watches sees what the client gets. */
  #watch(event: AnswerEvent): AnswerEvent {
    const shown = event.type === 'answer-start' ? this.#begin(event) : event;
    this.options.tell?.({ type: 'answer', event: shown });
    return shown;
  }

  #begin(event: AnswerEvent & { type: 'answer-start' }): AnswerEvent {
    const { asked } = this.options;
    const id = event.id ?? this.#context.newId(answerPrefix(asked.api));
    const created = event.created ?? Math.floor(Date.now() / 1000);
    return { ...event, id, model: event.model ?? asked.model, created };
  }
}

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

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

function jsonReply(body: unknown, headers: Record<string, string> = {}, status = 200): Reply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

function encodedReply(wire: Wire, error: ApiError): Reply {
  const { status, headers, body } = wire.encodeError(error);
  const allow = error.code === 'method-not-allowed' ? { allow: 'POST' } : {};
  return jsonReply(body, { ...headers, ...allow }, status);
}
