// Errors inside a stream, which this API says in two ways. As answers to a request they are those of the chat API.

import type { ApiError, ApiErrorCode, Extra } from '../../model/index.js';
import { encodeError } from '../openai-chat/errors.js';
import { decodeInnerError } from '../upstream-error.js';
import { memberOf } from '../values.js';

/** What the event `error` says: flat, as it is documented, and nested, which is what OpenAI's client throws. */
export function errorMembers(error: ApiError): Extra {
  const body = encodeError(error).body.error as Extra;
  return { code: body.code, message: body.message, param: body.param, error: body };
}

const clientsFault: readonly ApiErrorCode[] = [
  'bad-request',
  'unsupported-media',
  'too-large',
  'tools-refused',
];

/** The `error` of a response that failed, whose codes are a short list. */
export function failureOf(error: ApiError): { code: string; message: string } {
  if (error.code === 'rate-limited') return { code: 'rate_limit_exceeded', message: error.message };
  const code = clientsFault.includes(error.code) ? 'invalid_prompt' : 'server_error';
  return { code, message: error.message };
}

/** An upstream's `error` event, or its response that failed. */
export function decodeFailure(value: unknown): ApiError {
  return decodeInnerError(memberOf(value, 'response') ?? value);
}
