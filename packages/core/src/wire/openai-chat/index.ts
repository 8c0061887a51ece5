// OpenAI's Chat Completions API.

import { decodeError } from '../upstream-error.js';
import type { Wire } from '../wire.js';
import { decodeRequest } from './decode-request.js';
import { decodeResponse } from './decode-response.js';
import { createStreamDecoder } from './decode-stream.js';
import { encodeRequest } from './encode-request.js';
import { encodeResponse } from './encode-response.js';
import { createStreamEncoder } from './encode-stream.js';
import { encodeError } from './errors.js';

export const openaiChat = {
  name: 'openai-chat',
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  createStreamDecoder,
  createStreamEncoder,
  encodeError,
  decodeError,
  // One line break: with a second one, some readers take the comment for an empty event.
  heartbeat: ': ping\n',
} satisfies Wire;
