// Finish reasons, in the words of the API and of its imitators.

import type { FinishReason } from '../../model/index.js';

const words: Record<FinishReason, string> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
};

const reasons = new Map<string, FinishReason>([
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['max_length', 'length'],
  ['model_length', 'length'],
  ['tool_calls', 'tool-calls'],
  ['tool_call', 'tool-calls'],
  ['tool_use', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['content_filter', 'content-filter'],
  ['safety', 'content-filter'],
  ['refusal', 'content-filter'],
]);

export function encodeFinish(reason: FinishReason): string {
  return words[reason];
}

/** Reads a finish reason. Every other word (`stop`, `eos`, `end_turn` …) means `stop`. Undefined if there is none. */
export function decodeFinish(word: unknown): FinishReason | undefined {
  if (typeof word !== 'string' || word === '') return undefined;
  return reasons.get(word.toLowerCase()) ?? 'stop';
}
