// Stand-ins for upstreams that check the history of a request, as the engines and APIs do: each with its own words.

import type { Fetched } from '../upstream/response-text.js';

// biome-ignore lint/suspicious/noExplicitAny: bodies as upstreams get them.
type Loose = any;
type Check = (body: Loose) => string | undefined;

function isObjectText(text: unknown): boolean {
  try {
    return typeof text === 'string' && isRecord(JSON.parse(text));
  } catch {
    return false;
  }
}

const isRecord = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** vLLM's and llama.cpp's check of arguments, OpenAI's of the order, Mistral's of empty turns, Qwen's of roles. */
const chat: Check = ({ messages }) => {
  let due = new Set<string>();
  const used = new Set<string>();
  for (const [at, { role, content, tool_calls: calls = [], tool_call_id: id }] of messages.entries()) {
    if (role === 'developer') return 'Unexpected message role.';
    if (role === 'tool' && !due.delete(id))
      return "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
    if (role === 'tool') continue;
    if (due.size > 0) return "An assistant message with 'tool_calls' must be followed by tool messages";
    if (role === 'assistant' && calls.length === 0 && (content ?? []).length === 0)
      return 'Assistant message must have either content or tool_calls, but not none.';
    for (const call of calls) {
      if (!isObjectText(call.function.arguments))
        return `Failed to parse tool call arguments as JSON: messages[${at}]`;
      if (used.has(call.id)) return `Duplicate tool call id ${call.id}`;
      used.add(call.id);
    }
    due = new Set(calls.map((call: Loose) => call.id));
  }
  return due.size > 0
    ? "An assistant message with 'tool_calls' must be followed by tool messages"
    : undefined;
};

/** OpenAI's pairs, with no message of the user between them, as DeepSeek has it; vLLM's check of arguments. */
const responses: Check = ({ input }) => {
  const due = new Set<string>();
  const used = new Set<string>();
  for (const item of Array.isArray(input) ? input : []) {
    if (item.type === 'function_call') {
      if (!isObjectText(item.arguments)) return "Expecting ',' delimiter: line 1 column 54 (char 53)";
      if (used.has(item.call_id)) return `Duplicate call_id ${item.call_id}`;
      used.add(item.call_id);
      due.add(item.call_id);
    } else if (item.type === 'function_call_output') {
      if (!due.delete(item.call_id))
        return `No tool call found for function call output with call_id ${item.call_id}.`;
    } else if (due.size > 0 && item.role === 'user')
      return `No tool output found for function call ${[...due].join(', ')}.`;
    else if (item.role === 'assistant' && item.content.length === 0) return 'content: must not be empty';
  }
  return due.size > 0 ? `No tool output found for function call ${[...due].join(', ')}.` : undefined;
};

/** Anthropic's checks, after turns of one role in a row were joined. */
const messages: Check = (body) => {
  const turns: { role: string; blocks: Loose[] }[] = [];
  for (const [at, { role, content }] of body.messages.entries()) {
    if (content.length === 0 && at < body.messages.length - 1)
      return 'all messages must have non-empty content except for the optional final assistant message';
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    if (blocks.some((block: Loose) => block.type === 'text' && block.text.trim() === ''))
      return 'text content blocks must contain non-whitespace text';
    if (turns.at(-1)?.role === role) turns.at(-1)?.blocks.push(...blocks);
    else turns.push({ role, blocks: [...blocks] });
  }
  const used = new Set<string>();
  for (const [at, { blocks }] of turns.entries()) {
    const calls = blocks.filter(({ type }) => type === 'tool_use');
    for (const { id, input } of calls) {
      if (!isRecord(input)) return 'tool_use.input: Input should be a valid dictionary';
      if (used.has(id)) return '`tool_use` ids must be unique';
      used.add(id);
    }
    const next = turns[at + 1]?.blocks ?? [];
    const results = next.slice(0, calls.length).map((block) => block.tool_use_id);
    if (calls.some(({ id }) => !results.includes(id)))
      return '`tool_use` ids were found without `tool_result` blocks immediately after';
    const before = (turns[at - 1]?.blocks ?? []).map((block) => (block.type === 'tool_use' ? block.id : ''));
    const answered = blocks.filter(({ type }) => type === 'tool_result').map((block) => block.tool_use_id);
    if (answered.some((id) => !before.includes(id)))
      return 'unexpected `tool_use_id` found in `tool_result` blocks';
    if (new Set(answered).size < answered.length) return 'each tool_use must have a single result';
  }
  return undefined;
};

/** What each API refuses in the body of a request; undefined if it is accepted. */
export const refusals = {
  'openai-chat': chat,
  'openai-responses': responses,
  'anthropic-messages': messages,
};

export type MessageApi = keyof typeof refusals;

const answers: Record<MessageApi, unknown> = {
  'openai-chat': { choices: [{ message: { role: 'assistant', content: 'Done.' }, finish_reason: 'stop' }] },
  'openai-responses': {
    object: 'response',
    status: 'completed',
    output: [
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
      },
    ],
  },
  'anthropic-messages': {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'Done.' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 1, output_tokens: 1 },
  },
};

/** Answers what it accepts, and refuses the rest with 400. `sent` gets the bodies. */
export function refusingFetch(api: MessageApi, sent: string[] = []) {
  return async (_url: string, init: RequestInit): Promise<Fetched> => {
    sent.push(String(init.body));
    const message = refusals[api](JSON.parse(String(init.body)));
    if (message === undefined) return Response.json(answers[api]);
    return Response.json({ error: { type: 'invalid_request_error', message } }, { status: 400 });
  };
}
