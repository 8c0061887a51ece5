// What every client must be able to do over a model that only writes text. A case is a row, and so is a dialect:
// each client's test file holds its clients to all of them.

import type { Dialect } from '@dragoman/core';
import { type Case, quoted, quoteResult, say, weather } from './case.js';
import { faultCases } from './fault-cases.js';
import { upstreamCases } from './upstream-cases.js';

/** A file that holds everything that acts in the dialect, and what is hard to carry besides. */
function hardFile(dialect: Dialect): string {
  const content = `"quoted" \\ 'single' \`tick\`\r\n\t${dialect.markers.literals.join(' ')}\n  {"a":[1,2]} 🙂 北京 \u2028 $\{x} end`;
  const json = JSON.stringify({ path: 'a b/"c".txt', content });
  return `${json.slice(0, -1)},"serial":12345678901234567890}`;
}

const talkCases: Case[] = [
  {
    name: 'answers in plain text',
    script: (dialect) => [say(dialect, { text: 'Hello, 世界! 🙂 2 < 3 & "so on"' })],
    ran: () => [],
    turnsSeen: [{ text: 'Hello, 世界! 🙂 2 < 3 & "so on"', calls: [], ending: 'stop' }],
  },
  {
    name: 'calls a tool and quotes its result',
    script: (dialect) => [say(dialect, { calls: [weather('Paris')] }), quoteResult(dialect)],
    ran: () => [weather('Paris')],
    turnsSeen: [{ text: '', calls: ['get_weather'], ending: 'tool-calls' }, quoted],
  },
  {
    name: 'calls two tools at once',
    dialects: 'every',
    script: (dialect) => [
      say(dialect, { calls: [weather('Paris'), weather('北京')] }),
      quoteResult(dialect, 2),
    ],
    ran: () => [weather('Paris'), weather('北京')],
    turnsSeen: [{ text: '', calls: ['get_weather', 'get_weather'], ending: 'tool-calls' }, quoted],
  },
  {
    name: 'speaks before it calls',
    script: (dialect) => [
      say(dialect, { text: 'Let me look.', calls: [weather('Oslo')] }),
      quoteResult(dialect),
    ],
    ran: () => [weather('Oslo')],
    turnsSeen: [{ text: 'Let me look.', calls: ['get_weather'], ending: 'tool-calls' }, quoted],
    also({ asked }) {
      const history = JSON.stringify(asked[1]?.messages?.filter(({ role }) => role === 'assistant'));
      if (!history.includes('Let me look.')) throw new Error(`the model's own words were lost: ${history}`);
    },
  },
  {
    name: 'carries an argument full of markers, quotes, line breaks and digits',
    dialects: 'every',
    script: (dialect) => [
      say(dialect, { calls: [{ name: 'write_file', raw: hardFile(dialect) }] }),
      quoteResult(dialect),
    ],
    ran: (dialect) => [{ name: 'write_file', raw: hardFile(dialect) }],
    turnsSeen: [{ text: '', calls: ['write_file'], ending: 'tool-calls' }, quoted],
  },
  {
    name: 'thinks before it calls',
    dialects: 'every',
    unframed: true,
    script: (dialect) => [
      say(dialect, { reasoning: 'Which city? Oslo.', calls: [weather('Oslo')] }),
      quoteResult(dialect),
    ],
    ran: () => [weather('Oslo')],
    turnsSeen: [
      { text: '', calls: ['get_weather'], ending: 'tool-calls', reasoning: 'Which city? Oslo.' },
      quoted,
    ],
  },
  {
    name: 'calls a tool that nobody declared, and is told so',
    script: (dialect) => {
      const call = { name: 'no_such_tool', raw: '{"city":"Oslo"}' };
      const stubborn = say(dialect, { calls: [call] });
      return [stubborn, stubborn, stubborn, () => say(dialect, { text: 'I give up.' })];
    },
    ran: () => [],
    turns: 2,
    also({ turns, asked }) {
      // Delivered as a call, given as text, or told to the model: never dropped in silence.
      const seen = turns.some(
        ({ text, calls }) => calls.includes('no_such_tool') || text.includes('no_such_tool'),
      );
      const told = asked.length > 1 && JSON.stringify(asked.at(-1)?.messages).includes('no_such_tool');
      if (!seen && !told) throw new Error('the call was lost in silence');
    },
  },
  {
    name: 'tells the model of no tools under tool_choice none, and leaves a call as text',
    choice: 'none',
    turns: 1,
    script: (dialect) => [say(dialect, { text: 'Well.', calls: [weather('Oslo')] })],
    ran: () => [],
    turnsSeen: [{ text: /^Well\.[\s\S]*get_weather/, calls: [], ending: 'stop' }],
    also({ asked }) {
      if (JSON.stringify(asked[0]?.messages).includes('get_weather')) throw new Error('the tools were told');
    },
  },
  {
    name: 'asks again under tool_choice required until there is a call',
    choice: 'required',
    turns: 1,
    script: (dialect) => [
      say(dialect, { text: 'I would rather talk.' }),
      say(dialect, { calls: [weather('Oslo')] }),
    ],
    ran: () => [weather('Oslo')],
    also({ turns }) {
      if (turns[0]?.calls.length !== 1) throw new Error('no call was delivered');
    },
  },
  {
    name: 'calls the tool that tool_choice names',
    choice: { name: 'get_weather' },
    turns: 1,
    script: (dialect) => [say(dialect, { calls: [weather('Oslo')] })],
    ran: () => [weather('Oslo')],
    also({ turns }) {
      if (turns[0]?.calls[0] !== 'get_weather') throw new Error('the call was not delivered');
    },
  },
  {
    name: 'runs no call that the token limit cut off',
    cut: true,
    turns: 1,
    script: (dialect) => {
      const whole = say(dialect, { text: 'Now.', calls: [weather('Llanfairpwllgwyngyll')] });
      return [{ text: whole.slice(0, whole.indexOf('gwyngyll')), finish: 'length' }];
    },
    ran: () => [],
    turnsSeen: [{ text: 'Now.', ending: 'length' }],
  },
];

export const cases: readonly Case[] = [...talkCases, ...faultCases, ...upstreamCases];
