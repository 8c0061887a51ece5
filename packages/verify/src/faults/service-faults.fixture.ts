// Faults of the service: usage, errors, the list of models, and answers of another shape.

import { refuse } from './answer-events.fixture.js';
import { eachUsage } from './any-api.fixture.js';
import type { NamedFault } from './named-fault.fixture.js';

/** Characters that only the prompt of prefix-cache has. */
const LONG = 8_000;

export const serviceFaults: Record<string, NamedFault> = {
  'usage is missing': {
    fails: ['usage'],
    json: ({ usage: _, ...value }) => {
      if (value.message) delete value.message.usage;
      if (value.response) delete value.response.usage;
      return value;
    },
  },
  'usage is zero': {
    fails: ['usage'],
    ...eachUsage((usage) =>
      Object.fromEntries(Object.entries(usage).map(([key, one]) => [key, typeof one === 'number' ? 0 : one])),
    ),
  },
  'long prompts get a 500': {
    fails: ['prefix-cache'],
    only: 'whole',
    request: (request) =>
      JSON.stringify(request.conversation.messages).length > LONG ? refuse(500, 'out of memory') : request,
  },
  'bad requests get a 500': {
    fails: ['errors'],
    other: (status, body) => ({ status: status >= 400 ? 500 : status, body }),
  },
  'bad requests get a 200': { fails: ['errors'], other: (_, body) => ({ status: 200, body }) },
  'errors are plain text': {
    fails: ['errors'],
    other: (status, body) =>
      status >= 400 ? { status, body: 'Bad Request', type: 'text/plain' } : { status, body },
  },
  'the list of models has no ids': {
    fails: ['models'],
    other: (status, body, path) => ({ status, body: path === '/models' ? '{"models": ["demo"]}' : body }),
  },
  'answers are empty': {
    fails: ['answers'],
    streamed: ['stream-equals-whole'],
    events: (events) => events.filter(({ type }) => type !== 'text-delta'),
  },
  'answers are within another object': {
    fails: ['answers'],
    only: 'whole',
    json: (value, streamed) => (streamed ? value : { code: 0, data: value }),
  },
  'whole answers come as a stream': {
    fails: ['answers'],
    only: 'whole',
    text: (text, streamed) => (streamed ? text : `data: ${text}\n\ndata: [DONE]\n\n`),
  },
  'the total of the tokens is not their sum': {
    fails: ['usage'],
    // Messages have no total.
    by: ['openai-chat', 'openai-responses'],
    ...eachUsage((usage) => ({ ...usage, total_tokens: usage.total_tokens + 7 })),
  },
};
