// OpenAI's Responses API, both sides.

import { isObject } from '../../model/index.js';
import { encodeError } from '../openai-chat/errors.js';
import { openaiAuth } from '../openai-chat/index.js';
import { eventStream } from '../sse.js';
import { decodeError } from '../upstream-error.js';
import type { Wire } from '../wire.js';
import { auditAnswer } from './audit.js';
import { decodeRequest } from './decode-request.js';
import { decodeResponse } from './decode-response.js';
import { createStreamDecoder } from './decode-stream.js';
import { encodeRequest } from './encode-request.js';
import { encodeResponse } from './encode-response.js';
import { createStreamEncoder } from './encode-stream.js';
import { asksSealed, openSealed } from './sealed-reasoning.js';

export const openaiResponses = {
  name: 'openai-responses',
  title: 'OpenAI Responses',
  path: '/responses',
  served: true,
  takes: 'messages',
  impliesTools: true,
  reasoning: 'own',
  freeform: 'any',
  formats: ['json', 'json-schema'],
  lacks: ['seed', 'choices', 'stop', 'topK'],
  auth: openaiAuth,
  ids: { call: 'call_', answer: 'resp_' },
  // Codex looks for this error in `response.failed`, and compacts; at a status it stops.
  stream: { ...eventStream, carries: ['context-too-long'], keeps: true },
  repeats: { whole: ['tools'], items: 'input' },
  state: {
    members: ['previous_response_id', 'conversation', 'background'],
    resolveItems,
    sealed: { key: 'encrypted_content', asked: asksSealed, open: openSealed },
  },
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

type Item = Record<string, unknown>;

/**
 * Puts stored items in the place of their ids: the AI SDK sends ids instead of items, unless it is set to `store:
 * false`.
 */
function resolveItems(body: unknown, find: (id: string) => Item | undefined): unknown {
  if (!isObject(body) || !Array.isArray(body.input) || !body.input.some(isReference)) return body;
  const input = body.input.map((item) => (isReference(item) ? (find(item.id) ?? item) : item));
  return { ...body, input };
}

function isReference(item: unknown): item is { id: string } {
  return isObject(item) && item.type === 'item_reference' && typeof item.id === 'string';
}
