// Reads an upstream's whole answer as the events that its stream would have had.

import { type AnswerEvent, ApiError } from '../../model/index.js';
import { isTooDeep, tooDeepText } from '../depth.js';
import { brokenEvent, isErrorBody } from '../upstream-error.js';
import { listOf } from '../values.js';
import { ChatReader } from './chat-reader.js';

export function decodeResponse(body: unknown): AnswerEvent[] {
  if (isTooDeep(body)) return [brokenEvent(tooDeepText)];
  if (listOf(body, 'choices').length === 0 && !isErrorBody(body)) {
    const message = 'The upstream sent something that is no answer: it has no `choices`.';
    return [{ type: 'error', error: new ApiError('upstream-failed', message) }];
  }
  const reader = new ChatReader();
  const events = reader.read(body);
  return events.some(({ type }) => type === 'error') ? events : [...events, ...reader.end(true).events];
}
