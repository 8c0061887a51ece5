// Anthropic's Messages API: POST /v1/messages.

import { eventStream, frame } from '../sse.js';
import { decodeError } from '../upstream-error.js';
import type { Wire } from '../wire.js';
import { auditAnswer } from './audit.js';
import { decodeRequest } from './decode-request.js';
import { decodeResponse } from './decode-response.js';
import { createStreamDecoder } from './decode-stream.js';
import { encodeRequest } from './encode-request.js';
import { encodeResponse } from './encode-response.js';
import { createStreamEncoder } from './encode-stream.js';
import { encodeError } from './errors.js';

export const anthropicMessages = {
  name: 'anthropic-messages',
  title: 'Anthropic Messages',
  path: '/messages',
  served: true,
  takes: 'messages',
  impliesTools: true,
  reasoning: 'own',
  formats: ['json-schema'],
  lacks: ['seed', 'choices'],
  needs: ['maxTokens'],
  auth: {
    keyHeader: 'x-api-key',
    headers: { 'anthropic-version': '2023-06-01' },
    accountHeaders: ['anthropic-beta'],
  },
  vendor: {
    name: 'anthropic',
    url: 'https://api.anthropic.com',
    addsVersion: true,
    variables: { url: 'ANTHROPIC_BASE_URL', key: 'ANTHROPIC_API_KEY', token: 'ANTHROPIC_AUTH_TOKEN' },
  },
  ids: { call: 'toolu_', answer: 'msg_' },
  stream: { ...eventStream, heartbeat: frame('{"type": "ping"}', 'ping') },
  repeats: { whole: ['tools'], items: 'messages' },
  state: { members: ['thread'] },
  counts: { path: '/messages/count_tokens', encode: (tokens: number) => ({ input_tokens: tokens }) },
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  createStreamDecoder,
  createStreamEncoder,
  encodeError,
  decodeError,
  auditAnswer,
} as const satisfies Wire;
