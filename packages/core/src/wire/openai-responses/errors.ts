// Errors. As answers to a request they are the same in both of OpenAI's APIs; inside a stream this one has its
// own two ways to say them.

import type { ApiError, ApiErrorCode, Extra } from '../../model/index.js';
import { decodeError, decodeInnerError, encodeError } from '../openai-chat/errors.js';
import { memberOf, stringOf } from '../values.js';

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

const statuses: ReadonlyMap<unknown, number> = new Map([
  ['rate_limit_exceeded', 429],
  ['insufficient_quota', 429],
  ['invalid_prompt', 400],
  ['context_length_exceeded', 400],
]);

/** An upstream's `error` event, or its response that failed. What it would have been as a status is a guess. */
export function decodeFailure(value: unknown): ApiError {
  const error = memberOf(value, 'response', 'error') ?? memberOf(value, 'error') ?? value;
  const said = memberOf(error, 'code');
  const message = stringOf(error, 'message') ?? stringOf(error) ?? stringOf(error, 'code');
  return decodeInnerError({ error: { message, code: statuses.get(said) ?? said } });
}
