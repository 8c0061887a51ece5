// The first example of the page, which shows a little of everything, and the type of examples.

export interface Example {
  title: string;
  dialect: string;
  text: string;
  tools: unknown;
  thinking: boolean;
  /** Something is wrong with it. */
  broken: boolean;
}

const city = { type: 'string', description: 'The name of a city.' };

export const firstExample: Example = {
  title: 'A little of everything',
  dialect: 'hermes',
  text: `<think>
Three cities, so three calls. For Paris the next days matter.
</think>
I'll look at all three of them.
<tool_call>
{"name": "get_weather", "arguments": {"city": "Beijing", "units": 'celsius',}}
</tool_call>
<tool_call>
{"name": "get_forecast", "arguments": {"city": "Paris", "days": 3, "alerts": True, "of": ["wind", "rain"]}}
</tool_call>
<tool_call>
{"name": "get_wether", "arguments": {"city": "Oslo"}}
</tool_call>`,
  tools: [
    {
      name: 'get_weather',
      description: 'The weather in a city, now.',
      parameters: {
        type: 'object',
        properties: { city, units: { enum: ['celsius', 'kelvin'] } },
        required: ['city'],
      },
    },
    {
      name: 'get_forecast',
      description: 'The weather of the next days.',
      parameters: {
        type: 'object',
        properties: {
          city,
          days: { type: 'integer' },
          alerts: { type: 'boolean' },
          of: { type: 'array', items: { type: 'string' } },
        },
        required: ['city', 'days'],
      },
    },
  ],
  thinking: false,
  broken: true,
};
