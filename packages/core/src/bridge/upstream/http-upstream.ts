// A model that is reached over HTTP, in any of the APIs that we can use as a client.

import type { GrammarFormat } from '../../grammar/constrain.js';
import { withoutFreeform } from '../../model/freeform.js';
import { type AnswerEvent, ApiError } from '../../model/index.js';
import type { JsonPart } from '../../model/json-parts.js';
import { type ApiName, authHeaders, defaultWire, type Wire, wireOf } from '../../wire/index.js';
import type { EngineName } from '../engines/engines.js';
import { addressAt } from './address-at.js';
import { AnswerReader } from './answer-reader.js';
import { fromBatches } from './batches.js';
import { unlessAborted } from './on-abort.js';
import { BodyWriter, type WrittenBody } from './request-body.js';
import { type Fetched, ResponseText, startOfText } from './response-text.js';
import { Patience, type Timeouts } from './timeouts.js';
import type { Upstream, UpstreamContext, UpstreamRequest } from './upstream.js';

export interface UpstreamOptions {
  /** The address up to the version, as clients take it: `http://localhost:11434/v1`. */
  url: string;
  /** An API or its name. Default `openai-chat`. `openai-completions` takes a prompt in the dialect's own form. */
  api?: Wire | ApiName;
  /** The API key, sent in the header that the API wants. */
  key?: string;
  headers?: Record<string, string>;
  /** The model's name there; default: the name the client uses. */
  model?: string;
  /** Whether it has native tool calls. Default: at the vendor's own address; elsewhere it is not known. */
  tools?: boolean;
  /** Whether it takes images and other media. Default: as `tools`, and true where that is not known. */
  media?: boolean;
  /**
   * Whether it takes freeform tools (`custom`). Otherwise it gets functions with one text instead. Default: if all
   * servers of its API do, or its address is the vendor's.
   */
  freeform?: boolean;
  /** Whether it can stream. Default true. */
  stream?: boolean;
  /** The engine that serves it, which may be found out later. Its requests get the members that it needs. */
  engine?: EngineName | (() => EngineName | undefined);
  /** Members that are added to the body of each request or replace its own; objects are merged, null removes one. */
  body?: Readonly<Record<string, unknown>>;
  /** The format of its sampling grammars: `gbnf` (llama.cpp), `structural-tag` (vLLM, SGLang), `lark`, `json-schema`. */
  grammar?: GrammarFormat;
  timeouts?: Partial<Timeouts>;
  /** How often a request is retried before the first byte, after errors that may pass. Default 1. */
  retries?: number;
  /** Milliseconds before a retry, unless the upstream names a time. Default 250. */
  retryDelay?: number;
  /** Default: the global one. Its response needs only what `Fetched` has. */
  fetch?: (url: string, init: RequestInit) => Promise<Fetched>;
  /** Writes bodies in UTF-8. Default: they are strings. A runtime may have faster ways than that. */
  encodeBody?: BodyEncoder;
}

export interface BodyEncoder {
  /** Joins the parts of a body's JSON. */
  parts(parts: readonly JsonPart[]): Uint8Array<ArrayBuffer>;
  /** Writes a part that comes again, and is kept. */
  text(text: string): Uint8Array;
}

/** The most that is read of an error's body, in characters. */
const MAX_ERROR = 64 * 1024;

/** The longest wait before a retry that an upstream can ask for, in milliseconds. */
const MAX_RETRY_DELAY = 10_000;

export function createUpstream(options: UpstreamOptions): Upstream {
  const { api = defaultWire } = options;
  const wire = typeof api === 'string' ? wireOf(api) : api;
  const tools = options.tools ?? knownTools(wire, options.url);
  const freeform = wire.freeform !== undefined && (options.freeform ?? takesFreeform(wire, options.url));
  const bodies = new BodyWriter(wire, options);
  return {
    ...(wire.reasoning && { reasoning: wire.reasoning }),
    takes: wire.takes,
    api: wire.name,
    specialTokens: () => bodies.specialTokens(),
    switchesThinking: () => bodies.switchesThinking(),
    ...(tools !== undefined && { tools }),
    media: options.media ?? tools ?? true,
    freeform,
    ...(options.grammar && { grammar: options.grammar }),
    ...(wire.formats && { formats: wire.formats }),
    ...(wire.lacks && { lacks: wire.lacks }),
    ask: (request, context) => fromBatches(ask(bodies, freeform ? request : asFunctions(request), context)),
  };
}

/** An API has tools or not, and a server of it may lack them all the same: the address of a vendor tells. */
function knownTools(wire: Wire, url: string): boolean | undefined {
  if (wire.takes === 'prompt') return false;
  return isVendor(wire, url) ? true : undefined;
}

/** Engines refuse or drop tools of a type that they do not know, so only those that are known to take them get them. */
function takesFreeform(wire: Wire, url: string): boolean {
  return wire.freeform === 'any' || isVendor(wire, url);
}

function isVendor({ vendor }: Wire, url: string): boolean {
  return vendor !== undefined && hostOf(url) === hostOf(vendor.url);
}

function asFunctions(request: UpstreamRequest): UpstreamRequest {
  const conversation = withoutFreeform(request.conversation);
  return conversation === request.conversation ? request : { ...request, conversation };
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined;
}

async function* ask(
  bodies: BodyWriter,
  request: UpstreamRequest,
  context: UpstreamContext,
): AsyncGenerator<AnswerEvent[]> {
  const { wire, options } = bodies;
  const { signal } = context;
  const patience = new Patience(options.timeouts, signal);
  let pieces: ResponseText | undefined;
  try {
    const response = await send(bodies, request, patience, context);
    refuseWebPage(response);
    pieces = new ResponseText(response, patience);
    const answer = await AnswerReader.begin(wire, pieces, request.settings.choices);
    let spoke = false;
    for (let events = await answer.next(); events; events = await answer.next()) {
      if (!spoke) spoke = learnMember(bodies, request, events);
      if (events.length > 0) yield events;
      if (answer.error) throw answer.error;
    }
  } catch (error) {
    throw patience.error ?? (signal.aborted ? signal.reason : asBroken(error));
  } finally {
    patience.stop();
    pieces?.close();
  }
}

/** Learns in which member the model writes reasoning. Gives true once the answer has begun. */
function learnMember(bodies: BodyWriter, request: UpstreamRequest, events: readonly AnswerEvent[]): boolean {
  const first = events.find(({ type }) => type !== 'answer-start');
  if (first?.type === 'reasoning-delta') bodies.learnReasoning(request, first.member);
  return first !== undefined;
}

// --- the request -------------------------------------------------------------------------------------------

async function send(
  bodies: BodyWriter,
  request: UpstreamRequest,
  patience: Patience,
  context: UpstreamContext,
): Promise<Fetched> {
  const { signal } = patience;
  const { wire, options } = bodies;
  let body = bodies.write(request);
  tellBody(body, context);
  for (let retries = options.retries ?? 1; ; retries--) {
    patience.await('firstByte');
    const result = await attempt(wire, options, body.json, patience);
    if (!(result instanceof ApiError)) {
      bodies.accept(body, request);
      return result;
    }
    const without = bodies.writeWithout(result, request, body);
    if (without) {
      body = without;
      tellBody(body, context, true);
      retries++;
      continue;
    }
    if (retries <= 0 || !result.retryable || signal.aborted || context.handles?.(result)) throw result;
    const asked = result.retryAfter === undefined ? undefined : result.retryAfter * 1000;
    // The timeouts count only time in which the upstream is waited for.
    patience.pause();
    await delay(Math.min(asked ?? options.retryDelay ?? 250, MAX_RETRY_DELAY), signal);
  }
}

/** `again`: another body was told before. */
function tellBody(
  { ignored, patch }: WrittenBody,
  { onIgnored, onMembers }: UpstreamContext,
  again = false,
): void {
  for (const name of ignored) onIgnored?.(name);
  const members = onMembers ? patch() : {};
  if (again || Object.keys(members).length > 0) onMembers?.(members);
}

/** Sends the request once. Gives the response if it is an answer, else the error. */
async function attempt(
  wire: Wire,
  options: UpstreamOptions,
  body: string | Uint8Array<ArrayBuffer>,
  patience: Patience,
): Promise<Fetched | ApiError> {
  const { signal } = patience;
  let response: Fetched;
  try {
    const fetched: Promise<Fetched> = (options.fetch ?? fetch)(addressAt(options.url, wire.path), {
      method: 'POST',
      headers: headersOf(wire, options),
      body,
      signal,
      // A redirect could send the prompt anywhere.
      redirect: 'manual',
    });
    response = await unlessAborted(fetched, signal, leave);
  } catch (error) {
    if (signal.aborted) throw error;
    const reason = withoutSecrets(reasonOf(error), options);
    return new ApiError('upstream-failed', `The upstream could not be reached: ${reason}.`, { cause: error });
  }
  if (response.ok) return response;
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    leave(response);
    const message =
      'The upstream answered with a redirect, which is not followed: set its own address as url.';
    return new ApiError('upstream-failed', message, { retryable: false });
  }
  const said = await startOfText(new ResponseText(response, patience), MAX_ERROR);
  signal.throwIfAborted();
  return refusal(wire, response, said);
}

function refusal(wire: Wire, { status, headers }: Fetched, said: string): ApiError {
  const error = wire.decodeError(status, said);
  const retry = error.code !== 'context-too-long' && ([408, 409, 429].includes(status) || status >= 500);
  const retryAfter = secondsUntil(headers.get('retry-after'));
  return new ApiError(error.code, error.message, {
    status,
    body: said,
    retryable: retry && headers.get('x-should-retry') !== 'false',
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

/** Reads a `retry-after` header: seconds, or a date. */
function secondsUntil(said: string | null): number | undefined {
  if (said === null) return undefined;
  const number = Number(said);
  const seconds = Number.isNaN(number) ? (Date.parse(said) - Date.now()) / 1000 : number;
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

function headersOf(wire: Wire, { key, headers, stream }: UpstreamOptions): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: stream === false ? 'application/json' : wire.stream.type,
    ...authHeaders(wire, key),
    ...headers,
  };
}

// --- the answer ----------------------------------------------------------------------------------------------

function refuseWebPage(response: Fetched): void {
  if (!response.headers.get('content-type')?.includes('text/html')) return;
  leave(response);
  const message = 'The upstream answered with a web page: is its url right?';
  throw new ApiError('upstream-failed', message, { retryable: false });
}

/** Cancels the body without waiting for the upstream, which may be slow or fail. */
function leave({ body }: Fetched): void {
  body
    ?.getReader()
    .cancel()
    .catch(() => {});
}

function asBroken(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError('upstream-broken', `The upstream's answer broke off: ${reasonOf(error)}.`, {
    cause: error,
  });
}

/** Gives the message of an error; Node's fetch has the reason in `cause`. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = (cause as { code?: unknown }).code;
  const message = cause instanceof Error && cause.message !== '' ? cause.message : String(code ?? cause);
  if (message === 'bad port') return BLOCKED_PORT;
  return message.endsWith('.') ? message.slice(0, -1) : message;
}

/** The Fetch standard blocks ports of other protocols, and Node says no more than "bad port". */
const BLOCKED_PORT =
  'the Fetch standard blocks its port (bad port), so let the server listen on another, such as 8000';

/** Hides keys and passwords: errors about an address or a header quote it whole. */
function withoutSecrets(reason: string, { url, key, headers = {} }: UpstreamOptions): string {
  const secrets = [key, ...Object.values(headers), ...passwordsIn(url)];
  let hidden = reason;
  for (const secret of secrets) {
    // Messages may quote a secret in parts, cut at its white space.
    for (const piece of secret?.split(/\s+/) ?? []) {
      if (piece.length > 3 && piece !== 'Bearer') hidden = hidden.replaceAll(piece, '…');
    }
  }
  return hidden;
}

function passwordsIn(url: string): string[] {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  return parsed ? [parsed.username, parsed.password, decodeURIComponent(parsed.password)] : [];
}

function delay(time: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, time);
    signal.addEventListener('abort', abort, { once: true });
  });
}
