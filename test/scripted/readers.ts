// The official clients' own stream readers, over a fetch that never leaves the process.

import Anthropic from '@anthropic-ai/sdk';
import type { Tool } from '@dragoman/core';
import OpenAI from 'openai';
import type { Responder } from './gate.js';
import type { ClientApi } from './order.js';

/** The result that a client read from a stream. */
export interface Accumulated {
  text: string;
  calls: { id: string; name: string; arguments: string }[];
}

export interface Exchange {
  /** The bytes of the answer as text. */
  raw: string;
  /** What the client read from them, or the error it threw. */
  accumulated: Accumulated | Error;
}

const key = { apiKey: 'none', maxRetries: 0 };
const asked = 'Go on.';
const PIECE = 4096;

const bodies = {
  'openai-chat': (tools: readonly Tool[]) => ({
    model: 'any',
    messages: [{ role: 'user' as const, content: asked }],
    stream_options: { include_usage: true },
    tools: tools.map(({ name, parameters }) => ({
      type: 'function' as const,
      function: { name, parameters: schemaOf(parameters) },
    })),
  }),
  'openai-responses': (tools: readonly Tool[]) => ({
    model: 'any',
    input: asked,
    store: false,
    tools: tools.map(({ name, parameters }) => ({
      type: 'function' as const,
      name,
      parameters: schemaOf(parameters),
      strict: false,
    })),
  }),
  'anthropic-messages': (tools: readonly Tool[]) => ({
    model: 'any',
    max_tokens: 4096,
    messages: [{ role: 'user' as const, content: asked }],
    tools: tools.map(({ name, parameters }) => ({
      name,
      input_schema: { ...schemaOf(parameters), type: 'object' as const },
    })),
  }),
};

const paths: Record<ClientApi, string> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  'anthropic-messages': '/v1/messages',
};

/** The request that the readers send, without a reader. */
export function toRequest(api: ClientApi, tools: readonly Tool[]): Request {
  const body = JSON.stringify({ ...bodies[api](tools), stream: true });
  const headers = { 'content-type': 'application/json' };
  return new Request(`http://in.process${paths[api]}`, { method: 'POST', headers, body });
}

const read: Record<
  ClientApi,
  (fetch: typeof globalThis.fetch, tools: readonly Tool[]) => Promise<Accumulated>
> = {
  async 'openai-chat'(fetch, tools) {
    const client = new OpenAI({ ...key, baseURL: 'http://in.process/v1', fetch });
    const runner = client.chat.completions.stream(bodies['openai-chat'](tools));
    const { choices } = await runner.finalChatCompletion();
    const message = choices[0]?.message;
    const calls = (message?.tool_calls ?? []).map((call) => {
      if (call.type !== 'function') throw new Error(`a call of type ${call.type}`);
      return { id: call.id, name: call.function.name, arguments: call.function.arguments };
    });
    return { text: message?.content ?? '', calls };
  },
  async 'openai-responses'(fetch, tools) {
    const client = new OpenAI({ ...key, baseURL: 'http://in.process/v1', fetch });
    const runner = client.responses.stream(bodies['openai-responses'](tools));
    const { output, output_text, status, error } = await runner.finalResponse();
    if (status === 'failed') throw new Error(error?.message);
    const calls = output
      .filter((item) => item.type === 'function_call')
      .map((call) => ({ id: call.call_id, name: call.name, arguments: call.arguments }));
    return { text: output_text, calls };
  },
  async 'anthropic-messages'(fetch, tools) {
    const client = new Anthropic({ ...key, baseURL: 'http://in.process', fetch });
    const runner = client.messages.stream(bodies['anthropic-messages'](tools));
    const fragments = new Map<number, string>();
    runner.on('streamEvent', (event) => {
      if (event.type !== 'content_block_delta' || event.delta.type !== 'input_json_delta') return;
      fragments.set(event.index, (fragments.get(event.index) ?? '') + event.delta.partial_json);
    });
    const { content } = await runner.finalMessage();
    const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    const calls = content.flatMap((block, at) =>
      block.type === 'tool_use'
        ? [{ id: block.id, name: block.name, arguments: fragments.get(at) ?? '' }]
        : [],
    );
    return { text, calls };
  },
};

/** Sends the request with the official client, and keeps the bytes of the answer. */
export async function exchange(
  api: ClientApi,
  respond: Responder,
  tools: readonly Tool[],
): Promise<Exchange> {
  let raw = '';
  const fetch = async (url: unknown, init?: RequestInit): Promise<Response> => {
    const response = await respond(new Request(String(url), init));
    raw = await response.text();
    return new Response(inPieces(raw), { status: response.status, headers: response.headers });
  };
  try {
    return { accumulated: await read[api](fetch as typeof globalThis.fetch, tools), raw };
  } catch (error) {
    return { accumulated: error as Error, raw };
  }
}

/** As a network would give it. A reader copies all that it has not read yet at each event: megabytes, if it had all. */
function inPieces(raw: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(raw);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + PIECE));
      at += PIECE;
    },
  });
}

function schemaOf(parameters: Tool['parameters']): Record<string, unknown> {
  return typeof parameters === 'object' ? parameters : { type: 'object' };
}
