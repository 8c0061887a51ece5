// Anthropic's Messages API: POST /v1/messages.

import { frame } from '../sse.js';
import { decodeError } from '../upstream-error.js';
import type { Wire } from '../wire.js';
import { decodeRequest } from './decode-request.js';
import { decodeResponse } from './decode-response.js';
import { createStreamDecoder } from './decode-stream.js';
import { encodeRequest } from './encode-request.js';
import { encodeResponse } from './encode-response.js';
import { createStreamEncoder } from './encode-stream.js';
import { encodeError } from './errors.js';

export const anthropicMessages = {
  name: 'anthropic-messages',
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  createStreamDecoder,
  createStreamEncoder,
  encodeError,
  decodeError,
  heartbeat: frame('{"type": "ping"}', 'ping'),
} satisfies Wire;
