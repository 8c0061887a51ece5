// A scripted model for tests: it writes the given texts, in pieces.

import type { AnswerEvent, FinishReason } from '../../model/index.js';
import type { Upstream, UpstreamRequest } from './upstream.js';

export interface ScriptedText {
  text: string;
  finish?: FinishReason;
  reasoning?: string;
  usage?: { inputTokens: number; outputTokens: number };
  /** Thrown after the text. */
  error?: Error;
}

export interface ScriptedUpstream extends Upstream {
  /** The requests it got, in order. */
  readonly asked: UpstreamRequest[];
  /** Requests whose answer was not read to the end. */
  readonly aborted: number;
}

/** Answers each request with the next of these texts; the last one is repeated. */
export function scriptedUpstream(
  replies: readonly (string | ScriptedText)[],
  options: { pieces?: number; takes?: 'messages' | 'prompt'; media?: boolean; tools?: boolean } = {},
): ScriptedUpstream {
  const asked: UpstreamRequest[] = [];
  let aborted = 0;
  return {
    takes: options.takes ?? 'messages',
    tools: options.tools ?? false,
    media: options.media ?? false,
    asked,
    get aborted() {
      return aborted;
    },
    async *ask(request, { signal }): AsyncGenerator<AnswerEvent> {
      const reply = replies[Math.min(asked.length, replies.length - 1)] ?? '';
      asked.push(request);
      let whole = false;
      try {
        yield* write(typeof reply === 'string' ? { text: reply } : reply, options.pieces ?? 3, signal);
        whole = true;
      } finally {
        if (!whole) aborted++;
      }
    },
  };
}

async function* write(reply: ScriptedText, size: number, signal: AbortSignal): AsyncGenerator<AnswerEvent> {
  yield { type: 'answer-start' };
  if (reply.reasoning) yield { type: 'reasoning-delta', text: reply.reasoning };
  for (let at = 0; at < reply.text.length; at += size) {
    await Promise.resolve();
    signal.throwIfAborted();
    yield { type: 'text-delta', text: reply.text.slice(at, at + size) };
  }
  if (reply.error) throw reply.error;
  yield { type: 'finish', reason: reply.finish ?? 'stop' };
  if (reply.usage) yield { type: 'usage', usage: reply.usage };
}
