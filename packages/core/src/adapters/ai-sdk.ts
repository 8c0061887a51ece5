// @dragoman/core/ai-sdk: a middleware for the Vercel AI SDK (provider specification v3, from `ai` 6 on).
//
//   const model = wrapLanguageModel({ model: provider('some-model'), middleware: dragomanMiddleware({ dialect: 'glm-4.5' }) })
//
// The SDK's own types are not imported, so that no version of it is tied to ours.

import { type AskOptions, collectAnswer, createAsk, toStream, type Upstream } from '../bridge/index.js';
import type { AnswerEvent, Message, ModelRequest, Usage } from '../index.js';
import { acceptConversation } from '../index.js';

// biome-ignore lint/suspicious/noExplicitAny: the shapes are the SDK's, and change with it.
type Loose = any;

export type AiSdkOptions = Omit<AskOptions, 'upstream'>;

export function dragomanMiddleware(options: AiSdkOptions = {}) {
  const ask = (params: Loose, model: Loose, stream: boolean) =>
    createAsk({ ...options, upstream: upstreamOf(params, model), mode: options.mode ?? 'emulate' })(
      requestOf(params, model.modelId, stream),
      { signal: params.abortSignal ?? new AbortController().signal },
    );
  return {
    specificationVersion: 'v3' as const,
    async wrapGenerate({ params, model }: Loose): Promise<Loose> {
      const { choices, usage, report } = await collectAnswer(ask(params, model, false));
      const content = (choices[0]?.parts ?? []).map((part) =>
        part.type === 'tool-call'
          ? { type: 'tool-call', toolCallId: part.id, toolName: part.name, input: part.raw ?? '{}' }
          : { type: part.type, text: part.text },
      );
      const finishReason = { unified: choices[0]?.finish ?? 'stop', raw: undefined };
      return {
        content,
        finishReason,
        usage: usageOf(usage),
        providerMetadata: { dragoman: { report } },
        warnings: [],
      };
    },
    wrapStream: async ({ params, model }: Loose): Promise<Loose> => ({
      stream: toStream(partsOf(ask(params, model, true))),
    }),
  };
}

function requestOf(params: Loose, model: string, stream: boolean): ModelRequest {
  const { prompt: messages, tools, toolChoice: tool_choice, temperature, topP, topK, seed } = params;
  const { maxOutputTokens: maxTokens, stopSequences: stop } = params;
  const settings = Object.entries({ maxTokens, temperature, topP, topK, seed, stop });
  return {
    model,
    conversation: acceptConversation({ messages, tools, tool_choice }),
    settings: Object.fromEntries(settings.filter(([, value]) => value !== undefined)),
    stream,
  };
}

/** The wrapped model, as an upstream: text in, text out; with its own tools where it is only healed. */
function upstreamOf(params: Loose, model: Loose): Upstream {
  return {
    takes: 'messages',
    tools: true,
    media: true,
    async *ask({ conversation }, { signal }): AsyncGenerator<AnswerEvent> {
      const native = conversation.tools.length > 0;
      const text = { prompt: conversation.messages.map(promptOf), tools: undefined, toolChoice: undefined };
      const changed = native ? {} : { ...text, stopSequences: undefined };
      const { stream } = await model.doStream({ ...params, ...changed, abortSignal: signal });
      yield { type: 'answer-start' };
      const started = new Set<string>();
      for await (const part of stream) yield* eventsOf(part, started);
    },
  };
}

function promptOf({ role, parts }: Message): Loose {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  if (role === 'system') return { role, content: text };
  const media = parts.flatMap((part) => (part.type === 'media' ? [part.media] : []));
  return { role, content: [...(text === '' ? [] : [{ type: 'text', text }]), ...media] };
}

function* eventsOf(part: Loose, started: Set<string>): Generator<AnswerEvent> {
  if (part.type === 'error') throw part.error;
  if (part.type === 'text-delta' || part.type === 'reasoning-delta')
    yield { type: part.type, text: part.delta };
  else if (part.type === 'tool-input-start') {
    started.add(part.id);
    yield { type: 'call-start', id: part.id, name: part.toolName };
  } else if (part.type === 'tool-input-delta') yield { type: 'call-delta', id: part.id, text: part.delta };
  else if (part.type === 'tool-call') {
    const { toolCallId: id, toolName: name, input: text } = part;
    if (!started.has(id))
      yield* [{ type: 'call-start', id, name } as const, { type: 'call-delta', id, text } as const];
    yield { type: 'call-end', id };
  } else if (part.type === 'finish') {
    const said = part.finishReason?.unified ?? part.finishReason;
    yield {
      type: 'finish',
      reason: ['length', 'tool-calls', 'content-filter'].includes(said) ? said : 'stop',
    };
    const { inputTokens, outputTokens } = part.usage ?? {};
    const usage = { inputTokens: inputTokens?.total, outputTokens: outputTokens?.total };
    if (usage.inputTokens !== undefined && usage.outputTokens !== undefined) yield { type: 'usage', usage };
  }
}

/** Events as the SDK's stream parts: blocks that open and close. */
async function* partsOf(events: AsyncIterable<AnswerEvent>): AsyncGenerator<Loose> {
  const calls = new Map<string, { toolName: string; input: string }>();
  const finish: Loose = { type: 'finish', finishReason: { unified: 'stop', raw: undefined } };
  let open = '';
  let count = 0;
  const turnTo = function* (kind: string) {
    if (kind === open) return;
    if (open !== '') yield { type: `${open}-end`, id: String(count++) };
    if (kind !== '') yield { type: `${kind}-start`, id: String(count) };
    open = kind;
  };
  yield { type: 'stream-start', warnings: [] };
  for await (const event of events) {
    if (event.type === 'text-delta' || event.type === 'reasoning-delta') {
      yield* turnTo(event.type === 'text-delta' ? 'text' : 'reasoning');
      yield { type: event.type, id: String(count), delta: event.text };
    } else if (event.type === 'call-start') {
      yield* turnTo('');
      calls.set(event.id, { toolName: event.name, input: '' });
      yield { type: 'tool-input-start', id: event.id, toolName: event.name };
    } else if (event.type === 'call-delta') {
      const call = calls.get(event.id);
      if (call) call.input += event.text;
      yield { type: 'tool-input-delta', id: event.id, delta: event.text };
    } else if (event.type === 'call-end') {
      yield { type: 'tool-input-end', id: event.id };
      yield { type: 'tool-call', toolCallId: event.id, ...calls.get(event.id) };
    } else if (event.type === 'finish') finish.finishReason.unified = event.reason;
    else if (event.type === 'usage') finish.usage = usageOf(event.usage);
    else if (event.type === 'report') finish.providerMetadata = { dragoman: { report: event.report } };
  }
  yield* turnTo('');
  yield finish;
}

function usageOf({ inputTokens, outputTokens, cachedTokens, reasoningTokens }: Usage): Loose {
  return {
    inputTokens: { total: inputTokens, noCache: undefined, cacheRead: cachedTokens, cacheWrite: undefined },
    outputTokens: { total: outputTokens, text: undefined, reasoning: reasoningTokens },
  };
}
