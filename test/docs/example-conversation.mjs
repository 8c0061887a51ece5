// The conversation that every page of docs/dialects shows.

export const question = { role: 'user', content: 'Will it rain in Paris?' };
export const tools = [
  {
    name: 'get_weather',
    description: 'The weather in a city.',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city'],
    },
  },
];
const call = (id, input) => ({
  id,
  type: 'function',
  function: { name: 'get_weather', arguments: JSON.stringify(input) },
});
export const answer = {
  role: 'assistant',
  content: "I'll look.",
  tool_calls: [call('call_1', { city: 'Paris', days: 3 }), call('call_2', { city: 'Lyon' })],
};
export const results = [
  { role: 'tool', tool_call_id: 'call_1', content: 'Rain on Friday.' },
  { role: 'tool', tool_call_id: 'call_2', content: 'Dry.' },
];
