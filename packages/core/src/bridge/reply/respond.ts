// Every API over one model: a web `Request` in, a web `Response` out. No server; any server can carry it.
//
//   Request ──decode──> ModelRequest ──ask──> AnswerEvent… ──encode──> Response

import { ApiError, type ModelRequest } from '../../model/index.js';
import { defaultWire, routeAt, routesOf, type Wire, type WireRoute, wires } from '../../wire/index.js';
import { asApiError } from '../emulate/spell-request.js';
import { estimateTokens } from '../upstream/estimate-tokens.js';
import { onAbort } from '../upstream/on-abort.js';
import { unlessAborted } from '../upstream/unless-aborted.js';
import type { AskContext } from '../upstream/upstream.js';
import { type AskOptions, createAsk, toUpstream } from './create-ask.js';
import { ItemMemory } from './item-memory.js';
import { jsonReply, ModelReply, type Way } from './model-reply.js';
import { type Incoming, incomingOf, type Reply, toResponse } from './reply.js';

export interface ResponderSettings {
  /** Whether answers say what happened, in the member `dragoman` and the header `x-dragoman`. Default true. */
  report?: boolean;
  /** Milliseconds of silence after which a stream says that it is alive. Default 15,000; 0: never. */
  heartbeat?: number;
  /** The longest body that is read, in bytes. Default 32 MiB. */
  bodyBytes?: number;
  /** How many items of answers later requests may name, in an API that lets them. Default 1,000; 0: none. */
  rememberedItems?: number;
  /** The APIs that clients may ask by. Default: all. */
  wires?: readonly Wire[];
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
  /** Aborted by the server: when the client has left, or when the server will wait no longer. */
  aborter: AbortController;
  /** Whether the client has left: then nobody reads what the answer would be. */
  left(): boolean;
}

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
  const routes = routesOf(options.wires ?? wires);
  const memory = new ItemMemory(options.rememberedItems ?? 1000);
  const wayOf = waysOf(options);
  const answer = async (incoming: Incoming, context: ReplyContext, route: WireRoute): Promise<Reply> => {
    const { signal } = context.aborter;
    const sent = await readBody(incoming, signal, options.bodyBytes);
    const body = context.prepare ? await context.prepare(sent) : sent;
    signal.throwIfAborted();
    const { wire } = route;
    const resolved = wire.state.resolveItems?.(body, (id) => memory.find(id)) ?? body;
    const request = wire.decodeRequest(resolved);
    refuseState(wire, request);
    const found = wayOf(request);
    const way = found instanceof Promise ? await found : found;
    const tell = context.onEvent ?? way.options.onEvent;
    tell?.({ type: 'request', request });
    if (route.counts && wire.counts) return jsonReply(wire.counts.encode(countTokens(request)));
    return new ModelReply({ wire, request, incoming, way, tell, memory, settings: options, context }).make();
  };
  return async (incoming, context) => {
    const { method, path } = incoming;
    const { signal } = context.aborter;
    const route = routeAt(path, routes);
    try {
      if (!route) throw noRoute(path, routes);
      if (method !== 'POST') throw notPost(method);
      // A body that does not come, a store or a model that does not listen: none of them delays the end of the request.
      return await unlessAborted(answer(incoming, context, route), signal, (reply) => leave(reply, signal));
    } catch (error) {
      if (context.left()) throw error;
      const told = asApiError(error);
      context.onError?.(told);
      return encodedReply(route?.wire ?? defaultWire, told);
    }
  };
}

/** Nobody reads it any more. */
function leave({ body }: Reply, { reason }: AbortSignal): void {
  if (typeof body !== 'string') body.cancel(reason);
}

/** An error as a client expects it at this address. */
export function errorReply(path: string, error: unknown, served: readonly Wire[] = wires): Reply {
  const wire = routeAt(path, routesOf(served))?.wire ?? defaultWire;
  return encodedReply(wire, asApiError(error));
}

export function errorResponse(url: string, error: unknown, served?: readonly Wire[]): Response {
  return toResponse(errorReply(url.includes('://') ? new URL(url).pathname : url, error, served));
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

/** The tokens of its prompt: an estimate, as the documentation states. */
function countTokens({ conversation }: ModelRequest): number {
  return estimateTokens(
    JSON.stringify([conversation.messages, conversation.tools.map(({ source }) => source)]),
  );
}

/** The longest body that is read, in bytes, unless told otherwise. */
const MAX_BODY = 32 * 1024 * 1024;

async function readBody(incoming: Incoming, signal: AbortSignal, most = MAX_BODY): Promise<unknown> {
  const text = await incoming.text(most).catch((error) => {
    throw error instanceof ApiError || signal.aborted ? error : unread(error);
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? ` (${error.message})` : '';
    throw new ApiError('bad-request', `The body is no JSON${reason}.`);
  }
}

function unread(error: unknown): ApiError {
  const reason = error instanceof Error ? ` (${error.message})` : '';
  return new ApiError('bad-request', `The body could not be read${reason}.`, { cause: error });
}

/** Throws for a request that only a server which keeps something could answer. */
function refuseState({ state }: Wire, { extra = {}, references = [] }: ModelRequest): void {
  const [reference] = references;
  if (reference) {
    const { path, id } = reference;
    const message = `${path}: the item ${JSON.stringify(id)} is not kept here; send the item itself, as clients do with store: false`;
    throw new ApiError('bad-request', message, { path });
  }
  for (const key of state.members) {
    if (extra[key] === undefined || extra[key] === null || extra[key] === false) continue;
    const message = `${key}: nothing is kept here between requests; send the whole conversation`;
    // In these words Anthropic's client is told to go on without: it then sends everything itself.
    const details = { error_code: `${key}_unsupported_request`, unsupported: [key] };
    throw new ApiError('bad-request', message, { path: key, details });
  }
}

function noRoute(path: string, routes: readonly WireRoute[]): ApiError {
  const known = routes.map((route) => `/v1${route.path}`).join(', ');
  return new ApiError('not-found', `There is nothing at ${path}; there are ${known}.`, { retryable: false });
}

function notPost(method: string): ApiError {
  return new ApiError('method-not-allowed', `This address takes POST, not ${method}.`);
}

function encodedReply(wire: Wire, error: ApiError): Reply {
  const { status, headers, body } = wire.encodeError(error);
  const allow = error.code === 'method-not-allowed' ? { allow: 'POST' } : {};
  return jsonReply(body, { ...headers, ...allow }, status);
}
