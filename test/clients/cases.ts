// What every client must be able to do over a model that only writes text. A case is a row, and so is a dialect:
// each client's test file holds its clients to all of them.

import { type Dialect, parseExact, stringifyJson } from '@dragoman/core';
import type { ResponderOptions, UpstreamOptions } from '@dragoman/core/bridge';
import type { Fault, Reply } from '../scripted/reply.js';
import { type SpelledTurn, spell } from '../scripted/spell.js';
import type { ModelBody, ScriptedReply } from '../scripted/text-model.js';
import type { Choice, Client, ClientTool, Ending, Turn } from './client.js';

export const tools: ClientTool[] = [
  {
    name: 'get_weather',
    description: 'The weather of a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
  {
    name: 'write_file',
    description: 'Writes a file.',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, content: { type: 'string' }, serial: { type: 'integer' } },
      required: ['path', 'content'],
    },
  },
];

export const RESULT = 'clear-sky-4711';

/** A call that was run, as the tool saw it. */
export interface Ran {
  name: string;
  input: unknown;
  raw?: string;
}

interface SeenTurn {
  text: string | RegExp;
  calls?: string[];
  ending?: Ending;
  /** Looked at where the client shows it. Default none. */
  reasoning?: string | RegExp;
}

export interface Case {
  name: string;
  /** In which dialects it is run. Default: all of those the project began with. */
  dialects?: 'every' | 'one' | ((dialect: Dialect) => boolean);
  /** How the model is reached, and what the library is told besides. */
  upstream?: Partial<UpstreamOptions>;
  options?: (dialect: Dialect) => Partial<ResponderOptions>;
  script(dialect: Dialect): ScriptedReply[];
  choice?: Choice;
  /** Requests the client may make. Default 5. */
  turns?: number;
  /** What the tools were called with, as JSON text. */
  ran(dialect: Dialect): { name: string; raw: string }[];
  /** The turns the client saw. */
  turnsSeen?: SeenTurn[];
  /** The client throws instead; with this status, where it is no matter of a stream. */
  throws?: true | number;
  /** The token limit cuts the answer off: some clients throw then. */
  cut?: true;
  /** What must hold besides. */
  also?(seen: { turns: Turn[]; asked: ModelBody[]; client: Client }): void;
}

const weather = (city: string) => ({ name: 'get_weather', raw: JSON.stringify({ city }) });
const say = (dialect: Dialect, turn: SpelledTurn) => spell(dialect, turn, tools);

/** Quotes the results if it has been told any. */
function quoteResult(dialect: Dialect, times = 1): ScriptedReply {
  return (body) => {
    const told = JSON.stringify(body.messages ?? body.prompt).split(RESULT).length - 1;
    return (
      opened(body) + say(dialect, { text: told === times ? `It says ${RESULT}.` : `I saw ${told} results.` })
    );
  };
}

/** A model whose prompt opened its reasoning begins inside it. */
function opened({ prompt }: ModelBody): string {
  return prompt?.trimEnd().endsWith('<think>') ? 'Let me see.</think>' : '';
}

const quoted: SeenTurn = { text: `It says ${RESULT}.`, calls: [], ending: 'stop' };

/** A file that holds everything that acts in the dialect, and what is hard to carry besides. */
function hardFile(dialect: Dialect): string {
  const content = `"quoted" \\ 'single' \`tick\`\r\n\t${dialect.markers.literals.join(' ')}\n  {"a":[1,2]} 🙂 北京 \u2028 $\{x} end`;
  const json = JSON.stringify({ path: 'a b/"c".txt', content });
  return `${json.slice(0, -1)},"serial":12345678901234567890}`;
}

function broken(dialect: Dialect, turn: SpelledTurn, fault: (events: number) => Fault): Reply {
  const text = say(dialect, turn);
  return { text, pieces: 1, fault: fault([...text].length) };
}

const overloaded = {
  type: 'status',
  status: 429,
  body: '{"error":{"message":"slow down"}}',
} as const;

export const cases: Case[] = [
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
    script: (dialect) => [
      { text: say(dialect, { text: 'Grüße 🙂', calls: [weather('北京')] }), fault: { type: 'one-byte' } },
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

/** Digits and key order count, spelling does not. */
export function exact(json: string): string {
  return stringifyJson(parseExact(json), 'compact');
}
