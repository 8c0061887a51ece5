// Recorded answers for the scores: requests as vendors' verifiers have them, drawn from a seed, and answers with every
// fault that their metrics count.

import { createRandom } from '@dragoman/core/internal';

const tools = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      description: 'Weather',
      parameters: {
        type: 'object',
        properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 } },
        required: ['city'],
        additionalProperties: false,
      },
    },
  },
  { type: 'function', function: { name: 'now', description: 'The time', parameters: {} } },
  {
    type: 'function',
    function: { name: 'find', parameters: { type: 'object', properties: { q: { enum: ['a', 'b'] } } } },
  },
];

/** Calls, right and wrong. */
const calls: [name: string, args: string][] = [
  ['get_weather', '{"city": "Rome"}'],
  ['get_weather', '{"city": "Rome", "days": 3}'],
  ['get_weather', '{"city": "Rome", "days": "3"}'],
  ['get_weather', '{"days": 3}'],
  ['get_weather', '{"city": "Rome"'],
  ['get_weather', '{"city": "Rome", "other": 1}'],
  ['get_wether', '{"city": "Rome"}'],
  ['now', '{}'],
  ['find', '{"q": "a"}'],
  ['find', '{"q": "c"}'],
  ['find', '{}'],
  ['find', ''],
  ['find', ' '],
  ['find', 'null'],
  ['find', '{"q": "a"}}'],
];

export interface Recorded {
  request: Record<string, unknown>;
  /** The body of the answer; absent: the request failed. */
  response?: Record<string, unknown>;
}

export function recordedAnswers(count: number, seed: number): Recorded[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, at) => {
    const request = {
      messages: [
        { role: '_input', content: 'Be short.' },
        { role: 'user', content: `Question ${at}` },
      ],
      tools,
    };
    const kind = random.int(20);
    if (kind === 0) return { request };
    const made = kind < 12 ? Array.from({ length: 1 + random.int(2) }, () => random.pick(calls)) : [];
    const finish = kind < 12 ? 'tool_calls' : kind < 18 ? 'stop' : kind === 18 ? 'length' : 'tool_calls';
    // Some servers say stop after calls, and vendors then count no trigger.
    const finish_reason = made.length > 0 && random.chance(0.1) ? 'stop' : finish;
    const tool_calls = made.map(([name, args], place) => ({
      id: `call_${at}_${place}`,
      type: 'function',
      function: { name, arguments: args },
    }));
    const message = { role: 'assistant', content: made.length > 0 ? null : 'Text.', tool_calls };
    return { request, response: { id: `r${at}`, choices: [{ index: 0, message, finish_reason }] } };
  });
}
