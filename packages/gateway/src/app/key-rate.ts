// The limit of a key: so many requests to models a minute, and as many others, in a count of their own. So a client that
// asks for its stored responses loses no request to a model, and one that asks for them without an end is stopped.

import { ApiError } from '@dragoman/core';
import type { RateLimiter } from '../services.js';
import type { Client } from './plan.js';

const words = { models: '', others: ' that are not for a model' };

/** Counts one request. Throws an ApiError if the key has used up its limit. */
export async function takeRate(
  { limiter }: { limiter: RateLimiter },
  { scope, requestsPerMinute }: Client,
  kind: keyof typeof words,
): Promise<void> {
  if (requestsPerMinute === undefined) return;
  const taken = await limiter.take(kind === 'models' ? scope : `${kind} ${scope}`, requestsPerMinute);
  if (taken.ok) return;
  const message = `This key is limited to ${requestsPerMinute} requests a minute${words[kind]}; try again in ${taken.retryAfter} s.`;
  throw new ApiError('rate-limited', message, { retryAfter: taken.retryAfter });
}
