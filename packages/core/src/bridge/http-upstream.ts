// A model behind HTTP, in any of the APIs that we can speak as a client.

import { type AnswerEvent, ApiError, type ApiName } from '../model/index.js';
import { type Wire, wireOf } from '../wire/index.js';
import { Patience, type Timeouts } from './timeouts.js';
import type { Upstream, UpstreamContext, UpstreamRequest } from './upstream.js';

export interface UpstreamOptions {
  /** Up to the version, as clients take it: `http://localhost:11434/v1`. */
  url: string;
  /** Default `openai-chat`. `openai-completions` takes a prompt in the dialect's own form. */
  api?: ApiName;
  /** Sent as the API wants it. */
  key?: string;
  headers?: Record<string, string>;
  /** The model's name there; default: the name the client uses. */
  model?: string;
  /** It takes tools of its own accord. Default true, except for `openai-completions`. */
  tools?: boolean;
  /** It takes images and other media. Default: if it takes tools. */
  media?: boolean;
  /** It can stream. Default true. */
  stream?: boolean;
  timeouts?: Partial<Timeouts>;
  /** Before the first byte, for errors that may pass. Default 1. */
  retries?: number;
  /** Milliseconds before a retry, unless the upstream names a time. Default 250. */
  retryDelay?: number;
  fetch?: typeof fetch;
}

const paths: Record<ApiName, string> = {
  'openai-chat': 'chat/completions',
  'openai-completions': 'completions',
  'openai-responses': 'responses',
  'anthropic-messages': 'messages',
};

/** The longest answer that is read whole, in characters. */
const MAX_BODY = 64 * 1024 * 1024;

/** The longest wait before a retry that an upstream can ask for, in milliseconds. */
const MAX_RETRY_DELAY = 10_000;

export function createUpstream(options: UpstreamOptions): Upstream {
  const api = options.api ?? 'openai-chat';
  const tools = options.tools ?? api !== 'openai-completions';
  return {
    takes: api === 'openai-completions' ? 'prompt' : 'messages',
    tools,
    media: options.media ?? tools,
    ask: (request, context) => ask(wireOf(api), options, request, context),
  };
}

async function* ask(
  wire: Wire,
  options: UpstreamOptions,
  request: UpstreamRequest,
  { signal }: UpstreamContext,
): AsyncGenerator<AnswerEvent> {
  const patience = new Patience(options.timeouts);
  const aborter = AbortSignal.any([signal, patience.signal]);
  try {
    const response = await send(wire, options, request, aborter, patience);
    await refuseWebPage(response);
    yield { type: 'answer-start' };
    yield* withoutErrors(read(wire, response, patience));
  } catch (error) {
    throw patience.error ?? (signal.aborted ? abortError(signal) : asBroken(error));
  } finally {
    patience.stop();
  }
}

// --- the request -------------------------------------------------------------------------------------------

async function send(
  wire: Wire,
  options: UpstreamOptions,
  request: UpstreamRequest,
  signal: AbortSignal,
  patience: Patience,
): Promise<Response> {
  const stream = options.stream ?? true;
  const body = JSON.stringify(
    wire.encodeRequest({ ...request, model: options.model ?? request.model, stream, includeUsage: stream }),
  );
  for (let retries = options.retries ?? 1; ; retries--) {
    patience.await('firstByte');
    const result = await attempt(wire, options, body, signal);
    if (result instanceof Response) return result;
    if (retries <= 0 || !result.retryable || signal.aborted) throw result;
    const asked = result.retryAfter === undefined ? undefined : result.retryAfter * 1000;
    await delay(Math.min(asked ?? options.retryDelay ?? 250, MAX_RETRY_DELAY), signal);
  }
}

/** A response that is an answer, or the error. */
async function attempt(
  wire: Wire,
  options: UpstreamOptions,
  body: string,
  signal: AbortSignal,
): Promise<Response | ApiError> {
  let response: Response;
  try {
    response = await (options.fetch ?? fetch)(addressOf(wire, options), {
      method: 'POST',
      headers: headersOf(wire, options),
      body,
      signal,
      // An upstream that points elsewhere could point anywhere.
      redirect: 'manual',
    });
  } catch (error) {
    if (signal.aborted) throw error;
    return new ApiError('upstream-failed', `The upstream could not be reached: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
  if (response.ok) return response;
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    await response.body?.cancel();
    const message =
      'The upstream answered with a redirect, which is not followed: set its own address as url.';
    return new ApiError('upstream-failed', message, { retryable: false });
  }
  return refusal(wire, response);
}

async function refusal(wire: Wire, response: Response): Promise<ApiError> {
  const error = wire.decodeError(response.status, await wholeText(response, 1024 * 1024));
  const retry = [408, 409, 429].includes(response.status) || response.status >= 500;
  const after = Number(response.headers.get('retry-after'));
  return new ApiError(error.code, error.message, {
    status: response.status,
    retryable: retry && response.headers.get('x-should-retry') !== 'false',
    ...(Number.isFinite(after) && after > 0 && { retryAfter: after }),
  });
}

function addressOf(wire: Wire, { url }: UpstreamOptions): string {
  const root = url.endsWith('/') ? url.slice(0, -1) : url;
  return `${root}/${paths[wire.name]}`;
}

function headersOf(wire: Wire, { key, headers, stream }: UpstreamOptions): Record<string, string> {
  const anthropic = wire.name === 'anthropic-messages';
  return {
    'content-type': 'application/json',
    accept: stream === false ? 'application/json' : 'text/event-stream',
    ...(anthropic && { 'anthropic-version': '2023-06-01' }),
    ...(key !== undefined && (anthropic ? { 'x-api-key': key } : { authorization: `Bearer ${key}` })),
    ...headers,
  };
}

// --- the answer ----------------------------------------------------------------------------------------------

async function refuseWebPage(response: Response): Promise<void> {
  if (!response.headers.get('content-type')?.includes('text/html')) return;
  await response.body?.cancel();
  const message = 'The upstream answered with a web page: is its url right?';
  throw new ApiError('upstream-failed', message, { retryable: false });
}

/** As a stream, or whole where the upstream does not stream. Read piece by piece, as fast as someone asks. */
async function* read(wire: Wire, response: Response, patience: Patience): AsyncGenerator<AnswerEvent> {
  const type = response.headers.get('content-type') ?? '';
  if (!response.body) throw new ApiError('upstream-failed', 'The upstream answered with nothing.');
  if (type.includes('json') && !type.includes('event-stream')) {
    yield* wire.decodeResponse(parseBody(await wholeText(response, MAX_BODY)));
    return;
  }
  const decoder = wire.createStreamDecoder();
  const utf8 = new TextDecoder();
  for await (const piece of piecesOf(response.body, patience)) {
    yield* decoder.feed(utf8.decode(piece, { stream: true }));
  }
  yield* decoder.feed(utf8.decode());
  yield* decoder.finish();
}

/** The clock runs only while the upstream is waited for, not while the reader takes its time. */
async function* piecesOf(body: ReadableStream<Uint8Array>, patience: Patience): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      patience.await('idle');
      const { done, value } = await reader.read();
      patience.pause();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

async function wholeText(response: Response, limit: number): Promise<string> {
  const utf8 = new TextDecoder();
  let text = '';
  if (!response.body) return text;
  const reader = response.body.getReader();
  try {
    while (text.length <= limit) {
      const { done, value } = await reader.read();
      if (done) return text + utf8.decode();
      text += utf8.decode(value, { stream: true });
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
  throw new ApiError('upstream-broken', `The upstream's answer is longer than ${limit} characters.`);
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('upstream-broken', 'The upstream answered with text that is no JSON.');
  }
}

/** Errors in a stream are thrown, like all others. */
async function* withoutErrors(events: AsyncIterable<AnswerEvent>): AsyncGenerator<AnswerEvent> {
  for await (const event of events) {
    if (event.type === 'error') throw event.error;
    if (event.type !== 'answer-start') yield event;
  }
}

function asBroken(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError('upstream-broken', `The upstream's answer broke off: ${reasonOf(error)}.`, {
    cause: error,
  });
}

/** What an aborted request throws: whatever it was aborted with. */
function abortError(signal: AbortSignal): unknown {
  return signal.reason;
}

/** Node's fetch hides the reason in a cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = (cause as { code?: unknown }).code;
  const message = cause instanceof Error && cause.message !== '' ? cause.message : String(code ?? cause);
  return message.endsWith('.') ? message.slice(0, -1) : message;
}

function delay(time: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, time);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });
}
