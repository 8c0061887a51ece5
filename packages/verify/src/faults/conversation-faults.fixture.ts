// Faults of what reaches the model: results, histories, system messages, tools.

import type { Message } from '@dragoman/core';
import { has, refuse, without } from './answer-events.fixture.js';
import type { NamedFault } from './named-fault.fixture.js';

export const conversationFaults: Record<string, NamedFault> = {
  'results get a 500': {
    fails: ['result-accepted'],
    request: (request) => (has(request, ({ role }) => role === 'tool') ? refuse(500, 'oops') : request),
  },
  'results do not reach the model': {
    fails: ['result-accepted'],
    request: (request) => {
      const messages = request.conversation.messages.map(
        (message): Message =>
          message.role === 'tool'
            ? {
                ...message,
                parts: message.parts.map(({ extra: _, ...part }) => ({ ...part, output: 'Done.' })),
              }
            : message,
      );
      return { ...request, conversation: { ...request.conversation, messages } };
    },
  },
  'calls beside text are refused': {
    fails: ['history-tolerant'],
    request: (request) =>
      has(request, ({ role, parts }) => role === 'assistant' && parts.length > 1 && parts[0]?.type === 'text')
        ? refuse(400, 'content must be null beside tool calls')
        : request,
  },
  'past calls of other tools are refused': {
    fails: ['history-tolerant'],
    request: (request) =>
      has(request, ({ parts }) =>
        parts.some((part) => part.type === 'tool-call' && part.name === 'read_calendar'),
      )
        ? refuse(400, 'unknown tool')
        : request,
  },
  'two users in a row are refused': {
    fails: ['history-tolerant'],
    by: ['openai-chat'],
    request: (request) =>
      has(request, ({ role }, at, list) => role === 'user' && list[at + 1]?.role === 'user')
        ? refuse(400, 'roles must alternate')
        : request,
  },
  'system messages are refused': {
    fails: ['system-order'],
    request: (request) =>
      has(request, ({ role }) => role === 'system') ? refuse(400, 'no system role') : request,
  },
  'late system messages are refused': {
    fails: ['system-order'],
    by: ['openai-chat'],
    request: (request) =>
      has(request, ({ role }, at) => role === 'system' && at > 1)
        ? refuse(400, 'system must be first')
        : request,
  },
  'questions without tools are refused': {
    fails: ['answers'],
    streamed: ['stream-equals-whole'],
    request: (request) =>
      request.conversation.tools.length === 0 ? refuse(400, 'tools are missing') : request,
  },
  'tools are refused': {
    fails: ['calls-tool'],
    streamed: ['stream-equals-whole'],
    request: (request) =>
      request.conversation.tools.length > 0 ? refuse(400, 'this model has no tools') : request,
  },
  'only the first tool reaches the model': {
    fails: ['calls-tool'],
    streamed: ['stream-equals-whole'],
    request: ({ conversation, ...request }) => ({
      ...request,
      conversation: { ...conversation, tools: conversation.tools.slice(0, 1) },
    }),
  },
  'results are left out of the conversation': {
    fails: ['result-accepted'],
    request: (request) =>
      without(
        request,
        ({ role, parts }) => role !== 'tool' && !parts.some(({ type }) => type === 'tool-call'),
      ),
  },
  'only the last message reaches the model': {
    fails: ['result-accepted'],
    // The other APIs have all results in one message.
    by: ['openai-chat'],
    request: (request) => without(request, ({ role }, at, all) => role === 'system' || at === all.length - 1),
  },
  'system messages do not reach the model': {
    fails: ['system-order'],
    request: (request) => without(request, ({ role }) => role !== 'system'),
  },
  'late system messages do not reach the model': {
    fails: ['system-order'],
    by: ['openai-chat'],
    request: (request) => without(request, ({ role }, at) => role !== 'system' || at <= 1),
  },
  'results get an empty body': {
    fails: ['result-accepted'],
    text: (text, _, request) => (has(request, ({ role }) => role === 'tool') ? '' : text),
  },
};
