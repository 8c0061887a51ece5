// Images and other media on their way to a model: passed to upstreams that take them, else refused with the path of
// the member. A text prompt cannot hold them.

import { ApiError, type MediaPart, type Message, type ToolResult } from '../../model/index.js';
import { resultMedia } from '../../wire/result-content.js';
import type { Upstream } from './upstream.js';

/** Throws if a message holds media that the upstream cannot take. */
export function refuseMedia(messages: readonly Message[], upstream: Upstream): void {
  if (upstream.media && upstream.takes === 'messages') return;
  for (const [at, message] of messages.entries()) {
    for (const [place, part] of message.parts.entries()) {
      if (part.type === 'media') throw noMedia(`messages[${at}].content[${place}]`);
      if (part.type === 'tool-result' && mediaOf(part).length > 0) throw noMedia(`messages[${at}].content`);
    }
  }
}

function noMedia(path: string): ApiError {
  const message = `${path}: this model takes only text here; leave the image or file out, or use a model that takes it`;
  return new ApiError('unsupported-media', message, { path });
}

/** Moves media of tool results into a user's message after them: dialects cannot write media in a result. */
export function liftResultMedia(messages: readonly Message[]): Message[] {
  const lifted: Message[] = [];
  let waiting: MediaPart[] = [];
  for (const message of messages) {
    if (message.role !== 'tool' && waiting.length > 0) {
      lifted.push({ role: 'user', parts: waiting });
      waiting = [];
    }
    lifted.push(message);
    if (message.role === 'tool') waiting.push(...message.parts.flatMap(mediaOf));
  }
  return waiting.length > 0 ? [...lifted, { role: 'user', parts: waiting }] : lifted;
}

function mediaOf(result: ToolResult): MediaPart[] {
  return resultMedia(result).map((media) => ({ type: 'media', media }));
}
