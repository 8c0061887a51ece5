// The tiny model as an upstream of the bridge, in one dialect: it takes whole prompts where the dialect has one, else
// messages.

import { type AnswerEvent, ApiError, all, type Dialect, type RenderOptions } from '@dragoman/core';
import type { Upstream, UpstreamContext, UpstreamRequest } from '@dragoman/core/bridge';
import type { LocalModel, LocalRequest, PromptPiece, Sampling } from '@dragoman/local';
import { sharedTiny } from './load-tiny.js';
import { formOf, piecesOfMessages, piecesOfPrompt, renderingOf } from './prompt.js';
import { PromptTooLong } from './tiny-model.js';

export interface TinyUpstreamOptions {
  /** The dialect of the prompts that it gets. Default: hermes. */
  dialect?: Dialect;
  /** Gives the model, each time it is asked. Default: that of this package, which is loaded on first use. */
  model?: () => Promise<LocalModel>;
}

/** Gives the option `render` of the bridge with which prompts are spelled as the model was trained. */
export function tinyRender(dialect: Dialect): Pick<RenderOptions, 'short' | 'thinking'> {
  const { short, thinking } = renderingOf(formOf(dialect));
  return { ...(short !== undefined && { short }), ...(thinking !== undefined && { thinking }) };
}

export function createTinyUpstream(options: TinyUpstreamOptions = {}): Upstream {
  const { dialect = all.find('hermes'), model = sharedTiny } = options;
  return {
    takes: formOf(dialect),
    origins: true,
    tools: false,
    media: false,
    specialTokens: () => ({ state: 'asked', advice: 'the model writes them itself' }),
    ask: (request, context) => answer(request, context, model),
  };
}

async function* answer(
  request: UpstreamRequest,
  context: UpstreamContext,
  load: () => Promise<LocalModel>,
): AsyncGenerator<AnswerEvent> {
  const { signal } = context;
  const asked = localRequest(request, context);
  const model = await load().catch((error) => {
    throw new ApiError('upstream-failed', `The tiny model could not be loaded: ${messageOf(error)}`, {
      cause: error,
    });
  });
  signal.throwIfAborted();
  yield { type: 'answer-start' };
  try {
    for await (const event of model.generate(asked)) {
      if (event.type === 'text') yield { type: 'text-delta', text: event.text };
      else {
        yield { type: 'finish', reason: event.reason };
        yield { type: 'usage', usage: event.usage };
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof PromptTooLong)) throw error;
    throw new ApiError('context-too-long', `${error.message}.`, { path: 'messages', cause: error });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function localRequest(request: UpstreamRequest, { signal, onIgnored }: UpstreamContext): LocalRequest {
  const { settings, members = {}, extra = {} } = request;
  const given = { ...extra, ...members };
  for (const name of Object.keys(given)) if (!Object.hasOwn(numbers, name)) onIgnored?.(name);
  return {
    prompt: promptOf(request),
    sampling: samplingOf(settings, given),
    stop: settings.stop ?? [],
    ...(settings.maxTokens !== undefined && { maxTokens: settings.maxTokens }),
    signal,
  };
}

function promptOf({ prompt, spans, rendered }: UpstreamRequest): PromptPiece[] {
  if (prompt !== undefined && spans) return piecesOfPrompt({ text: prompt, spans });
  if (rendered) return piecesOfMessages({ messages: rendered });
  throw new ApiError('internal', 'the tiny model got a request without the origins of its text');
}

/** Members of a request that engines take for sampling, and what they are called here. */
const numbers: Readonly<Record<string, keyof Sampling>> = {
  min_p: 'minP',
  top_k: 'topK',
  presence_penalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
  repetition_penalty: 'repetitionPenalty',
  repeat_penalty: 'repetitionPenalty',
};

function samplingOf(settings: UpstreamRequest['settings'], given: Record<string, unknown>): Sampling {
  const { temperature, topP, topK, seed } = settings;
  const named = Object.entries(given).flatMap(([name, value]) => {
    const known = Object.hasOwn(numbers, name) ? numbers[name] : undefined;
    return known !== undefined && typeof value === 'number' ? [[known, value] as const] : [];
  });
  return {
    ...Object.fromEntries(named),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    ...(seed !== undefined && { seed }),
  };
}
