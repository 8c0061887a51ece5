// Faults of texts: what is left in them, and what the format asks for.

import type { AnswerEvent } from '@dragoman/core';
import type { Fault } from '../stand-in.fixture.js';
import { before, callsIn, isCall, isPlain, leaked, spelled, textIn } from './answer-events.fixture.js';
import type { NamedFault } from './named-fault.fixture.js';

const words = (text: string): AnswerEvent => ({ type: 'text-delta', text });

/** Begins every answer without calls, but none of a format alone. */
const begun = (text: string): Pick<Fault, 'events'> => ({
  events: (events) => (isPlain(events) && textIn(events) !== '' ? [words(text), ...events] : events),
});

export const textFaults: Record<string, NamedFault> = {
  ...Object.fromEntries(
    [
      'hermes',
      'qwen3-coder',
      'glm-4.5',
      'kimi-k2',
      'mistral',
      'deepseek-v3.1',
      'llama3-json',
      'minimax-m2',
      'pythonic',
      'harmony',
    ].map((name) => [`calls are left in the text in ${name}`, { fails: ['call-leak'], ...leaked(name) }]),
  ),
  'calls are left in the reasoning': { fails: ['call-leak'], ...leaked('hermes', 'reasoning-delta') },
  'calls lose their special tokens': {
    ...leaked('kimi-k2', 'text-delta', (text) => text.replace(/<\|[a-z_]+\|>/g, '')),
    fails: ['special-tokens-stripped'],
  },
  'calls of a bare name lose their special tokens': {
    ...leaked('mistral', 'text-delta', (text) => text.replace(/\[[A-Z_]+\]/g, '')),
    fails: ['special-tokens-stripped'],
  },
  'calls are there twice, also as text': {
    fails: ['call-leak'],
    events: (events, request) => {
      const calls = callsIn(events);
      return calls.length === 0
        ? events
        : [{ type: 'text-delta', text: spelled('hermes', calls, request) }, ...events];
    },
  },
  'a thought is left in the text': {
    fails: ['reasoning-leak'],
    events: (events) =>
      before(events, events.some(isCall) ? [] : [{ type: 'text-delta', text: '<think>Hm.</think>' }]),
  },
  'the end of a thought is left in the text': {
    fails: ['reasoning-leak'],
    events: (events) =>
      before(events, events.some(isCall) ? [] : [{ type: 'text-delta', text: '\n</think>\n' }]),
  },
  'the format is ignored': {
    fails: ['structured-output'],
    request: ({ format: _, extra, ...request }) => {
      const { response_format: _a, text: _b, output_config: _c, ...rest } = extra ?? {};
      return { ...request, extra: rest };
    },
  },
  'texts end with a special token': {
    fails: ['special-tokens-stripped'],
    events: (events) =>
      textIn(events) === '' ? events : before(events, [{ type: 'text-delta', text: '<|im_end|>' }]),
  },
  'structured output is in a fence': {
    fails: ['structured-output'],
    events: (events, { format }) =>
      format
        ? [
            { type: 'text-delta', text: '```json\n' },
            ...before(events, [{ type: 'text-delta', text: '\n```' }]),
          ]
        : events,
  },
  'a thought stands before calls': {
    fails: ['reasoning-leak'],
    events: (events) =>
      isPlain(events) ? events : [{ type: 'text-delta', text: '<think>I call it.</think>' }, ...events],
  },
  'texts begin with a thought in the tags of Kimi': {
    fails: ['reasoning-leak'],
    ...begun('◁think▷Hm.◁/think▷'),
  },
  'texts begin with a thought in tags of other models': {
    fails: ['reasoning-leak'],
    ...begun('<reasoning>Hm.</reasoning>'),
  },
  'texts begin with the head of a message': {
    fails: ['special-tokens-stripped'],
    ...begun('<|im_start|>assistant\n'),
  },
  'texts begin with a thought whose special tokens were taken away': {
    fails: ['special-tokens-stripped'],
    ...begun('analysisHm.assistantfinal'),
  },
  'a marker of a call stands beside calls': {
    fails: ['call-leak'],
    events: (events) => (isPlain(events) ? events : [words('<tool_call>\n'), ...events]),
  },
  'the end of a call stands in texts': {
    fails: ['call-leak'],
    events: (events, { conversation }) =>
      isPlain(events) && conversation.tools.length > 0 ? before(events, [words('\n</tool_call>')]) : events,
  },
};
