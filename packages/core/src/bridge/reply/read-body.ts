// The body of a request: JSON, and not more of it than is allowed.

import { ApiError } from '../../model/index.js';
import type { Incoming } from './reply.js';

const MOST = 32 * 1024 * 1024;

export async function readBody(incoming: Incoming, signal: AbortSignal, most = MOST): Promise<unknown> {
  const text = await incoming.text(most).catch((error) => {
    throw error instanceof ApiError || signal.aborted ? error : unread(error);
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? ` (${error.message})` : '';
    throw new ApiError('bad-request', `The body is no JSON${reason}.`);
  }
}

function unread(error: unknown): ApiError {
  const reason = error instanceof Error ? ` (${error.message})` : '';
  return new ApiError('bad-request', `The body could not be read${reason}.`, { cause: error });
}
