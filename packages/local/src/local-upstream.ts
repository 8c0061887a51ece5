// A model of this process as an upstream of the bridge. The prompt is the dialect's own, or written by the chat template
// of the model; either way the model is told which text comes from outside.

import { type AnswerEvent, ApiError, type Dialect, type RenderedMessage } from '@dragoman/core';
import type { Upstream, UpstreamContext, UpstreamRequest } from '@dragoman/core/bridge';
import type { HeldGrammar, LocalModel, LocalRequest, PromptPiece, Sampling } from './local-model.js';
import { LocalModelError } from './local-model-error.js';
import { piecesOf } from './prompt/pieces.js';
import { type ChatTemplate, type TemplateMessage, templatePieces } from './prompt/template-pieces.js';

/** A model that is ready, until it is given back. */
export interface Lease {
  model: LocalModel;
  release(): void;
}

export interface LocalUpstreamOptions {
  dialect: Dialect;
  /** The model's own name, which chooses among the prompts of a dialect. */
  name: string;
  /** Renders the messages that teach the dialect. Absent: the model gets the dialect's whole prompt. */
  template?: ChatTemplate;
  /** Whether grammars hold calls and structured output. Default true. */
  grammar?: boolean;
  /** Whether the model reasons before it answers. Absent: if the dialect has reasoning. */
  reasons?: boolean;
  /** Waits for the model: until it is loaded, and until it is the client's turn. */
  lease(context: Pick<UpstreamContext, 'client' | 'signal'>): Promise<Lease>;
}

export function createLocalUpstream(options: LocalUpstreamOptions): Upstream {
  const { template, name, grammar = true, reasons } = options;
  return {
    takes: template ? 'messages' : 'prompt',
    origins: true,
    model: name,
    ...(reasons !== undefined && { reasons }),
    tools: false,
    media: false,
    specialTokens: () => ({ state: 'asked', advice: 'the model writes them itself' }),
    ...(template && { switchesThinking: () => template.template.includes('enable_thinking') }),
    ...(grammar && { grammar: 'gbnf' as const, beginnings: true }),
    ask: (request, context) => answer(request, context, options),
  };
}

async function* answer(
  request: UpstreamRequest,
  context: UpstreamContext,
  options: LocalUpstreamOptions,
): AsyncGenerator<AnswerEvent> {
  const { signal } = context;
  const prompt = promptOf(request, options);
  const opened = openedReasoning(prompt, options.dialect);
  const { model, release } = await options.lease(context).catch((error) => {
    throw asApiError(error);
  });
  try {
    signal.throwIfAborted();
    yield { type: 'answer-start' };
    // The bridge does not see what a template wrote: the answer is read as if the model had opened the reasoning.
    if (opened !== '' && options.template) yield { type: 'text-delta', text: opened };
    const asked = localRequest(request, context, prompt, options, opened);
    for await (const event of model.generate(asked)) {
      // Told with each piece: a bridge that has what it needs leaves before the end.
      if (event.held) context.onHeld?.();
      if (event.usage) yield { type: 'usage', usage: event.usage };
      if (event.type === 'text') yield { type: 'text-delta', text: event.text };
      else yield { type: 'finish', reason: event.reason };
    }
  } catch (error) {
    signal.throwIfAborted();
    throw asApiError(error);
  } finally {
    release();
  }
}

function promptOf(request: UpstreamRequest, { template }: LocalUpstreamOptions): PromptPiece[] {
  const { prompt, spans = [], rendered = [], settings } = request;
  if (prompt !== undefined) return piecesOf(prompt, spans);
  if (!template) throw new ApiError('internal', 'the model takes a prompt, and got messages');
  const { thinking } = settings;
  const options = thinking === undefined ? {} : { enable_thinking: thinking };
  return templatePieces(template, templateMessages(rendered), options);
}

/** Gives results the role `user`, and joins the user's text to them: templates refuse two such messages in a row. */
function templateMessages(rendered: readonly RenderedMessage[]): TemplateMessage[] {
  const messages: TemplateMessage[] = [];
  for (const [at, { role, content, spans }] of rendered.entries()) {
    const last = messages.at(-1);
    if (last && role === 'user' && rendered[at - 1]?.role === 'tool') {
      const start = last.text.length + JOINT.length;
      const moved = spans.map((span) => ({ ...span, start: span.start + start, end: span.end + start }));
      last.spans = [...last.spans, { start: last.text.length, end: start, origin: 'ours' }, ...moved];
      last.text += JOINT + content;
    } else messages.push({ role: role === 'tool' ? 'user' : role, text: content, spans });
  }
  return messages;
}

const JOINT = '\n\n';

/** Gives the opener of the reasoning, if the prompt ends with it. */
function openedReasoning(prompt: readonly PromptPiece[], { traits }: Dialect): string {
  const last = prompt.at(-1);
  const { open = '' } = traits.reasoning ?? {};
  return open !== '' && last?.origin === 'ours' && last.text.trimEnd().endsWith(open) ? open : '';
}

function endsReasoning(prompt: readonly PromptPiece[], { traits }: Dialect): boolean {
  const last = prompt.at(-1);
  const { close = '' } = traits.reasoning ?? {};
  return close !== '' && last?.origin === 'ours' && last.text.trimEnd().endsWith(close.trimEnd());
}

function localRequest(
  { settings, members = {}, extra = {} }: UpstreamRequest,
  { signal, onIgnored }: UpstreamContext,
  prompt: PromptPiece[],
  { dialect, template }: LocalUpstreamOptions,
  opened: string,
): LocalRequest {
  const given = { ...extra, ...members };
  const told = { opened, isTold: template === undefined, isThought: endsReasoning(prompt, dialect) };
  const grammar = heldGrammar(members, dialect, told);
  for (const name of Object.keys(given)) if (!taken.has(name)) onIgnored?.(name);
  return {
    prompt,
    sampling: samplingOf(settings, given),
    stop: settings.stop ?? [],
    ...(settings.maxTokens !== undefined && { maxTokens: settings.maxTokens }),
    ...(grammar && { grammar }),
    signal,
  };
}

/** Members of a request that this model takes. */
const taken = new Set([
  'grammar',
  'grammar_lazy',
  'grammar_triggers',
  'grammar_beginnings',
  'preserved_tokens',
  'min_p',
  'top_k',
  'presence_penalty',
  'frequency_penalty',
  'repetition_penalty',
  'repeat_penalty',
  'skip_special_tokens',
  'cache_prompt',
  'user',
  'metadata',
]);

function samplingOf(settings: UpstreamRequest['settings'], given: Record<string, unknown>): Sampling {
  const { temperature, topP, topK, seed } = settings;
  const number = (...names: string[]) => names.map((name) => given[name]).find(isNumber);
  const found: Record<keyof Sampling, number | undefined> = {
    temperature,
    topP,
    topK: topK ?? number('top_k'),
    minP: number('min_p'),
    seed,
    presencePenalty: number('presence_penalty'),
    frequencyPenalty: number('frequency_penalty'),
    repetitionPenalty: number('repetition_penalty', 'repeat_penalty'),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

interface Told {
  /** The opener of the reasoning with which the prompt ends. */
  opened: string;
  /** The bridge knows that it is open. */
  isTold: boolean;
  /** The prompt ends with the end of reasoning, behind which models leave lines blank. */
  isThought: boolean;
}

/** Reads the grammar that the bridge made, in the members that llama.cpp's server takes. */
function heldGrammar(
  {
    grammar,
    grammar_lazy: isLazy,
    grammar_triggers: triggers,
    grammar_beginnings: beginnings,
  }: Record<string, unknown>,
  { traits }: Dialect,
  { opened, isTold, isThought }: Told,
): HeldGrammar | undefined {
  if (typeof grammar !== 'string') return undefined;
  const blank = isThought && { blankFirst: true };
  if (isLazy !== true) return { gbnf: grammar, ...blank, ...(opened !== '' && !isTold && { begun: opened }) };
  const after = (triggers as { value: string }[]).map(({ value }) => value);
  const { reasoning } = traits;
  return {
    gbnf: grammar,
    after,
    ...(Array.isArray(beginnings) && { beginnings: beginnings as string[] }),
    ...(reasoning && {
      notWithin: { open: reasoning.open, close: reasoning.close, begun: opened !== '' },
    }),
  };
}

function asApiError(error: unknown): unknown {
  if (!(error instanceof LocalModelError)) return error;
  return new ApiError('upstream-failed', error.message, { retryable: false, cause: error });
}
