// @dragoman/core/ai-sdk: a middleware for the Vercel AI SDK (provider specification v3, from `ai` 6 on).
//
//   const model = wrapLanguageModel({ model: provider('some-model'), middleware: dragomanMiddleware({ dialect: 'glm-4.5' }) })
//
// The SDK's own types are not imported, so that no version of it is tied to ours.

import { type AskOptions, collectAnswer, createAsk, toStream, type Upstream } from '../bridge/index.js';
import type { AnswerEvent, Message, ModelRequest, Usage } from '../index.js';
import { acceptConversation } from '../index.js';
import { acceptToolsReport } from '../model/index.js';

// biome-ignore lint/suspicious/noExplicitAny: the shapes are the SDK's, and change with it.
type Loose = any;

export type AiSdkOptions = Omit<AskOptions, 'upstream'>;

/** What the wrapped model says beside its answer, to be said again as it is. */
interface Beside {
  warnings: Loose[];
  /** Sources, files, raw chunks, tools that ran at the provider. */
  parts: Loose[];
}

export function dragomanMiddleware(options: AiSdkOptions = {}) {
  const ask = (params: Loose, model: Loose, stream: boolean, beside: Beside) => {
    const request = requestOf(params, model.modelId, stream);
    for (const { path, type } of request.skippedTools ?? [])
      beside.warnings.push({ type: 'unsupported', feature: `${path}: a tool of the type ${type}` });
    return createAsk({
      ...options,
      upstream: upstreamOf(params, model, stream, beside),
      mode: options.mode ?? 'emulate',
    })(request, { signal: params.abortSignal ?? new AbortController().signal });
  };
  return {
    specificationVersion: 'v3' as const,
    async wrapGenerate({ params, model }: Loose): Promise<Loose> {
      const beside: Beside = { warnings: [], parts: [] };
      const { choices, usage, report } = await collectAnswer(ask(params, model, false, beside));
      const content = (choices[0]?.parts ?? []).map((part) =>
        part.type === 'tool-call'
          ? { type: 'tool-call', toolCallId: part.id, toolName: part.name, input: part.raw ?? '{}' }
          : { type: part.type, text: part.text },
      );
      return {
        content: [...content, ...beside.parts],
        finishReason: { unified: choices[0]?.finish ?? 'stop', raw: undefined },
        usage: usageOf(usage),
        providerMetadata: { dragoman: { report } },
        warnings: beside.warnings,
      };
    },
    async wrapStream({ params, model }: Loose): Promise<Loose> {
      const beside: Beside = { warnings: [], parts: [] };
      const over = new AbortController();
      const abortSignal = params.abortSignal
        ? AbortSignal.any([params.abortSignal, over.signal])
        : over.signal;
      const events = ask({ ...params, abortSignal }, model, true, beside)[Symbol.asyncIterator]();
      // An error before the first event is thrown here, where the SDK tries again.
      const first = await events.next();
      const parts = partsOf(first, events, beside);
      const next = () => parts.next();
      // Who leaves ends the model's work, also if nothing was read yet.
      const leave = async () => {
        over.abort();
        await events.return?.();
        return parts.return(undefined);
      };
      return { stream: toStream({ [Symbol.asyncIterator]: () => ({ next, return: leave }) }) };
    },
  };
}

function requestOf(params: Loose, model: string, stream: boolean): ModelRequest {
  const { prompt: messages, tools, toolChoice: tool_choice, temperature, topP, topK, seed } = params;
  const { maxOutputTokens: maxTokens, stopSequences: stop } = params;
  const settings = Object.entries({ maxTokens, temperature, topP, topK, seed, stop });
  const report = acceptToolsReport(tools);
  return {
    model,
    conversation: acceptConversation({ messages, tools: report.tools, tool_choice }),
    ...(report.skipped.length > 0 && { skippedTools: report.skipped }),
    settings: Object.fromEntries(settings.filter(([, value]) => value !== undefined)),
    stream,
  };
}

/** The wrapped model, as an upstream: text in, text out; with its own tools where it is only healed. */
function upstreamOf(params: Loose, model: Loose, stream: boolean, beside: Beside): Upstream {
  return {
    takes: 'messages',
    tools: true,
    media: true,
    async *ask({ conversation }, { signal }): AsyncGenerator<AnswerEvent> {
      const native = conversation.tools.length > 0;
      const text = { prompt: conversation.messages.map(promptOf), tools: undefined, toolChoice: undefined };
      const changed = native ? {} : { ...text, stopSequences: undefined };
      const call = { ...params, ...changed, abortSignal: signal };
      const parts = stream
        ? (await model.doStream(call)).stream
        : partsOfResult(await model.doGenerate(call));
      yield { type: 'answer-start' };
      const started = new Set<string>();
      for await (const part of parts) yield* eventsOf(part, started, beside);
    },
  };
}

/** A whole result as the parts of a stream. */
function partsOfResult({ content, warnings, ...rest }: Loose): Loose[] {
  const parts = content.map((part: Loose) =>
    part.type === 'text' || part.type === 'reasoning'
      ? { type: `${part.type}-delta`, id: '0', delta: part.text }
      : part,
  );
  return [{ type: 'stream-start', warnings }, ...parts, { type: 'finish', ...rest }];
}

function promptOf({ role, parts }: Message): Loose {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  if (role === 'system') return { role, content: text };
  const media = parts.flatMap((part) => (part.type === 'media' ? [fileOf(part.media)] : []));
  return { role, content: [...(text === '' ? [] : [{ type: 'text', text }]), ...media] };
}

/** What a tool gave back has other types than what a user says. */
function fileOf(media: Loose): Loose {
  const { type, data, url, filename } = media;
  const mediaType =
    media.mediaType ?? (String(type).startsWith('image') ? 'image/*' : 'application/octet-stream');
  const named = filename === undefined ? {} : { filename };
  if (type === 'image-url' || type === 'file-url')
    return { type: 'file', data: new URL(url), mediaType, ...named };
  return type === 'file' || data === undefined ? media : { type: 'file', data, mediaType, ...named };
}

const unsaid = ['text-start', 'text-end', 'reasoning-start', 'reasoning-end', 'tool-input-end'];

function* eventsOf(part: Loose, started: Set<string>, beside: Beside): Generator<AnswerEvent> {
  if (part.type === 'error') throw part.error;
  if (part.type === 'stream-start') beside.warnings.push(...(part.warnings ?? []));
  else if (part.type === 'text-delta' || part.type === 'reasoning-delta')
    yield { type: part.type, text: part.delta };
  else if (part.type === 'tool-input-start' && !part.providerExecuted) {
    started.add(part.id);
    yield { type: 'call-start', id: part.id, name: part.toolName };
  } else if (part.type === 'tool-input-delta') {
    if (started.has(part.id)) yield { type: 'call-delta', id: part.id, text: part.delta };
  } else if (part.type === 'tool-call' && !part.providerExecuted) {
    const { toolCallId: id, toolName: name, input: text } = part;
    if (!started.has(id))
      yield* [{ type: 'call-start', id, name } as const, { type: 'call-delta', id, text } as const];
    yield { type: 'call-end', id };
  } else if (part.type === 'finish') yield* endOf(part);
  else if (!unsaid.includes(part.type) && part.type !== 'tool-input-start') beside.parts.push(part);
}

function* endOf({ finishReason, usage: said = {} }: Loose): Generator<AnswerEvent> {
  const reason = finishReason?.unified ?? finishReason;
  yield {
    type: 'finish',
    reason: ['length', 'tool-calls', 'content-filter'].includes(reason) ? reason : 'stop',
  };
  const usage = { inputTokens: said.inputTokens?.total, outputTokens: said.outputTokens?.total };
  if (usage.inputTokens !== undefined && usage.outputTokens !== undefined) yield { type: 'usage', usage };
}

/** Events as the SDK's stream parts: blocks that open and close. */
async function* partsOf(
  first: IteratorResult<AnswerEvent>,
  rest: AsyncIterator<AnswerEvent>,
  beside: Beside,
): AsyncGenerator<Loose> {
  const calls = new Map<string, { toolName: string; input: string }>();
  const finish: Loose = {
    type: 'finish',
    finishReason: { unified: 'stop', raw: undefined },
    usage: usageOf({} as Usage),
  };
  let open = '';
  let count = 0;
  const turnTo = function* (kind: string) {
    if (kind === open) return;
    if (open !== '') yield { type: `${open}-end`, id: String(count++) };
    if (kind !== '') yield { type: `${kind}-start`, id: String(count) };
    open = kind;
  };
  const said = function* (event: AnswerEvent): Generator<Loose> {
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
  };
  yield { type: 'stream-start', warnings: beside.warnings };
  let next = first;
  try {
    for (; !next.done; next = await rest.next()) {
      yield* beside.parts.splice(0);
      yield* said(next.value);
    }
  } catch (error) {
    yield { type: 'error', error };
    finish.finishReason.unified = 'error';
  } finally {
    await rest.return?.();
  }
  yield* turnTo('');
  yield* beside.parts.splice(0);
  yield finish;
}

function usageOf({ inputTokens, outputTokens, cachedTokens, reasoningTokens }: Usage): Loose {
  return {
    inputTokens: { total: inputTokens, noCache: undefined, cacheRead: cachedTokens, cacheWrite: undefined },
    outputTokens: { total: outputTokens, text: undefined, reasoning: reasoningTokens },
  };
}
