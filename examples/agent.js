// The agent loop, event by event: a model that only writes text, a tool of its own, and the tools of this machine.
//
//   npm run build && node examples/agent.js
//
// With a model of your own: UPSTREAM=http://localhost:11434/v1 MODEL=glm-4.5 node examples/agent.js

import { defineTool, runAgent } from '@dragoman/core/agent';
import { sysBuiltIn } from '@dragoman/sys';
import { pretendModel } from './pretend-model.js';

const { UPSTREAM, MODEL = 'glm-4.5' } = process.env;

const weather = defineTool({
  name: 'get_weather',
  description: 'The weather in a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  run: ({ city }) => `Rain in ${city}, 12 degrees.`,
});

const run = runAgent({
  model: { upstream: UPSTREAM ? { url: UPSTREAM, tools: false } : pretendModel(), name: MODEL },
  // Commands and writes are refused, because no `ask` is given.
  tools: [weather, sysBuiltIn({ folder: '.' })],
  messages: 'What is the weather in Paris?',
});

for await (const event of run) {
  if (event.type === 'text-delta') process.stdout.write(event.text);
  if (event.type === 'tool-start') console.log(`\n[${event.call.name} ${JSON.stringify(event.call.input)}]`);
  if (event.type === 'tool-end') console.log(`[${event.result.output}]`);
  if (event.type === 'agent-end') console.log(`\n(${event.reason})`);
}
