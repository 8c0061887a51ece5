// The tools of the probes: few words, so that small models understand them. Those of the suite are in its files.

import type { Tool } from '@dragoman/core';

export const echo: Tool = {
  name: 'echo',
  description: 'Gives back a text, unchanged.',
  parameters: {
    type: 'object',
    properties: { text: { type: 'string', description: 'The text to give back.' } },
    required: ['text'],
    additionalProperties: false,
  },
};

export const getWeather: Tool = {
  name: 'get_weather',
  description: 'The weather forecast of a city.',
  parameters: {
    type: 'object',
    properties: {
      city: { type: 'string', description: 'The name of the city.' },
      days: { type: 'integer', minimum: 1, maximum: 14, description: 'How many days ahead.' },
      unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
    },
    required: ['city'],
    additionalProperties: false,
  },
};

const convertMoney: Tool = {
  name: 'convert_money',
  description: 'Converts an amount of money into another currency.',
  parameters: {
    type: 'object',
    properties: {
      amount: { type: 'number' },
      from: { type: 'string', enum: ['EUR', 'USD', 'CNY', 'JPY'] },
      to: { type: 'string', enum: ['EUR', 'USD', 'CNY', 'JPY'] },
    },
    required: ['amount', 'from', 'to'],
    additionalProperties: false,
  },
};

export const allTools: readonly Tool[] = [echo, getWeather, convertMoney];
