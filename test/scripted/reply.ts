// One reply of a scripted model, and how OpenAI's two text APIs put it on the wire: chat completions and
// completions, whole and as server-sent events. No sockets here: text-model.ts serves it, and a test can read it
// from memory.

import { createRandom } from '@dragoman/core/testing';

interface NativeCall {
  id?: string;
  name: string;
  /** JSON text, as the model wrote it. */
  arguments: string;
}

export interface Reply {
  /** The text that the model writes, in any dialect. */
  text?: string;
  /** Sent as `reasoning_content`, as by servers that separate reasoning. */
  reasoning?: string;
  /** Native mode: calls as OpenAI's API carries them. */
  calls?: readonly NativeCall[];
  finish?: 'stop' | 'length' | 'tool_calls' | 'content_filter';
  /** `false`: no usage. Default: some numbers, in streams only when asked for. */
  usage?: false | { prompt_tokens: number; completion_tokens: number };
  /** How many characters a piece of a stream has. Default 3. With a seed: one to nine. */
  pieces?: number | { seed: number };
  /** Milliseconds before each event. */
  delay?: number;
  fault?: Fault;
}

/** `after`: how many events are sent correctly first, after the headers of a good answer. */
export type Fault =
  | { type: 'reset'; after: number }
  | { type: 'end'; after: number }
  | { type: 'half-event'; after: number }
  | { type: 'bad-line'; after: number }
  | { type: 'silence'; after: number }
  /** The model sends nothing at all, not even headers. */
  | { type: 'no-answer' }
  | { type: 'error-event'; after: number; message: string }
  | { type: 'one-byte' }
  | { type: 'html' }
  | { type: 'status'; status: number; body: string; headers?: Record<string, string> }
  /** Only if the request has tools: else the reply is given. */
  | { type: 'refuse-tools'; by: keyof typeof refusals }
  | { type: 'redirect'; location: string };

/** Messages by which servers refuse tools. */
export const refusals = {
  ollama: {
    status: 400,
    body: '{"error":{"message":"registry.ollama.ai/library/gemma:2b does not support tools","type":"api_error","param":null,"code":null}}',
  },
  openrouter: {
    status: 404,
    body: '{"error":{"message":"No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing","code":404}}',
  },
  vllm: {
    status: 400,
    body: '{"object":"error","message":"\\"auto\\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","type":"BadRequestError","param":null,"code":400}',
  },
} as const;

export type TextApi = 'chat' | 'completions';

/** The members of a request that decide the form of the answer. */
export interface Asked {
  stream?: boolean | null;
  stream_options?: { include_usage?: boolean } | null;
  model?: string;
  tools?: unknown[];
}

const head = { id: 'cmpl-scripted', created: 1_700_000_000 };
const objects = {
  chat: { whole: 'chat.completion', piece: 'chat.completion.chunk' },
  completions: { whole: 'text_completion', piece: 'text_completion' },
};

export function toBody(reply: Reply, api: TextApi, asked: Asked): Record<string, unknown> {
  const finish_reason = finishOf(reply);
  const choice =
    api === 'chat'
      ? { index: 0, message: messageOf(reply), finish_reason }
      : { index: 0, text: reply.text ?? '', logprobs: null, finish_reason };
  return {
    ...head,
    object: objects[api].whole,
    model: asked.model ?? 'scripted',
    choices: [choice],
    ...(reply.usage === false ? {} : { usage: usageOf(reply) }),
  };
}

/** Gives the stream's events as bytes on the wire. The last one is `[DONE]`. */
export function toEvents(reply: Reply, api: TextApi, asked: Asked): string[] {
  const chunk = (choices: unknown[], more = {}) => {
    const body = { ...head, object: objects[api].piece, model: asked.model ?? 'scripted', choices, ...more };
    return `data: ${JSON.stringify(body)}\n\n`;
  };
  const choices = api === 'chat' ? chatChoices(reply) : completionChoices(reply);
  const events = choices.map((choice) => chunk([choice]));
  if (asked.stream_options?.include_usage && reply.usage !== false)
    events.push(chunk([], { usage: usageOf(reply) }));
  return [...events, 'data: [DONE]\n\n'];
}

function chatChoices(reply: Reply): unknown[] {
  const choice = (delta: unknown, finish_reason: string | null = null) => ({
    index: 0,
    delta,
    finish_reason,
  });
  return [
    choice({ role: 'assistant', content: '' }),
    ...cut(reply.reasoning ?? '', reply).map((reasoning_content) => choice({ reasoning_content })),
    ...cut(reply.text ?? '', reply).map((content) => choice({ content })),
    ...(reply.calls ?? []).flatMap((call, index) => [
      choice({ tool_calls: [{ index, ...nativeCall(call, index, '') }] }),
      ...cut(call.arguments, reply).map((text) =>
        choice({ tool_calls: [{ index, function: { arguments: text } }] }),
      ),
    ]),
    choice({}, finishOf(reply)),
  ];
}

function completionChoices(reply: Reply): unknown[] {
  const choice = (text: string, finish_reason: string | null = null) => ({
    index: 0,
    text,
    logprobs: null,
    finish_reason,
  });
  return [...cut(reply.text ?? '', reply).map((text) => choice(text)), choice('', finishOf(reply))];
}

function messageOf(reply: Reply) {
  return {
    role: 'assistant',
    content: reply.text ?? (reply.calls ? null : ''),
    ...(reply.reasoning === undefined ? {} : { reasoning_content: reply.reasoning }),
    ...(reply.calls
      ? { tool_calls: reply.calls.map((call, index) => nativeCall(call, index, call.arguments)) }
      : {}),
  };
}

function nativeCall(call: NativeCall, index: number, text: string) {
  const id = call.id ?? `call_native_${index}`;
  return { id, type: 'function', function: { name: call.name, arguments: text } };
}

function finishOf(reply: Reply): string {
  return reply.finish ?? (reply.calls?.length ? 'tool_calls' : 'stop');
}

function usageOf(reply: Reply) {
  const counted = reply.usage || { prompt_tokens: 11, completion_tokens: 7 };
  return { ...counted, total_tokens: counted.prompt_tokens + counted.completion_tokens };
}

/** Pieces of the text. Never half a surrogate pair: no server can send one. */
function cut(text: string, { pieces = 3 }: Reply): string[] {
  const characters = [...text];
  const random = typeof pieces === 'number' ? undefined : createRandom(pieces.seed);
  const found: string[] = [];
  for (let at = 0; at < characters.length; ) {
    const length = random ? 1 + random.int(9) : (pieces as number);
    found.push(characters.slice(at, at + length).join(''));
    at += length;
  }
  return found;
}
