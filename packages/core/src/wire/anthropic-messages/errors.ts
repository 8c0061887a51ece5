// Writes errors in the envelope of the Messages API.

import type { ApiError, ApiErrorCode } from '../../model/index.js';
import { encodedError, statusOf } from '../encoded-error.js';
import type { EncodedError } from '../wire.js';

const types: Record<ApiErrorCode, string> = {
  'bad-request': 'invalid_request_error',
  unauthorized: 'authentication_error',
  forbidden: 'permission_error',
  'not-found': 'not_found_error',
  'method-not-allowed': 'invalid_request_error',
  'too-large': 'request_too_large',
  'context-too-long': 'invalid_request_error',
  'unsupported-media': 'invalid_request_error',
  'rate-limited': 'rate_limit_error',
  'tools-refused': 'invalid_request_error',
  'upstream-refused': 'invalid_request_error',
  'upstream-failed': 'api_error',
  'upstream-broken': 'api_error',
  'upstream-timeout': 'timeout_error',
  'unreadable-call': 'api_error',
  overloaded: 'overloaded_error',
  internal: 'api_error',
};

/** The error types for an upstream's own status, which is passed on. */
const typesByStatus: ReadonlyMap<number | undefined, string> = new Map([
  [401, 'authentication_error'],
  [402, 'billing_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [502, 'api_error'],
]);

export function encodeError(error: ApiError): EncodedError {
  // The API has its own status for overload, which clients look for.
  const status = error.code === 'overloaded' ? 529 : statusOf(error);
  return encodedError(error, status, errorBody(error));
}

/** Gives the envelope: the body of a response, or the data of an `error` event. */
export function errorBody(error: ApiError): Record<string, unknown> {
  const passed = error.code === 'upstream-refused' ? typesByStatus.get(statusOf(error)) : undefined;
  const { details } = error;
  return {
    type: 'error',
    error: { type: passed ?? types[error.code], message: messageOf(error), ...(details && { details }) },
  };
}

/**
 * The API's own words for a conversation that is too long, alone and together with `max_tokens`: clients look for them,
 * since the type has other uses.
 */
const tooLong = ['prompt is too long', 'exceed context limit'] as const;

function messageOf({ code, message }: ApiError): string {
  if (code !== 'context-too-long') return message;
  const words = message.toLowerCase();
  return tooLong.some((said) => words.includes(said)) ? message : `${tooLong[0]}: ${message}`;
}
