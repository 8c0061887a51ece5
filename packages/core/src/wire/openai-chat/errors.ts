// Writes errors as OpenAI's clients expect them.

import type { ApiError, ApiErrorCode } from '../../model/index.js';
import { encodedError, statusOf } from '../encoded-error.js';
import type { EncodedError } from '../wire.js';

const words: Record<ApiErrorCode, readonly [type: string, code: string]> = {
  'bad-request': ['invalid_request_error', 'invalid_value'],
  unauthorized: ['authentication_error', 'invalid_api_key'],
  forbidden: ['permission_error', 'forbidden'],
  'not-found': ['invalid_request_error', 'not_found'],
  'method-not-allowed': ['invalid_request_error', 'method_not_allowed'],
  'too-large': ['invalid_request_error', 'request_too_large'],
  'context-too-long': ['invalid_request_error', 'context_length_exceeded'],
  'unsupported-media': ['invalid_request_error', 'unsupported_media'],
  'rate-limited': ['rate_limit_error', 'rate_limit_exceeded'],
  'tools-refused': ['invalid_request_error', 'tools_refused'],
  'upstream-refused': ['upstream_error', 'upstream_refused'],
  'upstream-failed': ['upstream_error', 'upstream_failed'],
  'upstream-broken': ['upstream_error', 'upstream_broken'],
  'upstream-timeout': ['upstream_error', 'upstream_timeout'],
  'unreadable-call': ['upstream_error', 'unreadable_call'],
  overloaded: ['server_error', 'overloaded'],
  internal: ['server_error', 'internal_error'],
};

export function encodeError(error: ApiError): EncodedError {
  const [type, word] = words[error.code];
  const { message, path: param = null } = error;
  const code = error.code === 'not-found' && param === 'model' ? 'model_not_found' : word;
  return encodedError(error, statusOf(error), { error: { message, type, param, code } });
}
