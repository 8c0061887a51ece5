// OpenAI's Chat Completions API.

import { eventStream } from '../sse.js';
import { decodeError } from '../upstream-error.js';
import type { Wire, WireAuth } from '../wire.js';
import { decodeRequest } from './decode-request.js';
import { decodeResponse } from './decode-response.js';
import { createStreamDecoder } from './decode-stream.js';
import { apiName, encodeRequest } from './encode-request.js';
import { encodeResponse } from './encode-response.js';
import { createStreamEncoder } from './encode-stream.js';
import { encodeError } from './errors.js';

/** How all of OpenAI's APIs send keys; `api-key` is Azure's header. */
export const openaiAuth: WireAuth = {
  keyHeader: 'authorization',
  headers: {},
  accountHeaders: ['api-key', 'openai-organization', 'openai-project'],
};

export const openaiChat = {
  name: apiName,
  title: 'OpenAI Chat',
  path: '/chat/completions',
  served: true,
  takes: 'messages',
  impliesTools: false,
  freeform: 'vendor',
  formats: ['json', 'json-schema'],
  auth: openaiAuth,
  vendor: {
    name: 'openai',
    url: 'https://api.openai.com/v1',
    addsVersion: false,
    variables: { url: 'OPENAI_BASE_URL', key: 'OPENAI_API_KEY' },
  },
  ids: { call: 'call_', answer: 'chatcmpl-' },
  stream: eventStream,
  repeats: { whole: ['tools', 'functions'], items: 'messages' },
  state: { members: [] },
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  createStreamDecoder,
  createStreamEncoder,
  encodeError,
  decodeError,
} as const satisfies Wire;
