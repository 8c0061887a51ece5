// OpenAI's Responses API, both sides.

import { encodeError } from '../openai-chat/errors.js';
import { decodeError } from '../upstream-error.js';
import type { Wire } from '../wire.js';
import { decodeRequest } from './decode-request.js';
import { decodeResponse } from './decode-response.js';
import { createStreamDecoder } from './decode-stream.js';
import { encodeRequest } from './encode-request.js';
import { encodeResponse } from './encode-response.js';
import { createStreamEncoder } from './encode-stream.js';

export const openaiResponses = {
  name: 'openai-responses',
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  createStreamDecoder,
  createStreamEncoder,
  encodeError,
  decodeError,
  heartbeat: ': ping\n',
} satisfies Wire;
