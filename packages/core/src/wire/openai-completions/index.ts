// OpenAI's older Completions API: one prompt in, text out. It only serves to reach upstreams; clients cannot use it.

import { ApiError } from '../../model/index.js';
import { decodeResponse } from '../openai-chat/decode-response.js';
import { createStreamDecoder } from '../openai-chat/decode-stream.js';
import { encodeError } from '../openai-chat/errors.js';
import { openaiAuth, openaiChat } from '../openai-chat/index.js';
import { eventStream } from '../sse.js';
import { decodeError } from '../upstream-error.js';
import type { Wire } from '../wire.js';
import { encodeRequest } from './encode-request.js';

export const openaiCompletions = {
  name: 'openai-completions',
  title: 'OpenAI Completions',
  path: '/completions',
  served: false,
  takes: 'prompt',
  impliesTools: false,
  auth: openaiAuth,
  ids: openaiChat.ids,
  stream: eventStream,
  state: { members: [] },
  decodeRequest: notServed,
  encodeRequest,
  // Choices with a `text` are read like those with a delta or a message.
  decodeResponse,
  encodeResponse: notServed,
  createStreamDecoder,
  createStreamEncoder: notServed,
  encodeError,
  decodeError,
} as const satisfies Wire;

function notServed(): never {
  throw new ApiError('not-found', 'The completions API is not served here: use /v1/chat/completions.');
}
