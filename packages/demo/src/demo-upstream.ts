// A stand-in for a model: a few rules that read the prompt they are given, as a model does, and write the reply in
// the prompt's own dialect, piece by piece. It needs no key, no network and no configuration, and says what it is.

import { type AnswerEvent, all, type Dialect, type Registry } from '@dragoman/core';
import {
  estimateTokens,
  type Upstream,
  type UpstreamContext,
  type UpstreamRequest,
} from '@dragoman/core/bridge';
import { decideReply } from './decide-reply.js';
import { readExchange } from './exchange.js';
import { readPrompt } from './read-prompt.js';
import { spellReply } from './spell-reply.js';

export interface DemoOptions {
  /** The dialects it can read and write. Default: those of the library. */
  dialects?: Registry;
  /** Milliseconds before each piece. Default 15. */
  delay?: number;
  /** Characters of a piece. Default 4. */
  pieces?: number;
  /** What it is given: messages, the default, or one prompt, as a completion endpoint is. */
  takes?: 'messages' | 'prompt';
}

const PREFIX = 'demo/';

export function createDemoUpstream(options: DemoOptions = {}): Upstream {
  return {
    takes: options.takes ?? 'messages',
    tools: false,
    media: false,
    ask: (request, context) => answer(request, context, options),
  };
}

/** `demo`, and one model a dialect. */
export function demoModels(dialects: Registry = all): string[] {
  return ['demo', ...dialects.dialects.map(({ name }) => PREFIX + name)];
}

/** The dialect that a model of this name is to be taught: none for `demo`, which speaks whichever it is. */
export function demoDialect(model: string, dialects: Registry = all): Dialect | undefined {
  return model.startsWith(PREFIX) ? dialects.find(model.slice(PREFIX.length)) : undefined;
}

async function* answer(
  request: UpstreamRequest,
  { signal }: UpstreamContext,
  { delay = 15, pieces = 4, dialects = all }: DemoOptions,
): AsyncGenerator<AnswerEvent> {
  signal.throwIfAborted();
  yield { type: 'answer-start' };
  const whole = write(request, dialects);
  const text = cutAt(whole, request.settings.maxTokens);
  for (const piece of piecesOf(text, pieces)) {
    await pause(delay, signal);
    yield { type: 'text-delta', text: piece };
  }
  yield { type: 'finish', reason: text.length < whole.length ? 'length' : 'stop' };
  const inputTokens = estimateTokens(promptText(request));
  yield { type: 'usage', usage: { inputTokens, outputTokens: estimateTokens(text), estimated: true } };
}

function write(request: UpstreamRequest, { dialects }: Registry): string {
  const reading = readPrompt(request, dialects);
  const exchange = readExchange(reading);
  const reply = decideReply(reading, exchange);
  return spellReply(reply, reading, { turn: exchange.said, thinking: request.settings.thinking === true });
}

/** About so many tokens of it. */
function cutAt(text: string, maxTokens: number | undefined): string {
  if (maxTokens === undefined || estimateTokens(text) <= maxTokens) return text;
  const length = Math.floor((text.length * maxTokens) / estimateTokens(text));
  return text.slice(0, length).toWellFormed().replace('\ufffd', '');
}

/** Whole characters, a few at a time. */
function* piecesOf(text: string, length: number): Generator<string> {
  let piece = '';
  for (const character of text) {
    piece += character;
    if (piece.length < length) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

function promptText({ prompt, conversation }: UpstreamRequest): string {
  if (prompt !== undefined) return prompt;
  const parts = conversation.messages.flatMap(
    (message) => message.parts as { type: string; text?: string }[],
  );
  return parts.map((part) => part.text ?? '').join('\n');
}

async function pause(time: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (time <= 0) return;
  await new Promise<void>((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', leave);
      resolve();
    }, time);
    signal.addEventListener('abort', leave, { once: true });
  });
}
