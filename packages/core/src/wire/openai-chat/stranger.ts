// A message that did not come by this API: what its `extra` says is for others, and texts that came in pieces are
// one text, which is all that many servers take.

import type { Message, TextPart } from '../../model/index.js';

export function toStrangerMessage(message: Message): Message {
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

/** One text before what is no text. Among media every text keeps its place. */
function joined<P extends { type: string }>(parts: P[], separator: string): (P | TextPart)[] {
  if (parts.some((part) => part.type === 'media')) return parts;
  const texts = parts.filter((part): part is P & TextPart => part.type === 'text');
  const said = texts.filter((part) => part.text !== '' && !part.aside).map((part) => part.text);
  const others = parts.filter((part) => part.type !== 'text');
  return said.length === 0 ? others : [{ type: 'text', text: said.join(separator) }, ...others];
}
