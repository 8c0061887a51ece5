// How much of what an upstream got it had read before: the longest common prefix with an earlier request of the same key
// and model, and the text that came back. An upstream with a prefix cache reads only the rest.

import type { JsonValue } from '@dragoman/core';
import { commonPrefix, isObject } from '@dragoman/core/internal';
import type { AttemptRecord, PrefixRecord } from './inspector-shapes.js';

/** A request to an upstream, as far as it was kept. */
export interface SentRequest {
  id: string;
  attempt: Pick<AttemptRecord, 'sent' | 'text'>;
}

const SHOWN = 80;

/** `earlier`: the newest first. Undefined if none begins alike. */
export function stablePrefix(sent: SentRequest, earlier: readonly SentRequest[]): PrefixRecord | undefined {
  const text = textOf(sent.attempt);
  let best: PrefixRecord | undefined;
  for (const { id, attempt } of earlier) {
    const known = textOf(attempt) + attempt.text;
    const stable = commonPrefix(known, text);
    if (stable <= (best?.stable ?? 0)) continue;
    best = { of: id, sent: text.length, known: known.length, stable };
    if (stable < known.length) {
      best.was = known.slice(stable, stable + SHOWN);
      best.is = text.slice(stable, stable + SHOWN);
    }
  }
  return best;
}

/** Gives the prompt; or the messages behind each other, with the start of the answer. */
function textOf({ sent }: Pick<AttemptRecord, 'sent'>): string {
  if ('prompt' in sent) return sent.prompt;
  const tools = sent.tools ? `${JSON.stringify(sent.tools)}\n` : '';
  const messages = Array.isArray(sent.messages) ? sent.messages : [];
  return `${tools}${messages.map(messageText).join('')}assistant\n`;
}

function messageText(message: JsonValue): string {
  if (!isObject(message) || !Array.isArray(message.parts)) return '';
  const parts = message.parts.map((part) =>
    isObject(part) && typeof part.text === 'string' ? part.text : JSON.stringify(part),
  );
  return `${String(message.role)}\n${parts.join('')}\n`;
}
