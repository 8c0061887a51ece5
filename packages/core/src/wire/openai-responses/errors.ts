// Errors inside a stream, which this API has in two forms. Errors as HTTP responses are those of the chat API.

import type { ApiError, ApiErrorCode, Extra } from '../../model/index.js';
import { encodeError } from '../openai-chat/errors.js';
import { decodeInnerError } from '../upstream-error.js';
import { memberOf } from '../values.js';

/** Gives the members of the event `error`: flat, as documented, and nested, which is what OpenAI's client throws. */
export function errorMembers(error: ApiError): Extra {
  const body = encodeError(error).body.error as Extra;
  return { code: body.code, message: body.message, param: body.param, error: body };
}

/** Errors with a code of their own. At `context_length_exceeded` Codex compacts its conversation. */
const ownCodes: ReadonlyMap<ApiErrorCode, string> = new Map([
  ['rate-limited', 'rate_limit_exceeded'],
  ['context-too-long', 'context_length_exceeded'],
]);

const clientsFault: readonly string[] = ['bad-request', 'unsupported-media', 'too-large', 'tools-refused'];

/** Gives the `error` of a failed response, whose codes are a short list. */
export function failureOf(error: ApiError): { code: string; message: string } {
  const code = clientsFault.includes(error.code) ? 'invalid_prompt' : 'server_error';
  return { code: ownCodes.get(error.code) ?? code, message: error.message };
}

/** Reads an upstream's `error` event, or its failed response. */
export function decodeFailure(value: unknown): ApiError {
  return decodeInnerError(memberOf(value, 'response') ?? value);
}
