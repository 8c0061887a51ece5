// Collects a streamed answer of the Chat Completions API chunk by chunk.

import type { JsonValue, Report } from '@dragoman/core';
import { isObject } from '@dragoman/core/internal';
import type { ShownCall } from '../../gateway/answer-view.jsx';

export interface StreamedAnswer {
  text: string;
  reasoning: string;
  calls: AnswerCall[];
  /** The `finish_reason`. */
  finish: string | undefined;
  usage: { input: number; output: number } | undefined;
  /** The report of the gateway: the member `dragoman`. */
  report: Report | undefined;
}

/** Its arguments are JSON text, as far as they have arrived. */
export type AnswerCall = Omit<ShownCall, 'complete'>;

export function emptyAnswer(): StreamedAnswer {
  return { text: '', reasoning: '', calls: [], finish: undefined, usage: undefined, report: undefined };
}

/** Gives a new answer with this chunk. */
export function withChunk(answer: StreamedAnswer, chunk: JsonValue): StreamedAnswer {
  if (!isObject(chunk)) return answer;
  const next = { ...answer };
  if (isObject(chunk.usage)) {
    const { prompt_tokens: input, completion_tokens: output } = chunk.usage;
    next.usage = { input: numberOf(input), output: numberOf(output) };
  }
  if (isObject(chunk.dragoman)) next.report = chunk.dragoman as unknown as Report;
  const choice = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
  if (!isObject(choice)) return next;
  if (typeof choice.finish_reason === 'string') next.finish = choice.finish_reason;
  if (isObject(choice.delta)) addDelta(next, choice.delta);
  return next;
}

function addDelta(answer: StreamedAnswer, delta: Record<string, unknown>): void {
  answer.text += stringOf(delta.content);
  answer.reasoning += stringOf(delta.reasoning_content);
  if (!Array.isArray(delta.tool_calls)) return;
  for (const piece of delta.tool_calls) {
    if (isObject(piece)) answer.calls = withPiece(answer.calls, piece);
  }
}

function withPiece(calls: AnswerCall[], piece: Record<string, unknown>): AnswerCall[] {
  const at = typeof piece.index === 'number' ? piece.index : calls.length;
  const called = isObject(piece.function) ? piece.function : {};
  const known = calls[at] ?? { id: '', name: '', arguments: '' };
  const next = {
    id: known.id + stringOf(piece.id),
    name: known.name + stringOf(called.name),
    arguments: known.arguments + stringOf(called.arguments),
  };
  return calls[at] ? calls.with(at, next) : [...calls, next];
}

const stringOf = (value: unknown) => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown) => (typeof value === 'number' ? value : 0);
