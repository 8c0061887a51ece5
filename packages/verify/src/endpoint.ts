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
  /** How often it was sent again, because the endpoint failed for a moment or the connection was lost. */
  retries?: number;
  /** Where a redirect points. It is not followed: that could send the key anywhere. */
  location?: string;
  /** Why it has no answer, or not all of it. */
  error?: { code: ExchangeErrorCode; message: string };
}

type ExchangeErrorCode = 'unreachable' | 'timeout' | 'broken' | 'too-long';

/** The most that is read of one answer, in characters: an endpoint is never trusted. */
const LONGEST = 8 * 1024 * 1024;
/** How often a request is sent again, by the status it got: most of these pass. 0: the connection was lost. */
const retries: Readonly<Record<number, number>> = { 0: 2, 429: 4, 500: 1, 502: 4, 503: 4, 504: 4, 529: 4 };
const LONGEST_WAIT = 30_000;

/** Sends one request. Never throws, unless the signal is aborted. */
export async function sendExchange(
  endpoint: Endpoint,
  outgoing: Outgoing,
  signal: AbortSignal,
): Promise<Exchange> {
  for (let attempt = 0; ; attempt++) {
    const { exchange, wait } = await sendOnce(endpoint, outgoing, signal);
    const isLate = exchange.error?.code === 'timeout';
    if (isLate || attempt >= (retries[exchange.status] ?? 0))
      return { ...exchange, ...(attempt > 0 && { retries: attempt }) };
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
      redirect: 'manual',
    });
    exchange.status = response.status;
    exchange.type = response.headers.get('content-type') ?? '';
    const location = response.headers.get('location');
    if (location !== null) exchange.location = location;
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
  if (words === 'bad port') return BLOCKED_PORT;
  return words.endsWith('.') ? words : `${words}.`;
}

/** Ports of other protocols, such as 6000, are blocked, and Node says no more than "bad port". */
const BLOCKED_PORT =
  'the Fetch standard blocks its port (bad port). Let the server listen on another, such as 8000.';

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
/** Shorter ones are words that answers have as well. */
const SHORTEST = 8;

/** A function that hides keys, passwords and the values of headers, which an endpoint may quote, from what is shown. */
export function hiderOf(endpoints: readonly Endpoint[]): (text: string) => string {
  const secrets = [...new Set(endpoints.flatMap(secretsOf))].sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text);
}

/** An exchange as it is kept. What is hidden may be cut by its pieces, which are then joined. */
export function hideIn(exchange: Exchange, hide: (text: string) => string): Exchange {
  const { pieces, location, error } = exchange;
  const whole = pieces.map(([, text]) => text).join('');
  const hidden = hide(whole);
  return {
    ...exchange,
    pieces: hidden === whole ? pieces : [[pieces.at(-1)?.[0] ?? 0, hidden]],
    ...(location !== undefined && { location: hide(location) }),
    ...(error && { error: { ...error, message: hide(error.message) } }),
  };
}

function secretsOf({ url, key = '', headers = {} }: Endpoint): string[] {
  const values = Object.values(headers).flatMap((value) => [value, ...value.split(' ')]);
  const found = [key, ...values, ...new URL(url).searchParams.values(), ...passwordsIn(values)];
  return found
    .filter((one) => one.length >= SHORTEST)
    .flatMap((one) => [one, JSON.stringify(one).slice(1, -1), encodeURIComponent(one)]);
}

/** The name and the password of `Basic …`. */
function passwordsIn(values: readonly string[]): string[] {
  return values.flatMap((value) => {
    if (!value.startsWith(BASIC)) return [];
    const pair = new TextDecoder().decode(bytesOf(atob(value.slice(BASIC.length))));
    return [pair, pair.slice(pair.indexOf(':') + 1)];
  });
}

const BASIC = 'Basic ';
const bytesOf = (text: string) => Uint8Array.from(text, (one) => one.charCodeAt(0));

/** Takes a name and a password out of an address: `fetch` refuses them there. They become a header. */
export function splitAddress(address: string): { url: string; headers?: Record<string, string> } {
  const url = new URL(address);
  const { username, password } = url;
  if (username === '' && password === '') return { url: address };
  url.username = '';
  url.password = '';
  const pair = new TextEncoder().encode(`${decoded(username)}:${decoded(password)}`);
  return { url: url.href, headers: { authorization: BASIC + btoa(String.fromCharCode(...pair)) } };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address without what may be secret in it. */
export function shownUrl(url: string): string {
  if (!URL.canParse(url)) return url.replace(/\/\/[^/]*@/, '//');
  const parsed = new URL(url);
  parsed.username = '';
  parsed.password = '';
  parsed.search = '';
  return parsed.href.replace(/\/$/, '');
}
