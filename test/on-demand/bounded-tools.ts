// The tools of the tests in which an engine samples at random: nothing in them is without an end, because noise never
// finds the closer of a text by itself.

import { acceptTools } from '../../packages/core/src/index.js';

export const TOOLS = acceptTools([
  {
    name: 'get_weather',
    parameters: {
      type: 'object',
      properties: {
        city: { type: 'string', minLength: 1, maxLength: 8 },
        unit: { enum: ['celsius', 'fahrenheit'] },
        days: { type: 'integer', minimum: 1, maximum: 14 },
        exact: { type: 'boolean' },
        place: {
          type: 'object',
          properties: {
            x: { type: 'number', minimum: -90, maximum: 90 },
            name: { type: 'string', maxLength: 4 },
          },
          required: ['x'],
        },
        tags: { type: 'array', items: { type: 'string', maxLength: 3 }, maxItems: 2 },
      },
      required: ['city', 'days'],
    },
  },
  { name: 'stop', parameters: { type: 'object', properties: {} } },
]);
