import { dialects } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { askDemo, type Setting, user } from './demo.fixture.js';

const text = { type: 'string' };
const number = { type: 'number' };

function tool(
  name: string,
  description: string,
  properties: Record<string, object>,
  required = Object.keys(properties),
) {
  return { name, description, parameters: { type: 'object', properties, required } };
}

const tools = [
  tool('get_weather', 'Weather of a place', { location: text, unit: { enum: ['celsius', 'fahrenheit'] } }, [
    'location',
  ]),
  tool('add_numbers', 'Adds two numbers', { a: number, b: number }),
  tool('send_email', 'Sends a message by mail', {
    to: { ...text, format: 'email' },
    subject: text,
    body: text,
  }),
  tool('web_search', 'Searches the web', { query: text, limit: { type: 'integer', maximum: 10 } }, ['query']),
  tool(
    'find_flights',
    'Flights between two airports',
    { origin: text, destination: text, date: { ...text, format: 'date' } },
    ['origin', 'destination'],
  ),
  tool('compare_prices', 'Compares prices in cities', { cities: { type: 'array', items: text } }),
  tool('translate', 'Translates a text', { text, language: { enum: ['french', 'german', 'chinese'] } }),
  tool('bash', 'Executes a command', { command: text, timeout: number }, ['command']),
  tool('set_alarm', 'Sets an alarm', {
    at: {
      type: 'object',
      properties: { hour: { type: 'integer', maximum: 23 }, minute: { type: 'integer' } },
      required: ['hour', 'minute'],
    },
  }),
];

const cases: [question: string, name: string, ...inputs: object[]][] = [
  ['weather in beijing', 'get_weather', { location: 'beijing' }],
  ["What's the weather like in rio de janeiro right now?", 'get_weather', { location: 'rio de janeiro' }],
  ['What is the weather in Paris, France?', 'get_weather', { location: 'Paris, France' }],
  [
    'Weather for Paris, London and Rio de Janeiro, please',
    'get_weather',
    { location: 'Paris' },
    { location: 'London' },
    { location: 'Rio de Janeiro' },
  ],
  ['Is it raining in Oslo? Say it in celsius.', 'get_weather', { location: 'Oslo', unit: 'celsius' }],
  ['Use add_numbers on 2 and 3.5', 'add_numbers', { a: 2, b: 3.5 }],
  ['Search the web for quiet keyboards', 'web_search', { query: 'quiet keyboards' }],
  ['Search the web for "tool calls", limit 50', 'web_search', { query: 'tool calls', limit: 10 }],
  ['Find flights from Oslo to Rome', 'find_flights', { origin: 'Oslo', destination: 'Rome' }],
  ['Compare prices in Oslo and Rome', 'compare_prices', { cities: ['Oslo', 'Rome'] }],
  ['Translate "good morning" into French', 'translate', { text: 'good morning', language: 'french' }],
  ['Run the command "date"', 'bash', { command: 'date' }],
  ['Please run the command "ls -l".', 'bash', { command: 'ls -l' }],
  ['Run the command date', 'bash', { command: 'date' }],
  ['Run `wc -l README.md`', 'bash', { command: 'wc -l README.md' }],
  ['Run echo "hello" there', 'bash', { command: 'echo "hello" there' }],
  ['Set an alarm at 7:45', 'set_alarm', { at: { hour: 7, minute: 45 } }],
];

const xnl = dialects.find(({ name }) => name === 'xnl');
const hermes = dialects.find(({ name }) => name === 'hermes');
const settings = [xnl, hermes].flatMap((dialect): Setting[] => (dialect ? [{ dialect, render: {} }] : []));

describe.each(settings.map((setting) => [setting.dialect.name, setting] as const))(
  'asked in %s',
  (_, setting) => {
    it.each(cases)('%s', async (question, name, ...inputs) => {
      const answer = await askDemo(setting, { messages: [user(question)], tools });
      expect(answer.calls).toEqual(inputs.map((input) => ({ name, input })));
      expect(answer.text).toBe('');
    });

    it('says what it had to make up', async () => {
      const answer = await askDemo(setting, { messages: [user('Send an email')], tools });
      expect(answer.calls).toMatchObject([{ name: 'send_email', input: { to: 'someone@example.com' } }]);
      expect(answer.text).toContain('You did not say to');
    });

    it('thinks where it is told to', async () => {
      const answer = await askDemo(
        setting,
        { messages: [user('Weather in Oslo?')], tools },
        { thinking: true },
      );
      expect(answer.reasoning).toContain('get_weather');
      expect(answer.calls).toEqual([{ name: 'get_weather', input: { location: 'Oslo' } }]);
    });
  },
);
