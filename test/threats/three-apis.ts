// One question with one tool, in each of the three APIs, and how a stream of each ends.

import type { EventSourceMessage } from 'eventsource-parser';

export const call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Beijing"}}\n</tool_call>';
const schema = { type: 'object', properties: { city: { type: 'string' } } };
const question = 'Weather in Beijing?';

/** The three APIs: how each is asked, and how its streams end. */
export const apis = {
  chat: {
    path: '/v1/chat/completions',
    body: {
      model: 'm',
      messages: [{ role: 'user', content: question }],
      tools: [{ type: 'function', function: { name: 'get_weather', parameters: schema } }],
    },
    ends: (events: EventSourceMessage[]) => events.at(-1)?.data === '[DONE]',
    fails: (events: EventSourceMessage[]) => events.some(({ data }) => data.startsWith('{"error":')),
  },
  messages: {
    path: '/v1/messages',
    body: {
      model: 'm',
      max_tokens: 100,
      messages: [{ role: 'user', content: question }],
      tools: [{ name: 'get_weather', input_schema: schema }],
    },
    ends: (events: EventSourceMessage[]) => events.at(-1)?.event === 'message_stop',
    fails: (events: EventSourceMessage[]) => events.at(-1)?.event === 'error',
  },
  responses: {
    path: '/v1/responses',
    body: {
      model: 'm',
      input: question,
      tools: [{ type: 'function', name: 'get_weather', parameters: schema }],
    },
    ends: (events: EventSourceMessage[]) => events.at(-1)?.event === 'response.completed',
    fails: (events: EventSourceMessage[]) => events.at(-1)?.event === 'response.failed',
  },
};
export type Api = keyof typeof apis;
export const apiNames = Object.keys(apis) as Api[];
