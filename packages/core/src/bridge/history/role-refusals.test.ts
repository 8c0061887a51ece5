import { describe, expect, it } from 'vitest';
import { wireOf } from '../../wire/index.js';
import { refusedRoles } from './role-refusals.js';

const errorOf = (status: number, body: unknown) =>
  wireOf('openai-chat').decodeError(status, typeof body === 'string' ? body : JSON.stringify(body));

/** Bodies as reported: see the sources in the table. */
const refused: [engine: string, status: number, body: unknown, shape: string][] = [
  [
    'vLLM with Qwen3.5',
    400,
    {
      error: {
        message: 'System message must be at the beginning.',
        type: 'BadRequestError',
        param: null,
        code: 400,
      },
    },
    'strict',
  ],
  [
    'llama.cpp with Qwen3.5',
    400,
    {
      error: {
        code: 400,
        message:
          "Unable to generate parser for this template. Automatic parser generation failed: \n------------\nWhile executing CallExpression at line 85, column 32 in source:\n...first %}↵            {{- raise_exception('System message must be at the beginnin...\n                                           ^\nError: Jinja Exception: System message must be at the beginning.",
        type: 'invalid_request_error',
      },
    },
    'strict',
  ],
  [
    'Ollama with qwen3.8',
    500,
    { type: 'error', error: { type: 'api_error', message: 'system message must be at the beginning' } },
    'strict',
  ],
  [
    'vLLM with Gemma 3',
    400,
    {
      object: 'error',
      message: 'Conversation roles must alternate user/assistant/user/assistant/...',
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
    'strict',
  ],
  [
    'llama.cpp with Devstral 2',
    500,
    {
      error: {
        code: 500,
        message:
          "\n------------\nWhile executing CallExpression at line 189, column 32 in source:\n...== 0) %}↵            {{- raise_exception('After the optional system message, con...\n                                           ^\nError: Jinja Exception: After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.",
        type: 'server_error',
      },
    },
    'strict',
  ],
  [
    'TGI',
    422,
    {
      error: 'Template error: syntax error: Conversation roles must alternate user/assistant/user/assistant/',
      error_type: 'template_error',
    },
    'strict',
  ],
  [
    'Anthropic, older models',
    400,
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message:
          'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.',
      },
    },
    'strict',
  ],
  [
    'Anthropic, newer models',
    400,
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: "role 'system' is not supported on this model" },
    },
    'strict',
  ],
  [
    "DeepSeek's Messages API",
    400,
    'Failed to deserialize the JSON body into the target type: messages[1].role: unknown variant `system`, expected `user` or `assistant` at line 1 column 1010',
    'strict',
  ],
  [
    'a FastAPI server',
    400,
    {
      errors: [
        {
          loc: ['body', 'messages', 1, 'role'],
          msg: "Input should be 'user' or 'assistant'",
          type: 'literal_error',
        },
      ],
    },
    'strict',
  ],
  [
    'MiniMax',
    400,
    {
      type: 'error',
      error: {
        type: 'bad_request_error',
        message: 'invalid params, chat content has invalid message role: system (2013)',
        http_code: '400',
      },
    },
    'strict',
  ],
  [
    'DeepSeek',
    400,
    {
      error: {
        message:
          'deepseek-reasoner does not support successive user or assistant messages (messages[1] and messages[2] in your input). You should interleave the user/assistant messages in the message sequence.',
        type: 'invalid_request_error',
      },
    },
    'strict',
  ],
  [
    'Perplexity',
    400,
    {
      error: {
        message: 'After the (optional) system message(s), user and assistant roles should be alternating.',
        type: 'invalid_message',
        code: 400,
      },
    },
    'strict',
  ],
  [
    'Mistral behind OpenRouter',
    400,
    {
      error: {
        message: 'Provider returned error',
        code: 400,
        metadata: {
          raw: '{"object":"error","message":"Unexpected role \'user\' after role \'tool\'","type":"invalid_request_message_order","param":null,"code":"3230"}',
          provider_name: 'Mistral',
        },
      },
    },
    'alternate',
  ],
  ['SGLang with Gemma 2', 500, { error: { message: 'System role not supported' } }, 'no-system'],
  [
    'OpenAI o1-mini',
    400,
    {
      error: {
        message: "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
        type: 'invalid_request_error',
        param: 'messages[0].role',
        code: 'unsupported_value',
      },
    },
    'no-system',
  ],
];

describe('an error of', () => {
  it.each(refused)('%s refuses the roles', (_, status, body, shape) => {
    expect(refusedRoles(errorOf(status, body))).toBe(shape);
  });
});

it.each([
  [429, 'Rate limit reached. System message must be at the beginning.'],
  [400, "This model's maximum context length is 8192 tokens."],
  [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
  [400, "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."],
  [400, 'Unexpected message role.'],
  [500, ''],
])('an error about something else is none: %s %s', (status, message) => {
  expect(refusedRoles(errorOf(status, { error: { message } }))).toBeUndefined();
});
