// One exchange in process: a model that writes deltas, the bridge, and a client that reads the response to its end.
// The floor does what any proxy must that only passes deltas on: take each from an async generator, write one chunk
// object of the client's API with JSON.stringify, encode it, and hand it to a stream that someone reads.

import type { AnswerEvent } from '@dragoman/core';
import { createResponder, type ResponderOptions, type Upstream } from '@dragoman/core/bridge';
import { tools } from './inputs.js';

export type ClientApi = 'openai-chat' | 'openai-responses' | 'anthropic-messages';
export const CLIENT_APIS: readonly ClientApi[] = ['openai-chat', 'openai-responses', 'anthropic-messages'];

/** Called with the number of each delta just before it is written. */
type OnDelta = (at: number) => void;

async function* write(deltas: readonly string[], watch?: OnDelta): AsyncGenerator<AnswerEvent> {
  yield { type: 'answer-start' };
  for (let at = 0; at < deltas.length; at++) {
    watch?.(at);
    yield { type: 'text-delta', text: deltas[at] as string };
  }
  watch?.(deltas.length);
  yield { type: 'finish', reason: 'stop' };
  yield { type: 'usage', usage: { inputTokens: 10, outputTokens: deltas.length } };
}

/** A model that writes these deltas; `native`: it accepts tools. */
export function writer(deltas: readonly string[], { native = false, watch }: WriterOptions = {}): Upstream {
  return { takes: 'messages', tools: native, media: false, ask: () => write(deltas, watch) };
}

interface WriterOptions {
  native?: boolean;
  watch?: OnDelta | undefined;
}

const paths: Record<ClientApi, string> = {
  'openai-chat': 'chat/completions',
  'openai-responses': 'responses',
  'anthropic-messages': 'messages',
};

const shared = { model: 'some-model', stream: true };
const messages = [{ role: 'user', content: 'Write it.' }];

const bodies: Record<ClientApi, object> = {
  'openai-chat': {
    ...shared,
    messages,
    tools: tools.map((tool) => ({ type: 'function', function: tool })),
  },
  'openai-responses': {
    ...shared,
    input: 'Write it.',
    tools: tools.map((tool) => ({ type: 'function', strict: false, ...tool })),
  },
  'anthropic-messages': {
    ...shared,
    max_tokens: 100_000,
    messages,
    tools: tools.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })),
  },
};

export function requestTo(api: ClientApi, origin = 'http://bridge.test'): Request {
  const headers = { 'content-type': 'application/json' };
  return new Request(`${origin}/v1/${paths[api]}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(bodies[api]),
  });
}

/** How the calls come about: written in a dialect, the same but delivered whole, or leaked by a native model. */
export type BridgeMode = 'emulate' | 'whole' | 'heal';

export function bridgeOptions(mode: BridgeMode, dialect: string): Omit<ResponderOptions, 'upstream'> {
  if (mode === 'heal') return { mode, watch: [dialect] };
  return { mode: 'emulate', dialect, delivery: mode === 'whole' ? 'whole' : 'stream' };
}

/** Bytes that the client gets through the bridge. */
export async function readThrough(
  api: ClientApi,
  options: ResponderOptions,
  look?: (bytes: Uint8Array) => void,
): Promise<number> {
  const response = await createResponder(options)(requestTo(api));
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  return drain(response.body as ReadableStream<Uint8Array>, look);
}

async function drain(body: ReadableStream<Uint8Array>, look?: (bytes: Uint8Array) => void): Promise<number> {
  const reader = body.getReader();
  let bytes = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    bytes += next.value.length;
    look?.(next.value);
  }
  return bytes;
}

/** Bytes that the client gets from a proxy that only passes on. */
export function passOn(api: ClientApi, deltas: readonly string[]): Promise<number> {
  const events = write(deltas);
  const chunk = chunks[api];
  const utf8 = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await events.next();
        if (done) controller.close();
        else {
          const text = value.type === 'text-delta' ? value.text : '';
          controller.enqueue(utf8.encode(chunk(text)));
        }
      },
    },
    { highWaterMark: 0 },
  );
  return drain(body);
}

/**
 * A delta of text as the API spells it, as one whole object. Plain literals: put together with spreads, that of the
 * chat API costs three times as much, and a floor that is dear makes everything above it look cheap.
 */
export const chunks: Record<ClientApi, (text: string) => string> = {
  'openai-chat': (content) =>
    `data: ${JSON.stringify({
      id: 'chatcmpl-0123456789abcdef01234567',
      object: 'chat.completion.chunk',
      created: 1_750_000_000,
      model: 'some-model',
      choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }],
    })}\n\n`,
  'openai-responses': (delta) =>
    `event: response.output_text.delta\ndata: ${JSON.stringify({
      type: 'response.output_text.delta',
      item_id: 'msg_0123456789abcdef01234567',
      output_index: 0,
      content_index: 0,
      logprobs: [],
      delta,
      sequence_number: 1000,
    })}\n\n`,
  'anthropic-messages': (text) =>
    `event: content_block_delta\ndata: ${JSON.stringify({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text },
    })}\n\n`,
};
