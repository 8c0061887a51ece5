// The demo model as an upstream. It reads the given messages as a model does, and writes its reply in small pieces, in
// the dialect of the tool instructions. It needs no key, no network and no configuration, and says that it is a demo.

import { type AnswerEvent, all, type Dialect, type Registry } from '@dragoman/core';
import {
  estimateTokens,
  type Upstream,
  type UpstreamContext,
  type UpstreamRequest,
} from '@dragoman/core/bridge';
import { chatLines, readRequest } from './read-request.js';
import { writeReply } from './write-reply.js';

export interface DemoOptions {
  /** The dialects it can read and write. Default: those of the library. */
  dialects?: Registry;
  /** Milliseconds before each piece. Default: `DRAGOMAN_DEMO_DELAY` of the environment, else 15. */
  delay?: number;
  /** Characters of a piece. Default 4. */
  pieces?: number;
}

const PREFIX = 'demo/';

export function createDemoUpstream(options: DemoOptions = {}): Upstream {
  return {
    takes: 'messages',
    tools: false,
    media: false,
    ask: (request, context) => answer(request, context, options),
  };
}

/** Gives the names of the models: `demo`, and one for each dialect of the registry. */
export function demoModels(dialects: Registry = all): string[] {
  return ['demo', ...dialects.dialects.map(({ name }) => PREFIX + name)];
}

/** Gives the dialect of a model's name; undefined for `demo`, which uses any. */
export function demoDialect(model: string, dialects: Registry = all): Dialect | undefined {
  return model.startsWith(PREFIX) ? dialects.find(model.slice(PREFIX.length)) : undefined;
}

async function* answer(
  { conversation, settings }: UpstreamRequest,
  { signal }: UpstreamContext,
  { delay = defaultDelay(), pieces = 4, dialects = all }: DemoOptions,
): AsyncGenerator<AnswerEvent> {
  signal.throwIfAborted();
  yield { type: 'answer-start' };
  const lines = chatLines(conversation);
  const whole = writeReply(readRequest(lines, dialects.dialects), settings.thinking === true);
  const text = cutAt(whole, settings.maxTokens);
  for (const piece of piecesOf(text, pieces)) {
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    signal.throwIfAborted();
    yield { type: 'text-delta', text: piece };
  }
  yield { type: 'finish', reason: text.length < whole.length ? 'length' : 'stop' };
  const inputTokens = estimateTokens(lines.map((line) => line.text).join('\n'));
  yield { type: 'usage', usage: { inputTokens, outputTokens: estimateTokens(text), estimated: true } };
}

/** Browsers and workers have no environment. */
function defaultDelay(): number {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const given = Number(process?.env?.DRAGOMAN_DEMO_DELAY || Number.NaN);
  return given >= 0 ? given : 15;
}

/** Cuts the text to about `maxTokens` tokens. */
function cutAt(text: string, maxTokens: number | undefined): string {
  if (maxTokens === undefined || estimateTokens(text) <= maxTokens) return text;
  const length = Math.floor((text.length * maxTokens) / estimateTokens(text));
  return text.slice(0, length).toWellFormed().replace('\ufffd', '');
}

/** Cuts the text into pieces of a few whole characters. */
function piecesOf(text: string, length: number): string[] {
  const characters = [...text];
  const count = Math.ceil(characters.length / length);
  return Array.from({ length: count }, (_, at) => characters.slice(at * length, (at + 1) * length).join(''));
}
