// A system message as text within a user's message, for upstreams that take system messages only at the front, or none:
//
//   <system_message id="5e1c90a7b2f4d368">
//   Answer in French from now on.
//   </system_message id="5e1c90a7b2f4d368">
//
// It stays at its place: moved to the front it would change what came before it, for the model and for its prompt cache.
// Text of users and tools may hold any tags, but never this id (docs/decisions/0037-late-system-messages.md).

import type {
  Message,
  SystemMessage,
  TextPart,
  ToolMessage,
  ToolResult,
  UserMessage,
} from '../../model/index.js';
import { keptBefore } from '../../wire/notes.js';

const TAG = 'system_message';

/** Gives the message as one of the user. Its parts keep their members; the first and the last get the frame. */
export function systemNote({ parts, extra }: SystemMessage, id: string): UserMessage {
  const framed: TextPart[] = parts.length > 0 ? [...parts] : [{ type: 'text', text: '' }];
  const [first] = framed as [TextPart];
  framed[0] = { ...first, text: `<${TAG} id="${id}">\n${first.text}` };
  const last = framed.at(-1) as TextPart;
  framed[framed.length - 1] = { ...last, text: `${last.text}\n</${TAG} id="${id}">` };
  return { role: 'user', parts: framed, ...keptBefore(extra) };
}

/** Gives the id of all notes of a conversation. It depends on the first message alone: it stays while others follow. */
export function noteId([first]: readonly Message[]): string {
  const text = first?.parts.map((part) => (part.type === 'text' ? part.text : part.type)).join('\n') ?? '';
  return hash(text, 0x811c9dc5) + hash(text, 0x9e3779b1);
}

/** FNV-1a with a seed, as eight hexadecimal digits. No secret: what users write of it is broken. */
function hash(text: string, seed: number): string {
  let state = seed;
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  return (state >>> 0).toString(16).padStart(8, '0');
}

/** Breaks the id with a hyphen where a user or a tool wrote it. Gives the same object where none did. */
export function withoutId<M extends UserMessage | ToolMessage>(message: M, id: string): M {
  const broken = `${id.slice(0, 8)}-${id.slice(8)}`;
  let changed = false;
  const parts = message.parts.map((part: M['parts'][number]) => {
    const clean = cleanPart(part, (text) => text.replaceAll(id, broken));
    changed ||= clean !== part;
    return clean;
  });
  return changed ? { ...message, parts } : message;
}

function cleanPart(part: UserMessage['parts'][number] | ToolResult, clean: (text: string) => string) {
  if (part.type === 'media') return part;
  if (part.type === 'text') {
    const text = clean(part.text);
    return text === part.text ? part : { ...part, text };
  }
  const json = JSON.stringify(part.output);
  const cleaned = clean(json);
  if (cleaned === json) return part;
  // The blocks as they came hold the id as well.
  const extra = part.extra && JSON.parse(clean(JSON.stringify(part.extra)));
  return { ...part, output: JSON.parse(cleaned), ...(extra && { extra }) };
}
