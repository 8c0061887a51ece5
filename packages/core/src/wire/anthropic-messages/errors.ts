// Errors in the API's envelope, and out of whatever envelope an upstream used.

import { ApiError, type ApiErrorCode } from '../../model/index.js';
import { listOf, memberOf, stringOf } from '../values.js';
import type { EncodedError } from '../wire.js';

const table: Record<ApiErrorCode, readonly [status: number, type: string]> = {
  'bad-request': [400, 'invalid_request_error'],
  unauthorized: [401, 'authentication_error'],
  forbidden: [403, 'permission_error'],
  'not-found': [404, 'not_found_error'],
  'method-not-allowed': [405, 'invalid_request_error'],
  'too-large': [413, 'request_too_large'],
  'unsupported-media': [400, 'invalid_request_error'],
  'rate-limited': [429, 'rate_limit_error'],
  'tools-refused': [400, 'invalid_request_error'],
  'upstream-refused': [400, 'invalid_request_error'],
  'upstream-failed': [502, 'api_error'],
  'upstream-broken': [502, 'api_error'],
  'upstream-timeout': [504, 'timeout_error'],
  'unreadable-call': [502, 'api_error'],
  overloaded: [529, 'overloaded_error'],
  internal: [500, 'api_error'],
};

/** The types that have a status of their own, and the status of each. Also what in-band errors are told by. */
const statuses = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['api_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
]);

export function encodeError(error: ApiError): EncodedError {
  const headers: Record<string, string> = {};
  if (!error.retryable) headers['x-should-retry'] = 'false';
  if (error.retryAfter !== undefined) headers['retry-after'] = String(Math.ceil(error.retryAfter));
  return { status: statusOf(error), headers, body: errorBody(error) };
}

/** The envelope: the body of a response, or the data of an `error` event. */
export function errorBody(error: ApiError): Record<string, unknown> {
  return { type: 'error', error: { type: typeOf(error), message: error.message } };
}

function statusOf({ code, status }: ApiError): number {
  const passed = code === 'upstream-refused' && status !== undefined && status >= 400 && status < 500;
  return passed ? status : table[code][0];
}

function typeOf(error: ApiError): string {
  const [, type] = table[error.code];
  if (error.code !== 'upstream-refused') return type;
  const status = statusOf(error);
  return [...statuses].find(([, own]) => own === status)?.[0] ?? type;
}

/** An upstream's answer that is no 2xx. */
export function decodeError(status: number, body: string): ApiError {
  const value = parsed(body);
  const message = messageOf(value) ?? shown(typeof value === 'string' ? value : '');
  const said = message === '' ? `The upstream answered with the status ${status}.` : message;
  return toError(status, stringOf(value, 'error', 'type'), said);
}

/** An error inside a stream, which has a type and no status. */
export function decodeErrorEvent(data: unknown): ApiError {
  const type = stringOf(data, 'error', 'type');
  const status = statuses.get(type ?? '') ?? 500;
  return toError(status, type, messageOf(data) ?? 'The upstream gave an error without saying which.');
}

function toError(status: number, type: string | undefined, said: string): ApiError {
  const message = withoutKeys(said);
  if (status === 529 || type === 'overloaded_error') return new ApiError('overloaded', message, { status });
  if (status === 429) return new ApiError('rate-limited', message, { status });
  if (status < 400 || status >= 500) return new ApiError('upstream-failed', message, { status });
  return new ApiError('upstream-refused', message, { status, retryable: status === 408 || status === 409 });
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** {error: {message}}, {error}, {message}, {detail}, {detail: [{msg}]}: the first that says something. */
function messageOf(value: unknown): string | undefined {
  const candidates = [
    stringOf(value, 'error', 'message'),
    stringOf(value, 'error'),
    stringOf(value, 'message'),
    stringOf(value, 'detail'),
    stringOf(memberOf(value, 'detail'), '0', 'msg'),
    stringOf(listOf(value)[0], 'error', 'message'),
  ];
  const found = candidates.find((text) => text !== undefined && text.trim() !== '');
  return found === undefined ? undefined : shown(found);
}

const MAX_MESSAGE = 2000;

/** A page of HTML says nothing to anyone; long text is cut. */
function shown(text: string): string {
  const trimmed = text.trim();
  if (trimmed.startsWith('<')) return '';
  return trimmed.length > MAX_MESSAGE ? `${trimmed.slice(0, MAX_MESSAGE)}…` : trimmed;
}

// Each begins with letters of its own and then takes one class of characters: nothing to go back over.
const keys = [
  /\b(?:sk|pk|rk|xai|nvapi|key)-[A-Za-z0-9_*.-]{8,}/g,
  /\b(?:gsk|hf|r8)_[A-Za-z0-9*]{8,}/g,
  /\bAIza[A-Za-z0-9_*-]{16,}/g,
  /\bBearer [A-Za-z0-9._~+/=*-]{8,}/gi,
];

/** Providers quote the key they refuse. It is not the client's, and belongs into no answer. */
function withoutKeys(message: string): string {
  return keys.reduce((text, key) => text.replace(key, '[key]'), message);
}
