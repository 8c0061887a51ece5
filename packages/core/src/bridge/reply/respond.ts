// Serves every API over one model: a web `Request` in, a web `Response` out, for any server.
//
//   Request ──decode──> ModelRequest ──ask──> AnswerEvent… ──encode──> Response

import { CallSize } from '../../model/call-size.js';
import { ApiError, type ModelRequest } from '../../model/index.js';
import { exceeded, MOST_JSON } from '../../model/json-size.js';
import { RepeatedValues } from '../../model/repeated-values.js';
import { defaultWire, routeAt, routesOf, type Wire, type WireRoute, wires } from '../../wire/index.js';
import { asApiError } from '../emulate/spell-request.js';
import { createPool, type PoolOptions, settleEndpoints } from '../route/create-pool.js';
import { TurnMemory } from '../turns/turn-memory.js';
import { estimateTokens } from '../upstream/estimate-tokens.js';
import { onAbort, unlessAborted } from '../upstream/on-abort.js';
import { pause } from '../upstream/portions.js';
import type { AskContext } from '../upstream/upstream.js';
import { type AskOptions, createAsk, toUpstream } from './create-ask.js';
import { ItemMemory } from './item-memory.js';
import { jsonReply, ModelReply, type ModelWay } from './model-reply.js';
import { type Incoming, incomingOf, type Reply, toResponse } from './reply.js';
import { createSeal, type Seal } from './seal.js';

export interface ResponderSettings {
  /** Whether answers carry a report, in the member `dragoman` and the header `x-dragoman`. Default true. */
  report?: boolean;
  /** Milliseconds of silence after which a stream sends a heartbeat. Default 15,000; 0: never. */
  heartbeat?: number;
  /** The longest body that is read, in bytes. Default 32 MiB. */
  bodyBytes?: number;
  /**
   * The most elements of a body, items of lists and members of objects, counted before anything is built of it. Default
   * 100,000; Infinity: it is not counted.
   */
  bodyElements?: number;
  /** How many items of answers later requests may refer to by id, in an API that allows it. Default 1,000; 0: none. */
  rememberedItems?: number;
  /** Keeps tools and messages that clients send again in every request. Default: up to 8 Mi characters of them. */
  repeated?: RepeatedValues;
  /**
   * Keeps what models wrote, so that a turn that comes back unchanged goes to the upstream as the model wrote it. Default:
   * up to 16 Mi characters, for each `client` of a RespondContext apart.
   */
  turns?: TurnMemory | 'off';
  /** Seals reasoning for clients that keep it. Default: with a key of this responder alone. */
  seal?: Seal;
  /** The APIs that are served. Default: all. */
  wires?: readonly Wire[];
}

/** Options for one model. */
export interface ResponderOptions extends AskOptions, ResponderSettings {}

/** Options for one model with several endpoints. */
export interface PoolResponderOptions extends PoolOptions, ResponderSettings {}

type ModelOptions = AskOptions | PoolOptions;

/** Options for several models. */
export interface RouterOptions extends ResponderSettings {
  /** Gives the options of the request's model, the same object each time. Throws an ApiError for an unknown model. */
  route(request: ModelRequest): ModelOptions | Promise<ModelOptions>;
}

export type Responder = (request: Request, context?: RespondContext) => Promise<Response>;

/** The same without web objects, for servers that have none. */
export type Replier = (incoming: Incoming, context: ReplyContext) => Promise<Reply>;

/** The context of one request. */
export interface RespondContext {
  /** Called for every event of this request, instead of the option of this name. */
  onEvent?: AskContext['onEvent'];
  /** Called with an error that the client gets, instead of an answer or in the middle of one. */
  onError?(error: ApiError): void;
  /** Ends the request, as its own signal does; a stream then ends with the abort's error. */
  signal?: AbortSignal;
  /** Whose turns are recalled: a name, or a digest of the key. Clients that are not told apart share what is kept. */
  client?: string | undefined;
  /** Gives the body to decode. It must not change the one it gets, whose values are frozen: other requests share them. */
  prepare?(body: unknown): unknown;
}

export interface ReplyContext extends Omit<RespondContext, 'signal'> {
  /** Aborted by the server when the client has disconnected, or when the server shuts down. */
  aborter: AbortController;
  /** Whether the client has disconnected, so that no answer is needed. */
  left(): boolean;
  /** Stores answers to which later requests may refer. */
  stored?: StoredAnswer;
  /** How many items and members the body has, where they were counted. */
  elements?(): number;
  /** Whether `prepare` has made a long body of a short one. */
  isLong?(): boolean;
  /** Called now and then with the characters of the answer in memory. Throws an ApiError if they are too many for all. */
  onHeld?(characters: number): void;
  /** Ends when it is the turn of the next step of a long body. Default: in the next turn of the event loop. */
  pause?(): Promise<void>;
}

/** Where the responses of one request are stored, and how the client is to see them. Functions without `this`. */
interface StoredAnswer {
  /** Gives a response that is not complete, or has failed. */
  show: (response: Record<string, unknown>) => Record<string, unknown>;
  /** Stores a complete response before the client gets it. Never throws. */
  keep: (response: Record<string, unknown>) => Promise<Record<string, unknown>>;
}

type AnyOptions = ResponderOptions | PoolResponderOptions | RouterOptions;

export function createResponder(options: AnyOptions): Responder {
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

/** Aborts when one of these signals is aborted. Gives a function that unlinks them: a signal may outlive the request. */
function follow(aborter: AbortController, ...signals: (AbortSignal | undefined)[]): () => void {
  const links = signals.map((signal) => signal && onAbort(signal, () => aborter.abort(signal.reason)));
  return () => {
    for (const letGo of links) letGo?.();
  };
}

/** The replier throws only if the client has disconnected. */
export function createReplier(options: AnyOptions): Replier {
  const routes = routesOf(options.wires ?? wires);
  const memory = new ItemMemory(options.rememberedItems ?? 1000);
  const repeated = options.repeated ?? new RepeatedValues();
  const seal = options.seal ?? createSeal();
  const turns = options.turns === 'off' ? undefined : (options.turns ?? new TurnMemory());
  const settings = { ...options, seal, turns };
  const open = (sealed: string) => (seal.isOwn(sealed) ? seal.open(sealed) : undefined);
  const wayOf = waysOf(options);
  const answer = async (incoming: Incoming, context: ReplyContext, route: WireRoute): Promise<Reply> => {
    const { signal } = context.aborter;
    const { wire } = route;
    let isLong = false;
    const stepOver = () => (isLong ? pauseUnless(signal, context.pause) : undefined);
    // No variable holds the text while the model is asked.
    const sent = parsed(await readText(incoming, signal, options.bodyBytes), (json) => {
      isLong = json.length > LONG_BODY;
      refuseSize(json, options.bodyElements);
      return wire.repeats
        ? repeated.read(json, wire.repeats, context.elements?.(), context.client)
        : JSON.parse(json);
    });
    const body = context.prepare ? await context.prepare(sent) : sent;
    signal.throwIfAborted();
    isLong ||= context.isLong?.() ?? false;
    await stepOver();
    const resolved = wire.state.resolveItems?.(body, (id) => memory.find(id)) ?? body;
    const readable = wire.state.sealed ? await wire.state.sealed.open(resolved, open) : resolved;
    const request = wire.decodeRequest(readable);
    refuseState(wire, request);
    const found = wayOf(request);
    const way = found instanceof Promise ? await found : found;
    const tell = context.onEvent ?? way.options.onEvent;
    tell?.({ type: 'request', request });
    await stepOver();
    if (route.counts && wire.counts) return jsonReply(wire.counts.encode(countTokens(request)));
    return new ModelReply({ wire, request, incoming, way, tell, memory, settings, context }).make();
  };
  return async (incoming, context) => {
    const { method, path } = incoming;
    const { signal } = context.aborter;
    const route = routeAt(path, routes);
    try {
      if (!route) throw noRoute(path, routes);
      if (method !== 'POST') throw notPost(method);
      // An abort ends the request at once, also if the body, a store or a model does not react to the signal.
      return await unlessAborted(answer(incoming, context, route), signal, (reply) => leave(reply, signal));
    } catch (error) {
      if (context.left()) throw error;
      const known = asApiError(error);
      context.onError?.(known);
      return encodedReply(route?.wire ?? defaultWire, known);
    }
  };
}

/** Ends a reply that arrived after the abort. */
function leave({ body }: Reply, { reason }: AbortSignal): void {
  if (typeof body !== 'string') body.cancel(reason);
}

/** Gives an error in the shape of the API at this path. */
export function errorReply(path: string, error: unknown, served: readonly Wire[] = wires): Reply {
  const wire = routeAt(path, routesOf(served))?.wire ?? defaultWire;
  return encodedReply(wire, asApiError(error));
}

export function errorResponse(url: string, error: unknown, served?: readonly Wire[]): Response {
  return toResponse(errorReply(url.includes('://') ? new URL(url).pathname : url, error, served));
}

/** Makes the way to each model once, so that it remembers whether the model refused tools. */
function waysOf(options: AnyOptions): (request: ModelRequest) => ModelWay | Promise<ModelWay> {
  const ways = new WeakMap<object, ModelWay>();
  const wayOf = (found: ModelOptions): ModelWay => {
    const known = ways.get(found);
    if (known) return known;
    const way = 'upstreams' in found ? poolWay(found) : singleWay(found);
    ways.set(found, way);
    return way;
  };
  if (!isRouter(options)) {
    const way = wayOf(options);
    return () => way;
  }
  return (request) => {
    const found = options.route(request);
    return found instanceof Promise ? found.then(wayOf) : wayOf(found);
  };
}

/** The `route` of a pool is the name of a policy. */
function isRouter(options: AnyOptions): options is RouterOptions {
  return 'route' in options && typeof options.route === 'function';
}

function singleWay(found: AskOptions): ModelWay {
  const settled = { ...found, upstream: toUpstream(found.upstream) };
  return { options: settled, endpoints: [settled], ask: createAsk(settled) };
}

function poolWay(found: PoolOptions): ModelWay {
  const upstreams = settleEndpoints(found);
  return { options: found, endpoints: upstreams, ask: createPool({ ...found, upstreams }) };
}

/** Estimates the tokens of a request's prompt. */
function countTokens({ conversation }: ModelRequest): number {
  return estimateTokens(
    JSON.stringify([conversation.messages, conversation.tools.map(({ source }) => source)]),
  );
}

/** The longest body that is read by default, in bytes. */
const MAX_BODY = 32 * 1024 * 1024;

/** Characters of a body from which on its steps are divided by pauses: in one go they may take 100 ms. */
const LONG_BODY = 32 * 1024;

async function pauseUnless(signal: AbortSignal, wait = pause): Promise<void> {
  await wait();
  signal.throwIfAborted();
}

function readText(incoming: Incoming, signal: AbortSignal, most = MAX_BODY): Promise<string> {
  return incoming.text(most).catch((error) => {
    throw error instanceof ApiError || signal.aborted ? error : unread(error);
  });
}

function refuseSize(text: string, elements = MOST_JSON.elements): void {
  if (elements === Number.POSITIVE_INFINITY || !exceeded(text, { ...MOST_JSON, elements }, new CallSize()))
    return;
  const message = `The body has more than ${elements} elements (items of lists and members of objects), or more than ${MOST_JSON.levels} levels.`;
  throw new ApiError('too-large', message);
}

function parsed(text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const reason = error instanceof Error ? ` (${error.message})` : '';
    throw new ApiError('bad-request', `The body is no JSON${reason}.`);
  }
}

function unread(error: unknown): ApiError {
  const reason = error instanceof Error ? ` (${error.message})` : '';
  return new ApiError('bad-request', `The body could not be read${reason}.`, { cause: error });
}

/** Throws for a request that needs state from earlier requests. */
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
    // At these details Anthropic's client goes on without the member: it then sends the whole conversation itself.
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
