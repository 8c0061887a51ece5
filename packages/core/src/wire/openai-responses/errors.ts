// Errors. As answers to a request they are the same in both of OpenAI's APIs; inside a stream this one has its
// own two ways to say them.

import { ApiError, type ApiErrorCode, type Extra } from '../../model/index.js';
import { decodeError, decodeInnerError, encodeError } from '../openai-chat/errors.js';
import { memberOf, numberOf, stringOf } from '../values.js';

export { decodeError, encodeError };

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
  const error = memberOf(value, 'response', 'error') ?? memberOf(value, 'error') ?? value;
  const code = stringOf(error, 'code');
  const message = stringOf(error, 'message') ?? code ?? 'The upstream said that its answer failed.';
  if (code === 'rate_limit_exceeded') return new ApiError('rate-limited', message);
  if (code === 'invalid_prompt') return new ApiError('upstream-refused', message, { status: 400 });
  return numberOf(error, 'code') === undefined
    ? new ApiError('upstream-failed', message)
    : decodeInnerError({ error });
}
