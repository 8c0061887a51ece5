// The first screen: a question, a call, its result, and an answer to come.

import type { Draft } from './draft.js';

export const example: Draft = {
  messages: [
    { role: 'system', parts: [{ type: 'text', text: 'You help with a garden. Answer briefly.' }] },
    { role: 'user', parts: [{ type: 'text', text: 'Do the tomatoes in Utrecht need water tomorrow?' }] },
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'That depends on the rain. I look at the forecast.' },
        { type: 'text', text: 'I will check the forecast.' },
        {
          type: 'tool-call',
          id: 'call_1',
          name: 'get_forecast',
          input: '{"place": "Utrecht", "days": 2}',
        },
      ],
    },
    {
      role: 'tool',
      parts: [
        {
          type: 'tool-result',
          callId: 'call_1',
          output: 'Today: dry, 24 °C. Tomorrow: 12 mm of rain, 19 °C.',
        },
      ],
    },
    { role: 'user', parts: [{ type: 'text', text: 'And the day after?' }], open: true },
  ],
  tools: `[
  {
    "type": "function",
    "function": {
      "name": "get_forecast",
      "description": "The weather of the coming days.",
      "parameters": {
        "type": "object",
        "properties": {
          "place": { "type": "string" },
          "days": { "type": "integer" }
        },
        "required": ["place"]
      }
    }
  }
]`,
};
