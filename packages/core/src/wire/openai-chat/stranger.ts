// Prepares messages that came by another API. Their `extra` is dropped. Texts in several parts become one text, which
// is all that many servers take. Images in tool results move to a user message after the results, because results hold
// only text here.

import type { MediaPart, Message, TextPart } from '../../model/index.js';
import { resultMedia } from '../result-content.js';

export function toStrangerMessages(messages: readonly Message[]): Message[] {
  const out: Message[] = [];
  let lifted: MediaPart[] = [];
  const say = () => {
    if (lifted.length > 0) out.push({ role: 'user', parts: lifted });
    lifted = [];
  };
  for (const message of messages) {
    if (message.role !== 'tool') say();
    out.push(toStrangerMessage(message));
    if (message.role === 'tool') lifted.push(...message.parts.flatMap(resultMedia).map(toPart));
  }
  say();
  return out;
}

function toPart(media: unknown): MediaPart {
  return { type: 'media', media };
}

function toStrangerMessage(message: Message): Message {
  switch (message.role) {
    case 'tool':
      return { role: 'tool', parts: message.parts.map(withoutExtra) };
    case 'assistant':
      return { role: 'assistant', parts: joined(message.parts.map(withoutExtra), '') };
    case 'user':
      return { role: 'user', parts: joined(message.parts.map(withoutExtra), '\n') };
    case 'system':
      return { role: 'system', parts: joined(message.parts.map(withoutExtra), '\n') };
  }
}

function withoutExtra<P extends { extra?: unknown }>(part: P): P {
  const { extra: _, ...plain } = part;
  return plain as P;
}

/** Joins all texts into one, before the other parts. If there are media, every text keeps its place. */
function joined<P extends { type: string }>(parts: P[], separator: string): (P | TextPart)[] {
  if (parts.some((part) => part.type === 'media')) return parts;
  const texts = parts.filter((part): part is P & TextPart => part.type === 'text');
  const said = texts.filter((part) => part.text !== '' && !part.aside).map((part) => part.text);
  const others = parts.filter((part) => part.type !== 'text');
  return said.length === 0 ? others : [{ type: 'text', text: said.join(separator) }, ...others];
}
