// Reads the parts that a model of the AI SDK gives, from a stream or a whole result.

import type { AnswerEvent } from '../../model/index.js';
import type { Loose } from './loose.js';

const said = [
  'text-start',
  'text-end',
  'reasoning-start',
  'reasoning-end',
  'tool-input-start',
  'tool-input-end',
];

/**
 * `started`: the ids of calls whose start was given. `beside`: parts that do not belong to the answer (sources, files,
 * warnings) and are passed on unchanged.
 */
export function* decodePart(part: Loose, started: Set<string>, beside: Loose[]): Generator<AnswerEvent> {
  const { type, id, toolCallId = id, toolName: name, providerExecuted, finishReason, usage } = part;
  if (type === 'error') throw part.error;
  if (type === 'stream-start' && beside[0]) beside[0].warnings?.push(...(part.warnings ?? []));
  else if (type === 'text-delta' || type === 'reasoning-delta') yield { type, text: part.delta };
  else if (type === 'text') yield { type: 'text-delta', text: part.text };
  else if (type === 'reasoning') yield { type: 'reasoning-delta', text: part.text };
  else if (type === 'tool-input-start' && !providerExecuted) {
    started.add(id);
    yield { type: 'call-start', id, name };
  } else if (type === 'tool-input-delta') {
    if (started.has(id)) yield { type: 'call-delta', id, text: part.delta };
  } else if (type === 'tool-call' && !providerExecuted) {
    if (!started.has(toolCallId)) {
      yield { type: 'call-start', id: toolCallId, name };
      yield { type: 'call-delta', id: toolCallId, text: part.input };
    }
    yield { type: 'call-end', id: toolCallId };
  } else if (type === 'finish') {
    const reason = finishReason?.unified ?? finishReason;
    yield { type, reason: ['length', 'tool-calls', 'content-filter'].includes(reason) ? reason : 'stop' };
    const told = { inputTokens: usage?.inputTokens?.total, outputTokens: usage?.outputTokens?.total };
    if (told.inputTokens !== undefined && told.outputTokens !== undefined)
      yield { type: 'usage', usage: told };
  } else if (!said.includes(type)) beside.push(part);
}
