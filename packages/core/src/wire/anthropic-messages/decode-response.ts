// Reads an upstream's whole message as the events that its stream would have given.

import type { AnswerEvent } from '../../model/index.js';
import { isTooDeep, tooDeepText } from '../depth.js';
import { brokenEvent, decodeInnerError } from '../upstream-error.js';
import { listOf, memberOf } from '../values.js';
import { MessageReader } from './message-reader.js';

export function decodeResponse(body: unknown): AnswerEvent[] {
  if (isTooDeep(body)) return [brokenEvent(tooDeepText)];
  if (memberOf(body, 'error') !== undefined) return [{ type: 'error', error: decodeInnerError(body) }];
  if (!Array.isArray(memberOf(body, 'content'))) {
    const message = 'The upstream answered with something that is no message: it has no list `content`.';
    return [brokenEvent(message)];
  }
  const reader = new MessageReader();
  const events = reader.start(body);
  for (const [index, block] of listOf(body, 'content').entries()) {
    events.push(...reader.blockStart(index, block), ...reader.blockStop(index));
  }
  reader.messageDelta(body, undefined);
  return [...events, ...reader.finish()];
}
