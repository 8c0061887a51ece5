// Writes an answer as one message. This API has one choice only: the first.

import type { Answer, AnswerChoice, AssistantMessage, FinishReason, Usage } from '../../model/index.js';
import { membersOf } from '../notes.js';
import type { EncodeContext } from '../wire.js';
import { callBlock, keptBlock, textBlock, thinkingBlock } from './blocks.js';

export function encodeResponse(answer: Answer, context: EncodeContext): Record<string, unknown> {
  const choice: AnswerChoice = answer.choices[0] ?? { parts: [], finish: 'stop' };
  return {
    id: answer.id,
    type: 'message',
    role: 'assistant',
    model: answer.model,
    content: choice.parts.flatMap(encodePart),
    ...encodeStop(choice.finish, choice.stopSequence),
    usage: encodeUsage(answer.usage),
    ...(context.report && answer.report && { dragoman: answer.report }),
  };
}

function encodePart(part: AssistantMessage['parts'][number]): unknown[] {
  if (part.type === 'tool-call') {
    return [callBlock(part.id, part.name, part.input)];
  }
  const kept = keptBlock(part);
  if (kept !== undefined) return [kept];
  if (part.type === 'text') return part.text === '' ? [] : [textBlock(part.text.toWellFormed())];
  const signature = signatureOf(part.extra);
  if (part.text === '' && signature === undefined) return [];
  return [{ ...thinkingBlock(part.text.toWellFormed()), signature: signature ?? '' }];
}

export function signatureOf(extra: AssistantMessage['extra']): string | undefined {
  const { signature } = membersOf(extra);
  return typeof signature === 'string' ? signature : undefined;
}

const reasons: Record<FinishReason, string> = {
  stop: 'end_turn',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  'content-filter': 'refusal',
};

export function encodeStop(finish: FinishReason, stopSequence: string | undefined): Record<string, unknown> {
  const atSequence = finish === 'stop' && stopSequence !== undefined;
  return {
    stop_reason: atSequence ? 'stop_sequence' : reasons[finish],
    stop_sequence: atSequence ? stopSequence : null,
  };
}

/** Writes the usage. `input_tokens` does not include the tokens read from a cache here. */
export function encodeUsage(usage: Usage): Record<string, unknown> {
  const { inputTokens, outputTokens, cachedTokens = 0, reasoningTokens } = usage;
  return {
    input_tokens: Math.max(0, inputTokens - cachedTokens),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cachedTokens,
    output_tokens: outputTokens,
    ...(reasoningTokens !== undefined && { output_tokens_details: { thinking_tokens: reasoningTokens } }),
  };
}
