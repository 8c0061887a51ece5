// The status and headers of an error for a client, which are the same in every API. Each API writes its own body.

import type { ApiError, ApiErrorCode } from '../model/index.js';
import type { EncodedError } from './wire.js';

const statuses: Record<ApiErrorCode, number> = {
  'bad-request': 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'too-large': 413,
  'context-too-long': 400,
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

/** The 4xx status of an upstream that refused the request is passed on: it is about what the client sent. */
export function statusOf({ code, status }: ApiError): number {
  const passed = code === 'upstream-refused' && status !== undefined && status >= 400 && status < 500;
  return passed ? status : statuses[code];
}

/** Adds the headers by which official clients decide whether and when to retry. */
export function encodedError(error: ApiError, status: number, body: Record<string, unknown>): EncodedError {
  const headers: Record<string, string> = {};
  if (!error.retryable) headers['x-should-retry'] = 'false';
  if (error.retryAfter !== undefined) headers['retry-after'] = String(Math.ceil(error.retryAfter));
  return { status, headers, body };
}
