// A UsageError of the model's validation, found in a request, is an error of the client.

import { ApiError, UsageError } from '../model/index.js';

/** What `read` gives; a UsageError of it as the client's `bad-request`, with the path of the field. */
export function clientFault<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const { message, path } = error;
    throw new ApiError('bad-request', message, { cause: error, ...(path !== undefined && { path }) });
  }
}
