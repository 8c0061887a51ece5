// Errors, as OpenAI's clients expect them and as upstreams word them.

import { ApiError, type ApiErrorCode } from '../../model/index.js';
import { listOf, memberOf, numberOf, stringOf } from '../values.js';
import type { EncodedError } from '../wire.js';

interface Envelope {
  status: number;
  type: string;
  code: string;
}

const envelopes: Record<ApiErrorCode, Envelope> = {
  'bad-request': { status: 400, type: 'invalid_request_error', code: 'invalid_value' },
  unauthorized: { status: 401, type: 'authentication_error', code: 'invalid_api_key' },
  forbidden: { status: 403, type: 'permission_error', code: 'forbidden' },
  'not-found': { status: 404, type: 'invalid_request_error', code: 'model_not_found' },
  'method-not-allowed': { status: 405, type: 'invalid_request_error', code: 'method_not_allowed' },
  'too-large': { status: 413, type: 'invalid_request_error', code: 'request_too_large' },
  'unsupported-media': { status: 400, type: 'invalid_request_error', code: 'unsupported_media' },
  'rate-limited': { status: 429, type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  'tools-refused': { status: 400, type: 'invalid_request_error', code: 'tools_refused' },
  'upstream-refused': { status: 502, type: 'upstream_error', code: 'upstream_refused' },
  'upstream-failed': { status: 502, type: 'upstream_error', code: 'upstream_failed' },
  'upstream-broken': { status: 502, type: 'upstream_error', code: 'upstream_broken' },
  'upstream-timeout': { status: 504, type: 'upstream_error', code: 'upstream_timeout' },
  'unreadable-call': { status: 502, type: 'upstream_error', code: 'unreadable_call' },
  overloaded: { status: 503, type: 'server_error', code: 'overloaded' },
  internal: { status: 500, type: 'server_error', code: 'internal_error' },
};

export function encodeError(error: ApiError): EncodedError {
  const { status, type, code } = envelopes[error.code];
  const passed = error.code === 'upstream-refused' ? error.status : undefined;
  return {
    status: passed ?? status,
    headers: {
      ...(!error.retryable && { 'x-should-retry': 'false' }),
      ...(error.retryAfter !== undefined && { 'retry-after': String(Math.ceil(error.retryAfter)) }),
    },
    body: { error: { message: error.message, type, param: error.path ?? null, code } },
  };
}

/** An upstream's answer that is an error, by its status. */
export function decodeError(status: number, body: string): ApiError {
  return toApiError(status, messageOf(body));
}

/** An error inside an answer that began well. Some say the status in it. */
export function decodeInnerError(value: unknown): ApiError {
  const said =
    numberOf(value, 'error', 'code') ?? numberOf(value, 'error', 'status') ?? numberOf(value, 'code');
  const status = said !== undefined && said >= 400 && said < 600 ? said : 502;
  return toApiError(status, messageIn(value));
}

function toApiError(status: number, said: string | undefined): ApiError {
  const message = `The upstream answered ${status}${said === undefined ? '.' : `: ${said}`}`;
  if (status === 429) return new ApiError('rate-limited', message, { status });
  if (status === 408) return new ApiError('upstream-timeout', message, { status });
  if (status < 400 || status >= 500) return new ApiError('upstream-failed', message, { status });
  return new ApiError('upstream-refused', message, { status, retryable: status === 409 });
}

const MAX_MESSAGE = 2000;

function messageOf(body: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return shown(body.trimStart().startsWith('<') ? pageText(body) : body);
  }
  return typeof value === 'string' ? shown(value) : messageIn(value);
}

/** {error: {message}}, {error: '…'}, {message}, {detail: '…'}, FastAPI's {detail: [{loc, msg}]}, lists of these. */
function messageIn(value: unknown): string | undefined {
  const body = Array.isArray(value) ? value[0] : value;
  const said =
    stringOf(body, 'error', 'message') ??
    stringOf(body, 'error') ??
    stringOf(body, 'message') ??
    stringOf(body, 'detail') ??
    stringOf(body, 'detail', 'message') ??
    faultsText(listOf(body, 'detail')) ??
    stringOf(body, 'error', 'code');
  return said === undefined ? undefined : shown(said);
}

function faultsText(faults: unknown[]): string | undefined {
  const texts = faults.flatMap((fault) => {
    const text = stringOf(fault, 'msg');
    return text === undefined ? [] : [`${listOf(fault, 'loc').join('.')}: ${text}`];
  });
  return texts.length > 0 ? texts.join('; ') : undefined;
}

/** The words of an HTML page, most often a proxy's: its title, or what stands between its tags. */
function pageText(page: string): string {
  const start = page.toLowerCase().indexOf('<title>');
  const end = start < 0 ? -1 : page.indexOf('<', start + 7);
  if (end > 0) return page.slice(start + 7, end);
  let text = '';
  for (const piece of page.slice(0, 20_000).split('<')) text += ` ${piece.slice(piece.indexOf('>') + 1)}`;
  return text;
}

/** One short line, without anything that looks like a key. */
function shown(text: string): string | undefined {
  const line = text
    .slice(0, 4 * MAX_MESSAGE)
    .split(/\s+/)
    .map(hideKey)
    .join(' ')
    .trim();
  if (line === '') return undefined;
  return line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE)}…` : line;
}

const keyPrefixes = ['sk-', 'rk-', 'pk-', 'gsk_', 'xai-', 'hf_', 'nvapi-', 'AIza', 'eyJ', 'sess-', 'key-'];

function hideKey(word: string, at: number, words: string[]): string {
  const bearer = at > 0 && words[at - 1]?.toLowerCase().endsWith('bearer') === true;
  const start = bearer ? 0 : keyStart(word);
  return start >= 0 && word.length - start >= 12 ? `${word.slice(0, start)}[key]` : word;
}

/** Where a key begins in a word, behind quotes or brackets; -1 if there is none. */
function keyStart(word: string): number {
  for (const prefix of keyPrefixes) {
    const at = word.indexOf(prefix);
    if (at === 0 || (at > 0 && !/[A-Za-z0-9]/.test(word.charAt(at - 1)))) return at;
  }
  return -1;
}

/** Whether what came in place of an answer is an error. */
export function isErrorBody(value: unknown): boolean {
  return (
    memberOf(value, 'error') !== undefined ||
    stringOf(value, 'object') === 'error' ||
    stringOf(value, 'type') === 'error'
  );
}
