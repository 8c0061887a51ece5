// Values nested so deep that code that walks them runs out of stack. JSON.parse takes any depth, JSON.stringify
// does not. The model's validation reports it to clients with the path; the other cases are here.

import { isConstant } from '../model/constants.js';
import type { ModelRequest } from '../model/index.js';
import { UsageError } from '../model/index.js';
import { MAX_JSON_DEPTH } from '../model/json.js';

/** Walks depth-first, so that it finds a cycle at once. A constant came from a decoder, which refuses deep values. */
function isDeeperThan(limit: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null || isConstant(value) || ArrayBuffer.isView(value))
    return false;
  if (limit === 0) return true;
  if (value instanceof Map) {
    for (const member of value.values()) if (isDeeperThan(limit - 1, member)) return true;
    return false;
  }
  // Lists are gone through by place: a loop over their keys makes a text of each. Neither loop makes a list or an
  // iterator of the members: every request is walked.
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) if (isDeeperThan(limit - 1, value[at])) return true;
    return false;
  }
  for (const key in value) {
    if (Object.hasOwn(value, key) && isDeeperThan(limit - 1, (value as Record<string, unknown>)[key]))
      return true;
  }
  return false;
}

/** Whether an upstream sent a value that cannot be encoded again. */
export function isTooDeep(value: unknown): boolean {
  return isDeeperThan(MAX_JSON_DEPTH, value);
}

export const tooDeepText = `The upstream sent a value nested deeper than ${MAX_JSON_DEPTH} levels.`;

/**
 * Throws for a request that is too deep to be written. What a client sent is within the limit, also inside our notes.
 */
export function refuseDepth(request: ModelRequest): void {
  if (!isDeeperThan(2 * MAX_JSON_DEPTH, request)) return;
  const message = `expected values of at most ${MAX_JSON_DEPTH} levels and no cycle`;
  throw new UsageError('bad-conversation', message);
}
