// What goes wrong on the way from a model, and what a client must then see.

import type { Dialect } from '@dragoman/core';
import type { Fault, Reply } from '../scripted/reply.js';
import type { SpelledTurn } from '../scripted/spell.js';
import { type Case, quoted, quoteResult, say, weather } from './case.js';

function broken(dialect: Dialect, turn: SpelledTurn, fault: (events: number) => Fault): Reply {
  const text = say(dialect, turn);
  return { text, pieces: 1, fault: fault([...text].length) };
}

const overloaded = {
  type: 'status',
  status: 429,
  body: '{"error":{"message":"slow down"}}',
} as const;

export const faultCases: Case[] = [
  ...(['reset', 'end', 'half-event', 'bad-line'] as const).map(
    (type): Case => ({
      name: `fails when the model's answer breaks off: ${type}`,
      throws: true,
      turns: 1,
      script: (dialect) => [broken(dialect, { text: 'A long story.' }, () => ({ type, after: 6 }))],
      ran: () => [],
    }),
  ),
  {
    name: "fails when the model's answer breaks off inside a call, which is not run",
    throws: true,
    turns: 1,
    script: (dialect) => [
      broken(dialect, { calls: [weather('Llanfairpwllgwyngyll')] }, (events) => ({
        type: 'end',
        after: Math.floor(events * 0.6),
      })),
    ],
    ran: () => [],
  },
  {
    name: 'fails when the model says in its stream that it failed',
    throws: true,
    turns: 1,
    script: (dialect) => [
      broken(dialect, { text: 'A long story.' }, () => ({
        type: 'error-event',
        after: 6,
        message: 'out of memory',
      })),
    ],
    ran: () => [],
  },
  {
    name: 'bears a model that writes byte by byte',
    dialects: 'one',
    // In few events: each is two hundred bytes by itself, and it is the bytes that count here.
    script: (dialect) => [
      {
        text: say(dialect, { text: 'Grüße 🙂', calls: [weather('北京')] }),
        pieces: 16,
        fault: { type: 'one-byte' },
      },
      quoteResult(dialect),
    ],
    ran: () => [weather('北京')],
    turnsSeen: [{ text: 'Grüße 🙂', calls: ['get_weather'], ending: 'tool-calls' }, quoted],
  },
  {
    name: 'fails when a page comes for an answer',
    dialects: 'one',
    throws: 502,
    script: () => [{ fault: { type: 'html' } }, { fault: { type: 'html' } }],
    ran: () => [],
  },
  {
    name: "fails with the model's own status",
    dialects: 'one',
    throws: 422,
    script: () => [{ fault: { type: 'status', status: 422, body: '{"error":{"message":"too long"}}' } }],
    ran: () => [],
  },
  {
    name: 'fails when the model is overloaded twice',
    dialects: 'one',
    throws: 429,
    script: () => [{ fault: overloaded }, { fault: overloaded }],
    ran: () => [],
  },
  {
    name: 'asks once more when the model is overloaded',
    dialects: 'one',
    script: (dialect) => [{ fault: overloaded }, say(dialect, { text: 'Hello.' })],
    ran: () => [],
    also({ turns, asked }) {
      if (turns[0]?.text !== 'Hello.' || asked.length !== 2) throw new Error('it was not asked again');
    },
  },
  {
    name: 'follows no redirect',
    dialects: 'one',
    throws: 502,
    script: () => [
      { fault: { type: 'redirect', location: '/v1/elsewhere' } },
      { fault: { type: 'redirect', location: '/v1/elsewhere' } },
    ],
    ran: () => [],
    also({ asked }) {
      if (asked.length !== 1) throw new Error(`asked ${asked.length} times`);
    },
  },
];
