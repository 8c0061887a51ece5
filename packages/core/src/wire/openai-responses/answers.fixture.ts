// Answers as events, and what becomes of them, for the tests of this folder.

import { createParser } from 'eventsource-parser';
import type { Answer, AnswerChoice, AnswerEvent, ModelRequest } from '../../model/index.js';
import type { EncodeContext } from '../wire.js';
import { decodeRequest } from './decode-request.js';
import { createStreamEncoder } from './encode-stream.js';

export const request = decodeRequest({
  model: 'm',
  input: 'hi',
  instructions: 'Be brief.',
  temperature: 0.5,
  metadata: { a: 'b' },
  text: { verbosity: 'low' },
  tools: [
    { type: 'function', name: 'read', parameters: { type: 'object' }, strict: false },
    { type: 'web_search' },
    { type: 'namespace', name: 'crm', description: '', tools: [{ type: 'function', name: 'find' }] },
  ],
});

export function contextFor(given: ModelRequest = request, report = false): EncodeContext {
  let count = 0;
  return { request: given, report, newId: (prefix) => `${prefix}${++count}` };
}

export function encodeAll(events: AnswerEvent[], context = contextFor()): string {
  const encoder = createStreamEncoder(context);
  return events.map((event) => encoder.encode(event)).join('') + encoder.end();
}

export interface Sent {
  event: string | undefined;
  data: Record<string, unknown>;
}

export function framesOf(stream: string): Sent[] {
  const sent: Sent[] = [];
  const parser = createParser({ onEvent: ({ event, data }) => sent.push({ event, data: JSON.parse(data) }) });
  parser.feed(stream);
  return sent;
}

/** The answer that events tell of. */
export function collect(events: AnswerEvent[]): Answer {
  const parts: AnswerChoice['parts'] = [];
  const calls = new Map<string, { id: string; name: string; raw: string }>();
  const answer: Answer = {
    id: 'resp_0',
    model: 'm',
    created: 7,
    usage: { inputTokens: 0, outputTokens: 0 },
    choices: [{ parts, finish: 'stop' }],
  };
  for (const event of events) {
    if (event.type === 'text-delta') parts.push({ type: 'text', text: event.text });
    if (event.type === 'reasoning-delta')
      parts.push({ type: 'reasoning', text: event.text, ...(event.extra && { extra: event.extra }) });
    if (event.type === 'call-start') calls.set(event.id, { id: event.id, name: event.name, raw: '' });
    if (event.type === 'call-delta') calls.get(event.id)!.raw += event.text;
    if (event.type === 'call-end') {
      const { id, name, raw } = calls.get(event.id)!;
      parts.push({ type: 'tool-call', id, name, raw, input: JSON.parse(raw) });
    }
    if (event.type === 'finish') answer.choices[0]!.finish = event.reason;
    if (event.type === 'usage') answer.usage = event.usage;
  }
  return answer;
}

/** Neighbouring deltas of one kind as one, without the ids of their items. */
export function coalesce(events: AnswerEvent[]): AnswerEvent[] {
  const out: AnswerEvent[] = [];
  for (const { ...event } of events) {
    const last = out.at(-1);
    if ('extra' in event) delete event.extra;
    if ('text' in event && event.text === '') continue;
    if (last !== undefined && 'text' in last && 'text' in event && last.type === event.type) {
      out[out.length - 1] = { ...last, text: last.text + event.text };
    } else out.push(event);
  }
  return out;
}

export const start: AnswerEvent = { type: 'answer-start', id: 'resp_0', model: 'm', created: 7 };
export const usage: AnswerEvent = {
  type: 'usage',
  usage: { inputTokens: 10, outputTokens: 4, cachedTokens: 2, reasoningTokens: 1 },
};
export const call = (id: string, ...texts: string[]): AnswerEvent[] => [
  { type: 'call-start', id, name: 'read' },
  ...texts.map((text): AnswerEvent => ({ type: 'call-delta', id, text })),
  { type: 'call-end', id },
];
export const text = (piece: string): AnswerEvent => ({ type: 'text-delta', text: piece });
export const finish = (reason: 'stop' | 'length' | 'tool-calls' | 'content-filter'): AnswerEvent => ({
  type: 'finish',
  reason,
});
