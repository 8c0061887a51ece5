// Reads a whole answer of the Responses API as if it were the only event of a stream: the last.

import type { AnswerEvent } from '../../model/index.js';
import { isTooDeep, tooDeepText } from '../depth.js';
import { brokenEvent } from '../upstream-error.js';
import { memberOf, stringOf } from '../values.js';
import { createReading } from './decode-stream.js';
import { decodeFailure } from './errors.js';

const ended = ['completed', 'incomplete', 'failed', 'cancelled'];

export function decodeResponse(body: unknown): AnswerEvent[] {
  if (isTooDeep(body)) return [brokenEvent(tooDeepText)];
  const isResponse = Array.isArray(memberOf(body, 'output'));
  if (!isResponse && memberOf(body, 'error') !== undefined) {
    return [{ type: 'error', error: decodeFailure(body) }];
  }
  const status = stringOf(body, 'status') ?? 'completed';
  if (!isResponse || !ended.includes(status)) {
    const found = isResponse ? `one that is '${status.slice(0, 40)}'` : 'something else';
    return [brokenEvent(`Expected a finished response of the upstream, found ${found}.`)];
  }
  const events = createReading().read({ type: `response.${status}`, response: body }, undefined);
  const error = events.findIndex((event) => event.type === 'error');
  return error < 0 ? events : events.slice(0, error + 1);
}
