// Stand-ins for chat templates and APIs that check the order of roles, each in its own words; and the requests that real
// clients send, shortened.

import type { Fetched } from '../upstream/response-text.js';
import type { MessageApi } from './refusing-upstream.fixture.js';

// biome-ignore lint/suspicious/noExplicitAny: bodies as upstreams get them.
type Loose = any;

/** Qwen3.5 and later. */
function qwen(roles: readonly string[]): string | undefined {
  return roles.lastIndexOf('system') > 0 ? 'System message must be at the beginning.' : undefined;
}

/** Devstral 2: messages with calls, and results, do not count. */
function mistral(roles: readonly string[], calls: ReadonlySet<number>): string | undefined {
  const counted = roles.filter(
    (role, at) => (at > 0 || role !== 'system') && role !== 'tool' && !calls.has(at),
  );
  return counted.some((role, at) => role !== (at % 2 === 0 ? 'user' : 'assistant'))
    ? 'Jinja Exception: After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.'
    : undefined;
}

/** Gemma 2. */
function gemma(roles: readonly string[]): string | undefined {
  if (roles.includes('system')) return 'System role not supported';
  return roles.some((role, at) => role !== (at % 2 === 0 ? 'user' : 'assistant'))
    ? 'Conversation roles must alternate user/assistant/user/assistant/...'
    : undefined;
}

/** DeepSeek's Messages API. */
function deepseek(roles: readonly string[]): string | undefined {
  const at = roles.indexOf('system');
  return at < 0
    ? undefined
    : `messages[${at}].role: unknown variant \`system\`, expected \`user\` or \`assistant\``;
}

/** The Messages API of 2024. */
function anthropic(roles: readonly string[]): string | undefined {
  const twice = roles.find((role, at) => role === roles[at - 1]);
  if (roles.includes('system')) return 'messages: Unexpected role "system".';
  return (
    twice &&
    `messages: roles must alternate between "user" and "assistant", but found multiple "${twice}" roles in a row`
  );
}

export const checks = { qwen, mistral, gemma, deepseek, anthropic };
export type RoleCheck = keyof typeof checks;

/** The roles that a template sees. A system prompt beside the messages is one of them, for engines that render it. */
export function rolesIn(api: MessageApi, body: Loose): string[] {
  if (api === 'anthropic-messages') return body.messages.map(({ role }: Loose) => role);
  if (api === 'openai-chat') return body.messages.map(({ role }: Loose) => role);
  const lead = body.instructions === undefined ? [] : ['system'];
  return [...lead, ...body.input.flatMap(({ role, type }: Loose) => roleOf(role, type))];
}

function roleOf(role: string | undefined, type: string): string[] {
  if (role !== undefined) return [role === 'developer' ? 'system' : role];
  return type === 'function_call_output' ? ['tool'] : [];
}

function callsIn(body: Loose): Set<number> {
  const messages: Loose[] = body.messages ?? [];
  return new Set(messages.flatMap(({ tool_calls: calls }, at) => (calls ? [at] : [])));
}

const sse = (events: unknown[]) =>
  new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  });

const answers: Record<MessageApi, (stream: boolean) => Response> = {
  'openai-chat': (stream) =>
    stream
      ? sse([{ choices: [{ delta: { content: 'Done.' }, finish_reason: 'stop' }] }])
      : Response.json({
          choices: [{ message: { role: 'assistant', content: 'Done.' }, finish_reason: 'stop' }],
        }),
  'openai-responses': () =>
    Response.json({
      object: 'response',
      status: 'completed',
      output: [
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
        },
      ],
    }),
  'anthropic-messages': () =>
    Response.json({
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'Done.' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 1, output_tokens: 1 },
    }),
};

/** How an engine tells its error: with a status, or as the first event of a stream (llama.cpp behind routers). */
export type Told = 'status' | 'event';

/** Answers what the check accepts. `sent` gets the bodies. */
export function checkingFetch(api: MessageApi, check: RoleCheck, sent: Loose[] = [], told: Told = 'status') {
  return async (_url: string, init: RequestInit): Promise<Fetched> => {
    const body = JSON.parse(String(init.body));
    sent.push(body);
    const message = checks[check](rolesIn(api, body), callsIn(body));
    if (message === undefined) return answers[api](body.stream === true);
    const error = { error: { type: 'server_error', code: 500, message } };
    return told === 'event' ? sse([error]) : Response.json(error, { status: 500 });
  };
}

const png =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAF0lEQVR4nGP4z8BAEiJN9aiGUQ1DSgMAkPn/Afnh+ngAAAAASUVORK5CYII=';

const ephemeral = { cache_control: { type: 'ephemeral' } };

/** Claude Code 2.1.197 after it read an image: `anthropic-beta: mid-conversation-system-2026-04-07`. */
export const claudeCode = {
  model: 'qwen3.5',
  max_tokens: 32000,
  system: [
    { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.197.ea3; cc_entrypoint=sdk-cli;' },
    { type: 'text', text: "You are a Claude agent, built on Anthropic's Claude Agent SDK.", ...ephemeral },
  ],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: "<system-reminder>\nToday's date is 2026-11-16.\n</system-reminder>\n\n" },
        { type: 'text', text: 'Read pic.png and tell me what it shows.' },
      ],
    },
    {
      role: 'system',
      content: 'Available agent types for the Agent tool:\n- claude: Catch-all for any task.',
    },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'toolu_01', name: 'Read', input: { file_path: '/work/pic.png' } }],
    },
    {
      role: 'user',
      content: [
        {
          tool_use_id: 'toolu_01',
          type: 'tool_result',
          content: [{ type: 'image', source: { type: 'base64', data: png, media_type: 'image/png' } }],
          ...ephemeral,
        },
      ],
    },
  ],
  tools: [
    {
      name: 'Read',
      description: 'Reads a file.',
      input_schema: {
        type: 'object',
        properties: { file_path: { type: 'string' } },
        required: ['file_path'],
      },
    },
  ],
};

/** The first request of Claude Code: before it read anything. */
const claudeCodeStart = { ...claudeCode, messages: claudeCode.messages.slice(0, 2) };

/** Claude Code 2.1.197 after it read a PDF: the document stands behind the result, in the same message. */
export const claudeCodePdf = {
  ...claudeCode,
  messages: [
    ...claudeCode.messages.slice(0, 3),
    {
      role: 'user',
      content: [
        { tool_use_id: 'toolu_01', type: 'tool_result', content: 'PDF file read: /work/doc.pdf (191 bytes)' },
        {
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjEK' },
          ...ephemeral,
        },
      ],
    },
  ],
};

const codexMessage = (role: string, text: string) => ({
  type: 'message',
  role,
  content: [{ type: 'input_text', text }],
});

/** Codex: its context and the task are two messages of the user. */
const codex = {
  model: 'qwen3.5',
  instructions: 'You are Codex, based on GPT-5.',
  input: [
    codexMessage('developer', '<permissions instructions>\nread-only\n</permissions instructions>'),
    codexMessage('user', '<environment_context>\n  <cwd>/work</cwd>\n</environment_context>'),
    codexMessage('user', 'List the files.'),
  ],
  tools: [
    {
      type: 'function',
      name: 'exec_command',
      strict: false,
      parameters: { type: 'object', properties: { cmd: { type: 'string' } }, required: ['cmd'] },
    },
  ],
  store: false,
};

/** A Chat client that says something with the system's voice in the middle, after a tool was run. */
export const chatLoop = {
  model: 'qwen3.5',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Weather in Rome?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'c1', content: '20 degrees' },
    { role: 'user', content: 'Stop.' },
    { role: 'system', content: 'The user pressed escape.' },
    { role: 'user', content: 'And in Oslo?' },
  ],
  tools: [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }],
};

export const clients: { name: string; api: MessageApi; path: string; body: Loose }[] = [
  { name: 'Claude Code', api: 'anthropic-messages', path: '/v1/messages', body: claudeCodeStart },
  { name: 'Codex', api: 'openai-responses', path: '/v1/responses', body: codex },
  { name: 'a Chat client', api: 'openai-chat', path: '/v1/chat/completions', body: chatLoop },
];
