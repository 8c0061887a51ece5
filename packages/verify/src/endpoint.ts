// The endpoint that is tested, and one exchange with it: a request, and what came back, piece by piece with its times.

import { ApiError } from '@dragoman/core';
import { authHeaders, type Wire } from '@dragoman/core/wire';

export type FetchFunction = (url: string, init: RequestInit) => Promise<Response>;

export interface Endpoint {
  /** The address up to the version, as clients take it: `http://localhost:8000/v1`. */
  url: string;
  wire: Wire;
  model: string;
  key?: string;
  headers?: Readonly<Record<string, string>>;
  fetch?: FetchFunction;
  /** Milliseconds that one answer may take. */
  timeout: number;
}

/** What is sent: a body to the path of the API, or nothing but the path. */
export interface Outgoing {
  method: 'GET' | 'POST';
  /** Behind the version: `/models`. */
  path: string;
  body: string;
  /** A stream is asked for. */
  streamed: boolean;
}

/** One exchange, as it is saved. It has no headers of the request: those hold the key. */
export interface Exchange extends Outgoing {
  /** 0: no answer came. */
  status: number;
  /** The media type of the answer. */
  type: string;
  /** The milliseconds since the request, and the text that came then. */
  pieces: [time: number, text: string][];
  /** Why it has no answer, or not all of it. */
  error?: { code: ExchangeErrorCode; message: string };
}

type ExchangeErrorCode = 'unreachable' | 'timeout' | 'broken' | 'too-long';

/** The most that is read of one answer, in characters: an endpoint is never trusted. */
const LONGEST = 8 * 1024 * 1024;
/** How often a request is sent again that the endpoint refused because there were too many; a lost one, twice. */
const RETRIES = 4;
const LONGEST_WAIT = 30_000;

/** Sends one request. Never throws, unless the signal is aborted. */
export async function sendExchange(
  endpoint: Endpoint,
  outgoing: Outgoing,
  signal: AbortSignal,
): Promise<Exchange> {
  for (let attempt = 0; ; attempt++) {
    const { exchange, wait } = await sendOnce(endpoint, outgoing, signal);
    // A server may close a connection that is kept alive just when the next request is sent on it.
    const isLost = exchange.error?.code === 'unreachable' && attempt < 2;
    const isBusy = exchange.status === 429 && attempt < RETRIES;
    if (!isLost && !isBusy) return withoutSecrets(exchange, endpoint);
    await delay(Math.min(wait ?? 250 * 2 ** attempt, LONGEST_WAIT), signal);
  }
}

async function sendOnce(
  endpoint: Endpoint,
  outgoing: Outgoing,
  signal: AbortSignal,
): Promise<{ exchange: Exchange; wait?: number }> {
  const exchange: Exchange = { ...outgoing, status: 0, type: '', pieces: [] };
  const late = AbortSignal.timeout(endpoint.timeout);
  const either = AbortSignal.any([signal, late]);
  const start = performance.now();
  try {
    const response = await (endpoint.fetch ?? fetch)(addressOf(endpoint.url, outgoing.path), {
      method: outgoing.method,
      headers: headersOf(endpoint, outgoing),
      ...(outgoing.method === 'POST' && { body: outgoing.body }),
      signal: either,
      // A redirect could send the key anywhere.
      redirect: 'manual',
    });
    exchange.status = response.status;
    exchange.type = response.headers.get('content-type') ?? '';
    const wait = Number(response.headers.get('retry-after') ?? Number.NaN) * 1000;
    await readPieces(response, exchange, start, either);
    return { exchange, ...(Number.isFinite(wait) && wait > 0 && { wait }) };
  } catch (error) {
    signal.throwIfAborted();
    exchange.error = late.aborted
      ? { code: 'timeout', message: `No whole answer came within ${endpoint.timeout / 1000} s.` }
      : { code: exchange.status === 0 ? 'unreachable' : 'broken', message: reasonOf(error) };
    return { exchange };
  }
}

async function readPieces(
  response: Response,
  exchange: Exchange,
  start: number,
  signal: AbortSignal,
): Promise<void> {
  const reader = response.body?.getReader();
  const utf8 = new TextDecoder();
  let length = 0;
  const leave = () => void reader?.cancel().catch(() => {});
  signal.addEventListener('abort', leave);
  try {
    while (reader) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      const text = done ? utf8.decode() : utf8.decode(value, { stream: true });
      if (text !== '') exchange.pieces.push([Math.round((performance.now() - start) * 10) / 10, text]);
      length += text.length;
      if (done) return;
      if (length > LONGEST) {
        exchange.error = { code: 'too-long', message: `The answer has more than ${LONGEST} characters.` };
        leave();
        return;
      }
    }
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

/** Gives the address of a path behind the version; a query of the URL stays at the end. */
function addressOf(url: string, path: string): string {
  const [address = '', ...query] = url.split('?');
  return [address.replace(/\/$/, '') + path, ...query].join('?');
}

function headersOf({ wire, key, headers }: Endpoint, { method, streamed }: Outgoing): Record<string, string> {
  return {
    ...(method === 'POST' && { 'content-type': 'application/json' }),
    accept: streamed ? wire.stream.type : 'application/json',
    ...authHeaders(wire, key),
    ...headers,
  };
}

/** Gives the message of an error; Node's fetch has the reason in `cause`. */
function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { code, message } = cause as { code?: unknown; message?: unknown };
  const words = typeof message === 'string' && message !== '' ? message : String(code ?? cause);
  return words.endsWith('.') ? words : `${words}.`;
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

// --- secrets -------------------------------------------------------------------------------------------------

const HIDDEN = '[key]';
const SHORTEST = 4;

/** Hides the key and the values of headers, which an endpoint may quote. They may be cut by the pieces. */
function withoutSecrets(exchange: Exchange, endpoint: Endpoint): Exchange {
  const secrets = secretsOf(endpoint);
  const whole = exchange.pieces.map(([, text]) => text).join('');
  const hidden = hide(whole, secrets);
  const time = exchange.pieces.at(-1)?.[0] ?? 0;
  return {
    ...exchange,
    pieces: hidden === whole ? exchange.pieces : [[time, hidden]],
    ...(exchange.error && {
      error: { ...exchange.error, message: hide(exchange.error.message, secrets) },
    }),
  };
}

function secretsOf({ url, key, headers = {} }: Endpoint): string[] {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const inUrl = parsed
    ? [parsed.password, decodeURIComponent(parsed.password), ...parsed.searchParams.values()]
    : [];
  return [key ?? '', ...Object.values(headers), ...inUrl].filter((one) => one.length >= SHORTEST);
}

function hide(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text);
}

/** The address without what may be secret in it. */
export function shownUrl(url: string): string {
  const parsed = new URL(url);
  parsed.username = '';
  parsed.password = '';
  parsed.search = '';
  return parsed.href.replace(/\/$/, '');
}
