// @dragoman/core/ai-sdk: a middleware for the Vercel AI SDK (provider specification v3, from `ai` 6 on).
//
//   const model = wrapLanguageModel({ model: provider('some-model'), middleware: dragomanMiddleware({ dialect: 'glm-4.5' }) })
//
// The SDK's own types are not imported, so that this module does not depend on a version of it.

import { type AskOptions, collectAnswer, createAsk, type Upstream } from '../bridge/index.js';
import { acceptConversation, acceptToolsReport, type ModelRequest } from '../model/index.js';
import { decodePart, decodePrompt, encodeParts, encodePromptMessage, encodeResult } from '../wire/ai-sdk.js';

// biome-ignore lint/suspicious/noExplicitAny: the shapes are the SDK's, and change with it.
type Loose = any;

export type AiSdkOptions = Omit<AskOptions, 'upstream'>;

/** One call of the wrapped model. `beside` gathers what comes with its answer: sources, files, warnings. */
interface WrappedCall {
  params: Loose;
  model: Loose;
  stream: boolean;
  beside: Loose[];
}

export function dragomanMiddleware(options: AiSdkOptions = {}) {
  const { mode = 'auto' } = options;
  const emulates = mode === 'auto' || mode === 'emulate';
  // A model that is asked with tools gets the SDK's own prompt, to the letter.
  const exact = emulates ? {} : { history: 'exact' as const, roles: 'as-is' as const };
  const settled = { ...options, mode, ...exact };
  const ask = (call: WrappedCall, over: AbortSignal) => {
    const { abortSignal = over } = call.params;
    const context = { signal: AbortSignal.any([abortSignal, over]) };
    return createAsk({ ...settled, upstream: upstreamOf(call) })(requestOf(call), context);
  };
  return {
    specificationVersion: 'v3' as const,
    async wrapGenerate({ params, model }: Loose): Promise<Loose> {
      const beside: Loose[] = [];
      const events = ask({ params, model, stream: false, beside }, new AbortController().signal);
      return encodeResult(await collectAnswer(events), beside);
    },
    async wrapStream({ params, model }: Loose): Promise<Loose> {
      const beside: Loose[] = [];
      const over = new AbortController();
      // An error before the first event is thrown here, where the SDK retries.
      const events = await begun(ask({ params, model, stream: true, beside }, over.signal));
      return { stream: toStream(encodeParts(events, beside), () => over.abort()) };
    },
  };
}

function requestOf({ params, model, stream, beside }: WrappedCall): ModelRequest {
  const { prompt: messages, toolChoice: tool_choice, temperature, topP, topK, seed } = params;
  const { maxOutputTokens: maxTokens, stopSequences: stop } = params;
  const settings = Object.entries({ maxTokens, temperature, topP, topK, seed, stop });
  const { tools, skipped: skippedTools } = acceptToolsReport(params.tools);
  const warnings = skippedTools.map(({ path, type }) => ({
    type: 'unsupported',
    feature: `${path}: ${type}`,
  }));
  beside.push({ type: 'stream-start', warnings });
  return {
    model: model.modelId,
    conversation: decodePrompt(messages, (readable) =>
      acceptConversation({ messages: readable, tools, tool_choice }),
    ),
    skippedTools,
    settings: Object.fromEntries(settings.filter(([, value]) => value !== undefined)),
    stream,
    ...formatOf(params.responseFormat),
  };
}

function formatOf(given: Loose): Pick<ModelRequest, 'format'> {
  if (given?.type !== 'json') return {};
  const { type, schema, name, description } = given;
  return { format: schema ? { type: 'json-schema', schema, name, description } : { type } };
}

/** Makes the wrapped model an upstream: text in and out, or with its native tools in the mode `heal`. */
function upstreamOf({ params, model, stream, beside }: WrappedCall): Upstream {
  return {
    takes: 'messages',
    media: true,
    formats: ['json', 'json-schema'],
    async *ask({ conversation: { messages, tools }, format }, { signal: abortSignal }) {
      const text = { tools: undefined, toolChoice: undefined, stopSequences: undefined };
      const changed = tools.length > 0 ? {} : { ...text, prompt: messages.map(encodePromptMessage) };
      const responseFormat = format ? params.responseFormat : undefined;
      const call = { ...params, ...changed, responseFormat, abortSignal };
      const result = stream ? await model.doStream(call) : await model.doGenerate(call);
      const { content = [], warnings } = result;
      yield { type: 'answer-start' };
      const started = new Set<string>();
      const whole = [{ type: 'stream-start', warnings }, ...content, { ...result, type: 'finish' }];
      for await (const part of result.stream ?? whole) yield* decodePart(part, started, beside);
    },
  };
}

/** Waits for the first item, so that an error before it is thrown here. The result can be iterated once. */
async function begun<T>(items: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const iterator = items[Symbol.asyncIterator]();
  let first: IteratorResult<T> | undefined = await iterator.next();
  const next = async (): Promise<IteratorResult<T>> => {
    const result = first ?? (await iterator.next());
    first = undefined;
    return result;
  };
  const leave = async (): Promise<IteratorResult<T>> =>
    (await iterator.return?.()) ?? { done: true, value: undefined };
  return { [Symbol.asyncIterator]: () => ({ next, return: leave }) };
}

/** Makes a web stream of the items, read only as fast as it is consumed (backpressure). */
function toStream<T>(items: AsyncIterable<T>, onCancel = () => {}): ReadableStream<T> {
  const iterator = items[Symbol.asyncIterator]();
  return new ReadableStream<T>(
    {
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        onCancel();
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
