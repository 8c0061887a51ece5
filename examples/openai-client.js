// The official OpenAI client over a model that only writes text, in one process, without a server.
//
//   npm run build && node examples/openai-client.js
//
// With a model of your own: UPSTREAM=http://localhost:11434/v1 MODEL=glm-4.5 node examples/openai-client.js

import { dragoman } from '@dragoman/core/fetch';
import OpenAI from 'openai';
import { pretendModel } from './pretend-model.js';

const { UPSTREAM, MODEL = 'glm-4.5' } = process.env;

const client = new OpenAI({
  apiKey: process.env.OPENAI_API_KEY ?? 'none',
  fetch: dragoman({
    upstream: UPSTREAM ? { url: UPSTREAM, tools: false } : pretendModel(),
    dialect: 'auto',
  }),
});

const runner = client.chat.completions.runTools({
  model: MODEL,
  messages: [{ role: 'user', content: 'What is the weather in Paris?' }],
  tools: [
    {
      type: 'function',
      function: {
        name: 'get_weather',
        description: 'The weather in a city.',
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        parse: JSON.parse,
        function: (/** @type {{ city: string }} */ { city }) => `Rain in ${city}, 12 degrees.`,
      },
    },
  ],
});
runner.on('functionToolCall', (call) => console.log('call  ', call.name, call.arguments));
runner.on('functionToolCallResult', (result) => console.log('result', result));
console.log('answer', await runner.finalContent());
