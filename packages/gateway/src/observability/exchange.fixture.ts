// Real exchanges over an upstream that answers from a list, for tests of logs, metrics, traces and the inspector.

import type { AnswerEvent } from '@dragoman/core';
import {
  createResponder,
  type ResponderOptions,
  type Upstream,
  type UpstreamRequest,
} from '@dragoman/core/bridge';
import type { ExchangeInfo, Watcher } from '../services.js';

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

/** A call in hermes. */
export const call = (city: string) =>
  `<tool_call>\n{"name": "get_weather", "arguments": {"city": "${city}"}}\n</tool_call>`;

/** The answer to each request in turn: pieces of text, events, or an error. */
type Reply = string | readonly AnswerEvent[] | Error;

function scripted(
  replies: readonly Reply[],
  more: Partial<Upstream> = {},
): Upstream & { asked: UpstreamRequest[] } {
  const asked: UpstreamRequest[] = [];
  return {
    takes: 'messages',
    tools: false,
    media: false,
    asked,
    ...more,
    async *ask(request, { onHeld }) {
      asked.push(request);
      if (more.grammar) onHeld?.();
      const reply = replies[Math.min(asked.length, replies.length) - 1] ?? '';
      if (reply instanceof Error) throw reply;
      yield { type: 'answer-start' };
      if (typeof reply !== 'string') yield* reply;
      else {
        const size = Math.max(5, Math.ceil(reply.length / 200));
        for (let at = 0; at < reply.length; at += size) {
          yield { type: 'text-delta', text: reply.slice(at, at + size) };
        }
        yield { type: 'finish', reason: 'stop' };
        yield { type: 'usage', usage: { inputTokens: 11, outputTokens: 7 } };
      }
    },
  };
}

interface RunOptions {
  replies: readonly Reply[];
  /** The replies of further upstreams, `node-1` and so on; the first is `node-0`. */
  others?: readonly (readonly Reply[])[];
  upstream?: Partial<Upstream>;
  body?: object;
  bridge?: Partial<ResponderOptions>;
  exchange?: Partial<ExchangeInfo> & { traceparent?: string };
  model?: { name: string; upstream: string; dialect?: string } | undefined;
  left?: boolean;
}

const modelAsked = { name: 'wise', upstream: 'local', dialect: 'hermes' };

/** Sends one Chat request with the watchers of the gateway. Gives the answer the client got. */
export async function run(watcher: Watcher, options: RunOptions): Promise<string> {
  const { replies, others, upstream, body = {}, bridge, exchange, left } = options;
  const watch = watcher.begin({ id: 'req_1', api: 'chat', ...exchange });
  watch?.model?.(options.model ?? modelAsked);
  const upstreams = [replies, ...(others ?? [])].map((one, at) => {
    return { name: `node-${at}`, upstream: scripted(one, upstream) };
  });
  const respond = createResponder({
    ...(others ? { upstreams } : { upstream: scripted(replies, upstream) }),
    dialect: 'hermes',
    ...bridge,
    ...(watch?.event && { onEvent: (event) => watch.event?.(event) }),
  });
  const asked = { model: 'wise', messages: [{ role: 'user', content: 'Hi!' }], tools: [weather], ...body };
  const request = new Request('http://gateway/v1/chat/completions', {
    method: 'POST',
    body: JSON.stringify(asked),
  });
  const response = await respond(request);
  watch?.firstByte?.();
  const text = await response.text();
  const error = response.ok ? undefined : { code: 'upstream-failed', message: text };
  watch?.end?.({ status: response.status, ...(error && { error }), ...(left && { left }) });
  return text;
}
