// The AI SDK's own shapes (provider specification v3, from `ai` 6 on): its prompts, parts and results.

import type { Answer, AnswerEvent, AssistantMessage, Conversation, Message, Usage } from '../model/index.js';
import { isObject } from '../model/index.js';
import { readArguments } from './call-arguments.js';
import { toBlocks } from './to-blocks.js';

// biome-ignore lint/suspicious/noExplicitAny: the shapes are the SDK's, and change with it. Its types are not imported.
type Loose = any;

/**
 * Reads a prompt. The SDK repeats the input of an invalid call as the text that the model wrote: it is made readable
 * for `accept`, and kept as `broken`.
 */
export function decodePrompt(prompt: Loose[], accept: (prompt: Loose[]) => Conversation): Conversation {
  const broken: (string | undefined)[] = [];
  const readable = (part: Loose) => {
    if (part?.type !== 'tool-call') return part;
    const given = isObject(part.input) ? undefined : readArguments(part.input ?? '');
    broken.push(given?.broken);
    return given === undefined ? part : { ...part, input: given.raw };
  };
  const conversation = accept(
    prompt.map((message) =>
      Array.isArray(message?.content) ? { ...message, content: message.content.map(readable) } : message,
    ),
  );
  const calls = conversation.messages.flatMap(({ parts }) =>
    (parts as AssistantMessage['parts']).filter((part) => part.type === 'tool-call'),
  );
  for (const [at, call] of calls.entries()) {
    const text = broken[at];
    if (text !== undefined) call.broken = text;
  }
  return conversation;
}

/** Parts that only mark where others begin or end. */
const marks = [
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
  } else if (!marks.includes(type)) beside.push(part);
}

export function encodeResult({ choices, usage, report }: Answer, beside: Loose[]): Loose {
  const { parts = [], finish = 'stop' } = choices[0] ?? {};
  return {
    content: [...parts.map(contentOf), ...beside.filter(({ type }) => type !== 'stream-start')],
    warnings: beside.flatMap(({ warnings }) => warnings ?? []),
    ...endOf(finish, usage, report),
  };
}

const contentOf = (part: AssistantMessage['parts'][number]): Loose =>
  part.type === 'tool-call' ? callOf(part.id, part.name, part.raw) : { type: part.type, text: part.text };

const callOf = (toolCallId: string, toolName: string, input = '{}') => ({
  type: 'tool-call',
  toolCallId,
  toolName,
  input,
});

export async function* encodeParts(
  events: AsyncIterable<AnswerEvent>,
  beside: Loose[],
): AsyncGenerator<Loose> {
  const end: Loose = { reason: 'stop' };
  try {
    for await (const event of toBlocks(events)) {
      yield* beside.splice(0);
      if (event.type === 'block-delta')
        yield { type: `${event.kind}-delta`, id: event.id, delta: event.text };
      else if ('kind' in event) yield { type: event.type.replace('block', event.kind), id: event.id };
      else if (event.type === 'call-start')
        yield { ...event, type: 'tool-input-start', toolName: event.name };
      else if (event.type === 'call-delta') yield { ...event, type: 'tool-input-delta', delta: event.text };
      else if (event.type === 'call-end') {
        yield { type: 'tool-input-end', id: event.id };
        yield callOf(event.id, event.name, event.raw);
      } else Object.assign(end, event);
    }
  } catch (error) {
    yield { type: 'error', error };
    end.reason = 'error';
  }
  yield* beside.splice(0);
  yield { type: 'finish', ...endOf(end.reason, end.usage, end.report) };
}

function endOf(unified: string, usage?: Usage, report?: unknown): Loose {
  const inputTokens = { total: usage?.inputTokens, cacheRead: usage?.cachedTokens };
  const outputTokens = { total: usage?.outputTokens, reasoning: usage?.reasoningTokens };
  const providerMetadata = report === undefined ? undefined : { dragoman: { report } };
  return {
    finishReason: { unified, raw: undefined },
    usage: { inputTokens, outputTokens },
    providerMetadata,
  };
}

export function encodePromptMessage({ role, parts }: Message): Loose {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  if (role === 'system') return { role, content: text };
  const media = parts.flatMap((part) => (part.type === 'media' ? [fileOf(part.media)] : []));
  return { role, content: [...(text === '' ? [] : [{ type: 'text', text }]), ...media] };
}

/** Rewrites media of a tool result, which have other types than those in a user's message. */
function fileOf(media: Loose): Loose {
  if (media.type === 'file' || !(media.data ?? media.url)) return media;
  const type = String(media.type).startsWith('image') ? 'image/*' : 'application/octet-stream';
  const { mediaType = type, filename, url } = media;
  return { type: 'file', data: url ? new URL(url) : media.data, mediaType, ...(filename && { filename }) };
}
