// An error on its way to a client: what is the same in every API. The body is each API's own.

import type { ApiError, ApiErrorCode } from '../model/index.js';
import type { EncodedError } from './wire.js';

const statuses: Record<ApiErrorCode, number> = {
  'bad-request': 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'too-large': 413,
  'unsupported-media': 400,
  'rate-limited': 429,
  'tools-refused': 400,
  'upstream-refused': 502,
  'upstream-failed': 502,
  'upstream-broken': 502,
  'upstream-timeout': 504,
  'unreadable-call': 502,
  overloaded: 503,
  internal: 500,
};

/** The status of an upstream that refused is passed on: what it says is about what the client sent. */
export function statusOf({ code, status }: ApiError): number {
  const passed = code === 'upstream-refused' && status !== undefined && status >= 400 && status < 500;
  return passed ? status : statuses[code];
}

/** The headers by which official clients decide whether and when to ask again. */
export function encodedError(error: ApiError, status: number, body: Record<string, unknown>): EncodedError {
  const headers: Record<string, string> = {};
  if (!error.retryable) headers['x-should-retry'] = 'false';
  if (error.retryAfter !== undefined) headers['retry-after'] = String(Math.ceil(error.retryAfter));
  return { status, headers, body };
}
