// Models that are reached in other ways: by a prompt, or with tools of their own.

import { type Case, opened, quoted, quoteResult, RESULT, say, weather } from './case.js';

export const upstreamCases: Case[] = [
  // A model's own prompt, for an endpoint that completes text.
  {
    name: 'calls a tool over a completion endpoint',
    dialects: (dialect) => dialect.render.prompt !== undefined,
    upstream: { api: 'openai-completions' },
    script: (dialect) => [
      (body) => opened(body) + say(dialect, { text: 'Let me look.', calls: [weather('Oslo')] }),
      quoteResult(dialect),
    ],
    ran: () => [weather('Oslo')],
    turnsSeen: [
      { text: 'Let me look.', calls: ['get_weather'], ending: 'tool-calls', reasoning: /^(Let me see\.)?$/ },
      { ...quoted, reasoning: /^(Let me see\.)?$/ },
    ],
    also({ asked }) {
      for (const { prompt, messages } of asked)
        if (typeof prompt !== 'string' || messages) throw new Error('no prompt was sent');
    },
  },
  // Models that have tools of their own.
  {
    name: 'passes the calls of a model that has tools',
    dialects: 'one',
    upstream: { tools: true },
    script: () => [
      {
        text: 'Let me look.',
        calls: [
          { name: 'get_weather', arguments: '{"city":"Oslo"}' },
          { name: 'get_weather', arguments: '{"city":"北京"}' },
        ],
      },
      ({ messages }) => {
        const results = messages?.filter(({ role, content }) => role === 'tool' && content === RESULT);
        return results?.length === 2 ? `It says ${RESULT}.` : 'I saw no results.';
      },
    ],
    ran: () => [weather('Oslo'), weather('北京')],
    turnsSeen: [
      { text: 'Let me look.', calls: ['get_weather', 'get_weather'], ending: 'tool-calls' },
      quoted,
    ],
  },
  {
    name: 'finds the call that leaks into the text of a model that has tools',
    dialects: 'every',
    unframed: true,
    upstream: { tools: true },
    options: (dialect) => ({ watch: [dialect.name] }),
    script: (dialect) => [
      say(dialect, { text: 'Let me look.', calls: [weather('Oslo')] }),
      ({ messages }) =>
        messages?.some(({ role, content }) => role === 'tool' && content === RESULT)
          ? `It says ${RESULT}.`
          : 'I saw no results.',
    ],
    ran: () => [weather('Oslo')],
    turnsSeen: [{ text: 'Let me look.', calls: ['get_weather'], ending: 'tool-calls' }, quoted],
  },
  ...(['ollama', 'openrouter', 'vllm'] as const).map(
    (by): Case => ({
      name: `teaches a model whose server refuses tools as ${by} does`,
      dialects: 'one',
      upstream: { tools: true },
      script: (dialect) => [
        { fault: { type: 'refuse-tools', by } },
        say(dialect, { calls: [weather('Oslo')] }),
        quoteResult(dialect),
      ],
      ran: () => [weather('Oslo')],
      also({ turns, asked }) {
        const texts = turns.map(({ text }) => text);
        if (texts.at(-1) !== quoted.text) throw new Error(`said ${JSON.stringify(texts)}`);
        if (asked.filter(({ tools }) => tools).length !== 1) throw new Error('tools were sent again');
      },
    }),
  ),
];
