// The `response` object: a whole answer, and the content of the first and last events of a stream.

import type { Extra, FinishReason, ModelRequest, Report, Usage } from '../../model/index.js';
import { isObject } from '../../model/index.js';
import { encodeSettings } from './encode-request.js';

export interface ResponseHead {
  id: string;
  model: string;
  created: number;
}

export interface ResponseState {
  status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
  /** The reason of an incomplete answer. */
  reason?: string;
  error?: { code: string; message: string };
  output: Extra[];
  usage?: Usage;
  report?: Report;
}

/** Gives the request's members that this API repeats in the answer, with defaults for those that are absent. */
export function echoOf(request: ModelRequest): Extra {
  const { model: _, stream: __, ...given } = encodeSettings(request);
  const over = (key: string) => given[key] ?? undefined;
  return {
    background: false,
    instructions: over('instructions') ?? null,
    max_output_tokens: over('max_output_tokens') ?? null,
    metadata: over('metadata') ?? {},
    parallel_tool_calls: over('parallel_tool_calls') ?? true,
    previous_response_id: over('previous_response_id') ?? null,
    reasoning: { effort: null, summary: null, ...objectOf(given.reasoning) },
    store: over('store') ?? false,
    temperature: over('temperature') ?? null,
    text: { format: { type: 'text' }, ...objectOf(given.text) },
    tool_choice: over('tool_choice') ?? 'auto',
    tools: over('tools') ?? [],
    top_p: over('top_p') ?? null,
    truncation: over('truncation') ?? 'disabled',
  };
}

function objectOf(value: unknown): Extra {
  return isObject(value) ? value : {};
}

export function responseObject(head: ResponseHead, echo: Extra, state: ResponseState): Extra {
  return {
    id: head.id,
    object: 'response',
    created_at: head.created,
    model: head.model,
    status: state.status,
    error: state.error ?? null,
    incomplete_details: state.reason === undefined ? null : { reason: state.reason },
    ...echo,
    output: state.output,
    usage: state.usage === undefined ? null : encodeUsage(state.usage),
    ...(state.report && { dragoman: state.report }),
  };
}

function encodeUsage(usage: Usage): Extra {
  return {
    input_tokens: usage.inputTokens,
    input_tokens_details: { cached_tokens: usage.cachedTokens ?? 0 },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
    total_tokens: usage.inputTokens + usage.outputTokens,
  };
}

/** Gives the status of an answer for its finish reason. */
export function endingOf(finish: FinishReason): Pick<ResponseState, 'status' | 'reason'> {
  if (finish === 'length') return { status: 'incomplete', reason: 'max_output_tokens' };
  if (finish === 'content-filter') return { status: 'incomplete', reason: 'content_filter' };
  return { status: 'completed' };
}
