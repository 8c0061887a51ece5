// The content of the form at the first visit.

export const exampleQuestion = 'What is the weather in Beijing and in Paris?';

export const exampleTools = JSON.stringify(
  [
    {
      type: 'function',
      function: {
        name: 'get_weather',
        description: 'The weather in a city.',
        parameters: {
          type: 'object',
          properties: { city: { type: 'string', description: 'The name of the city.' } },
          required: ['city'],
        },
      },
    },
  ],
  null,
  2,
);

/** Gives the initial text of a result, which the user may change. */
export function exampleResult(name: string): string {
  return name === 'get_weather' ? 'sunny, 21 degrees' : 'done';
}
