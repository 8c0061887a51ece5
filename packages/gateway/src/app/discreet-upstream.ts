// What an upstream says when it refuses is passed on in its words; some repeat the key they were shown.

import { ApiError } from '@dragoman/core';
import { type Upstream, withErrors } from '@dragoman/core/bridge';

export function discreet(upstream: Upstream, redact: (text: string) => string): Upstream {
  const change = (error: unknown) => (error instanceof ApiError ? withoutSecrets(error, redact) : error);
  return { ...upstream, ask: (request, context) => withErrors(upstream.ask(request, context), change) };
}

function withoutSecrets(error: ApiError, redact: (text: string) => string): ApiError {
  const message = redact(error.message);
  if (message === error.message) return error;
  const { code, path, status, retryable, retryAfter, details } = error;
  return new ApiError(code, message, {
    retryable,
    ...(path !== undefined && { path }),
    ...(status !== undefined && { status }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(details !== undefined && { details }),
  });
}
