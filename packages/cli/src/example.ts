// The conversation that shows what a dialect looks like: one question, one call, one result.

import { type Dialect, renderMessages } from '@dragoman/core';

const question = { role: 'user', content: 'Will it rain in Paris?' };

const tools = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      description: 'The weather in a city.',
      parameters: {
        type: 'object',
        properties: { city: { type: 'string' }, days: { type: 'integer' } },
        required: ['city'],
      },
    },
  },
];

const call = {
  role: 'assistant',
  content: "I'll look.",
  tool_calls: [
    {
      id: 'call_1',
      type: 'function',
      function: { name: 'get_weather', arguments: '{"city": "Paris", "days": 3}' },
    },
  ],
};

const result = { role: 'tool', tool_call_id: 'call_1', content: 'Sunny.' };

export const exampleTools: unknown = tools;

export interface ExampleSpelling {
  /** What the model writes: a sentence and a call. */
  call: string;
  /** The message that carries the result. */
  result: string;
}

export function spell(dialect: Dialect): ExampleSpelling {
  const { messages } = renderMessages(dialect, { messages: [question, call, result], tools });
  const at = messages.findIndex(({ role }) => role === 'assistant');
  return { call: messages[at]?.content ?? '', result: messages[at + 1]?.content ?? '' };
}

/** Characters of the system message that teaches the dialect and the one tool. */
export function taughtLength(dialect: Dialect, short: boolean): number {
  const { messages } = renderMessages(dialect, { messages: [question], tools }, { short });
  return messages[0]?.content.length ?? 0;
}
