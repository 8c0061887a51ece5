// The requests that the vendors' templates are rendered with, written for this project. Short, and each with one
// thing that templates do differently. Ids have nine letters and digits: some vendors' templates refuse others.

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather of a place, by day',
    parameters: {
      type: 'object',
      properties: {
        location: { type: 'string', description: 'A city, “as written”' },
        days: { type: 'integer' },
        units: { type: 'string', enum: ['metric', 'imperial'] },
        hourly: { type: 'boolean' },
        near: { type: 'object', properties: { lat: { type: 'number' }, lon: { type: 'number' } } },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['location'],
    },
  },
};
const clock = {
  type: 'function',
  function: {
    name: 'now',
    description: "Today's date & time",
    parameters: { type: 'object', properties: {} },
  },
};
const tools = [weather, clock];

const system = (content) => ({ role: 'system', content });
const user = (content) => ({ role: 'user', content });
const says = (content, more = {}) => ({ role: 'assistant', content, ...more });
const call = (id, name, input) => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(input) },
});
const result = (id, name, content) => ({ role: 'tool', tool_call_id: id, name, content });

const FIRST = 'aB3xY7kQ2';
const SECOND = 'cD4zW8mR5';
const paris = call(FIRST, 'get_weather', { location: 'Paris', days: 2 });
const sunny = result(FIRST, 'get_weather', '{"sky": "clear", "high": 24.5}');

export const requests = [
  { name: 'user only', messages: [user('Hello there.')] },
  { name: 'system and user', messages: [system('You are terse.'), user('Hello there.')] },
  { name: 'tools without a system text', tools, messages: [user('Weather in Paris?')] },
  { name: 'system and tools', tools, messages: [system('You are terse.'), user('Weather in Paris?')] },
  {
    name: 'a call and its result',
    tools,
    messages: [user('Weather in Paris?'), says('', { tool_calls: [paris] }), sunny],
  },
  {
    name: 'two calls in one turn',
    tools,
    messages: [
      system('You are terse.'),
      user('Weather in Paris, and what time is it?'),
      says('', { tool_calls: [paris, call(SECOND, 'now', {})] }),
      sunny,
      result(SECOND, 'now', '2026-03-01T10:00'),
      says('Clear, and ten o’clock.'),
      user('Thanks.'),
    ],
  },
  {
    name: 'text before a call',
    tools,
    messages: [
      user('Weather in Paris?'),
      says('Let me look.', { tool_calls: [paris] }),
      sunny,
      says('Clear.'),
      user('And the time?'),
      says('One moment.', { tool_calls: [call(SECOND, 'now', {})] }),
      result(SECOND, 'now', '10:00'),
    ],
  },
  {
    name: 'several turns',
    messages: [
      system('You are terse.'),
      user('One and one?'),
      says('Two.'),
      user('And one more?'),
      says('Three.'),
      user('Stop.'),
    ],
  },
  {
    name: 'values of all types',
    tools,
    messages: [
      user('Weather?'),
      says('', {
        tool_calls: [
          call(FIRST, 'get_weather', {
            location: 'Köln <Süd> & "Nord"',
            days: 3,
            hourly: true,
            near: { lat: 50.94, lon: 7 },
            tags: ['a', 'b'],
            units: null,
          }),
        ],
      }),
      sunny,
    ],
  },
  {
    name: 'reasoning of the last turn',
    tools,
    messages: [
      user('Weather in Paris?'),
      says('', { reasoning_content: 'I should ask the tool.', tool_calls: [paris] }),
      sunny,
    ],
  },
  {
    name: 'reasoning of earlier turns',
    tools,
    messages: [
      user('Weather in Paris?'),
      says('I look.', { reasoning_content: 'I should ask\nthe tool.', tool_calls: [paris] }),
      sunny,
      says('Clear.', { reasoning_content: 'It says clear.' }),
      user('Good.'),
    ],
  },
  {
    name: 'white space, quotes and other scripts',
    tools: [weather],
    messages: [
      system(' Antworte „kurz“.\n'),
      user('\n  "Wie" ist \'es\'\tin 北京? 😀\n\nUnd <b>dort</b> & {so}?  '),
      says(' \\n ist kein Umbruch.\n'),
      user('Nein.'),
    ],
  },
  {
    name: 'an empty answer',
    messages: [user('Hello there.'), says(''), user('Are you there?')],
  },
  { name: 'a whole conversation', generate: false, messages: [user('One and one?'), says('Two.')] },
  {
    name: 'a whole conversation with a call',
    generate: false,
    tools,
    messages: [
      system('You are terse.'),
      user('Weather in Paris?'),
      says('', { reasoning_content: 'The tool knows.', tool_calls: [paris] }),
      sunny,
      says('Clear.', { reasoning_content: 'It says clear.' }),
    ],
  },
  {
    name: 'a conversation that ends with calls',
    generate: false,
    tools,
    messages: [
      user('Weather in Paris, and what time is it?'),
      says('', { tool_calls: [paris, call(SECOND, 'now', {})] }),
    ],
  },
];

const search = {
  type: 'function',
  function: {
    name: 'search.all',
    description: 'Finds what is asked for',
    parameters: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What to look for', minLength: 2 },
        Limit: { type: 'integer', default: 10, maximum: 50, description: 'How many.' },
        kind: { type: 'string', enum: ['page', 'image'], default: 'page' },
        language: { type: ['string', 'null'] },
        since: {
          oneOf: [
            { type: 'string', description: 'A day' },
            { type: 'integer', default: 7 },
          ],
        },
        place: {
          type: 'object',
          description: 'Where',
          properties: {
            city: { type: 'string' },
            near: { type: 'object', properties: { lat: { type: 'number' } }, required: ['lat'] },
          },
          required: ['city'],
        },
        ranges: {
          type: 'array',
          items: { type: 'object', properties: { from: { type: 'number' } }, required: ['from'] },
        },
        grid: { type: 'array', items: { type: 'array', items: { type: 'integer' } } },
        flags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, nullable: true },
        depth: { type: 'number', default: 0.5, minimum: 0, examples: [1, 'two'] },
        any: {},
        list: { type: 'array' },
        free: { type: 'object' },
        note: { type: 'string', nullable: true, format: 'text' },
      },
      required: ['query', 'place'],
    },
  },
};

/** Beside the others: for templates that do not print definitions as JSON. */
export const definitions = [
  { name: 'definitions of many kinds', tools: [search, clock], messages: [user('Find it.')] },
];
