// Histories in a form of their own, and the bodies that clients of each API send for them.

import type { MessageApi } from './refusing-upstream.fixture.js';

/** A call: its id, and its arguments as text. */
type Called = [id: string, text: string];

export type Turn =
  | { user: string }
  | { assistant: string; calls?: Called[] }
  | { result: string; text: string };

const chatMessage = (turn: Turn): unknown => {
  if ('user' in turn) return { role: 'user', content: turn.user };
  if ('result' in turn) return { role: 'tool', tool_call_id: turn.result, content: turn.text };
  const calls = turn.calls?.map(([id, text]) => ({
    id,
    type: 'function',
    function: { name: 'get_weather', arguments: text },
  }));
  return { role: 'assistant', content: turn.assistant, ...(calls && { tool_calls: calls }) };
};

const responseItems = (turn: Turn): unknown[] => {
  if ('user' in turn) return [{ role: 'user', content: turn.user }];
  if ('result' in turn) return [{ type: 'function_call_output', call_id: turn.result, output: turn.text }];
  const calls = (turn.calls ?? []).map(([call_id, text]) => ({
    type: 'function_call',
    call_id,
    name: 'get_weather',
    arguments: text,
  }));
  return turn.assistant === '' && calls.length > 0
    ? calls
    : [{ role: 'assistant', content: turn.assistant }, ...calls];
};

function inputOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const message = (turn: Turn): unknown => {
  if ('user' in turn) return { role: 'user', content: turn.user };
  if ('result' in turn)
    return {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: turn.result, content: turn.text }],
    };
  const calls = (turn.calls ?? []).map(([id, text]) => ({
    type: 'tool_use',
    id,
    name: 'get_weather',
    input: inputOf(text),
  }));
  const text = turn.assistant === '' ? [] : [{ type: 'text', text: turn.assistant }];
  return { role: 'assistant', content: [...text, ...calls] };
};

const schema = { type: 'object', properties: { city: { type: 'string' } } };

/** The body of a request, and the path at which clients send it. */
export const bodies: Record<MessageApi, { path: string; of(turns: readonly Turn[]): object }> = {
  'openai-chat': {
    path: '/v1/chat/completions',
    of: (turns) => ({
      model: 'm',
      messages: turns.map(chatMessage),
      tools: [{ type: 'function', function: { name: 'get_weather', parameters: schema } }],
    }),
  },
  'openai-responses': {
    path: '/v1/responses',
    of: (turns) => ({
      model: 'm',
      input: turns.flatMap(responseItems),
      tools: [{ type: 'function', name: 'get_weather', parameters: schema }],
    }),
  },
  'anthropic-messages': {
    path: '/v1/messages',
    of: (turns) => ({
      model: 'm',
      max_tokens: 50,
      messages: turns.map(message),
      tools: [{ name: 'get_weather', input_schema: schema }],
    }),
  },
};

const call: Turn = { assistant: 'Let me see.', calls: [['c1', '{"city":"Rome"}']] };
const result: Turn = { result: 'c1', text: '20 degrees' };

/** Histories that poison a session. `code` is what the report says. */
export const poisoned: { name: string; code: string; turns: Turn[] }[] = [
  {
    name: 'single quotes and a comma too many in arguments',
    code: 'repaired-arguments',
    turns: [{ user: 'Weather?' }, { assistant: '', calls: [['c1', "{'city': 'Rome',}"]] }, result],
  },
  {
    // vllm#43995
    name: 'quotes that were not escaped in arguments',
    code: 'repaired-arguments',
    turns: [
      { user: 'Hello' },
      { assistant: '', calls: [['c1', '{"city": "He said "hello" and left", "old": "content"}']] },
      { result: 'c1', text: 'Error: invalid JSON' },
      { user: 'Continue' },
    ],
  },
  {
    name: 'arguments that are JSON in a string',
    code: 'repaired-arguments',
    turns: [{ user: 'Weather?' }, { assistant: '', calls: [['c1', '"{\\"city\\":\\"Rome\\"}"']] }, result],
  },
  {
    // llama.cpp#25510
    name: 'arguments that break off',
    code: 'replaced-arguments',
    turns: [
      { user: 'Weather?' },
      { assistant: '', calls: [['c1', '{']] },
      { result: 'c1', text: "Expected property name or '}' in JSON at position 1" },
      { user: 'Try again.' },
    ],
  },
  {
    // sglang#28035
    name: 'arguments that are a list',
    code: 'replaced-arguments',
    turns: [{ user: 'Weather?' }, { assistant: '', calls: [['c1', '["Rome"]']] }, result],
  },
  {
    name: 'a call whose result is missing, as after an interruption',
    code: 'missing-result',
    turns: [{ user: 'Weather?' }, call, { user: 'Stop. What is the time?' }],
  },
  {
    name: 'one of two results missing',
    code: 'missing-result',
    turns: [
      { user: 'Weather?' },
      {
        assistant: '',
        calls: [
          ['c1', '{}'],
          ['c2', '{}'],
        ],
      },
      { result: 'c2', text: '10 degrees' },
      { user: 'And?' },
    ],
  },
  {
    name: 'a call at the end',
    code: 'missing-result',
    turns: [{ user: 'Weather?' }, call],
  },
  {
    // semantic-kernel#12708: the history was cut behind the call
    name: 'a result whose call was cut off with the beginning',
    code: 'result-without-call',
    turns: [result, { assistant: 'It is warm.' }, { user: 'Thanks.' }],
  },
  {
    name: 'a result whose call was taken out of the middle',
    code: 'result-without-call',
    turns: [{ user: 'Weather?' }, result, { user: 'And?' }],
  },
  {
    name: 'two results of one call',
    code: 'result-without-call',
    turns: [{ user: 'Weather?' }, call, { result: 'c1', text: 'interrupted' }, result, { user: 'And?' }],
  },
  {
    name: "a result after a user's message",
    code: 'moved-result',
    turns: [{ user: 'Weather?' }, call, { user: 'Hurry up!' }, result],
  },
  {
    // claude-code#28515
    name: 'one id for the calls of two turns',
    code: 'duplicate-id',
    turns: [
      { user: 'Weather?' },
      call,
      result,
      { assistant: '', calls: [['c1', '{"city":"Oslo"}']] },
      { result: 'c1', text: '5 degrees' },
    ],
  },
  {
    name: 'one id for two calls of a turn',
    code: 'duplicate-id',
    turns: [
      { user: 'Weather?' },
      {
        assistant: '',
        calls: [
          ['c1', '{"city":"Rome"}'],
          ['c1', '{"city":"Oslo"}'],
        ],
      },
      result,
      { result: 'c1', text: '5 degrees' },
    ],
  },
  {
    // LLMKube#935
    name: 'an empty turn',
    code: 'empty-turn',
    turns: [{ user: 'Weather?' }, { assistant: '' }, { user: 'Hello?' }],
  },
];
