// Turns a UsageError of the model's validation into an error of the client that sent the request.

import { ApiError, UsageError } from '../model/index.js';

/** Gives what `read` returns; rethrows its UsageError as `bad-request`, with the path of the field. */
export function clientFault<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const { message, path } = error;
    throw new ApiError('bad-request', message, { cause: error, ...(path !== undefined && { path }) });
  }
}
