// OpenAI's Chat Completions API.

import type { Wire } from '../wire.js';
import { decodeRequest } from './decode-request.js';
import { decodeResponse } from './decode-response.js';
import { createStreamDecoder } from './decode-stream.js';
import { encodeRequest } from './encode-request.js';
import { encodeResponse } from './encode-response.js';
import { createStreamEncoder } from './encode-stream.js';
import { decodeError, encodeError } from './errors.js';

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
  // A comment in an event that is still open: readers that take a line break for an event see none.
  heartbeat: ': ping\n',
} satisfies Wire;
