// Writes content and calls for the chat API, in requests and in rows.

import { freeformText } from '../../model/freeform.js';
import type { ExactValue, MediaPart, TextPart, ToolCall } from '../../model/index.js';
import type { Members, PartContext } from '../transcript-codec.js';

export interface ChatContext extends PartContext {
  /** Writes an image or a file; undefined if the API cannot express it. */
  media(value: unknown): unknown;
}

/** Writes one string or a list of parts; with `listed` always a list. `path` is that of the message. */
export function writeContent(
  parts: readonly (TextPart | MediaPart)[],
  listed: boolean,
  path: string,
  context: ChatContext,
): ExactValue {
  const text = listed ? undefined : asString(parts, context.own);
  if (text === undefined) {
    return parts.flatMap((part, at) => writePart(part, `${path}.parts[${at}]`, context));
  }
  if (!context.own) context.beside({}, parts[0]?.extra, `${path}.parts[0]`);
  return text;
}

/** Gives the text of parts that can be written as one string. */
function asString(parts: readonly (TextPart | MediaPart)[], own: boolean): string | undefined {
  const [only, second] = parts;
  if (only === undefined) return '';
  const plain = second === undefined && only.type === 'text';
  return plain && (!own || Object.keys(only.extra ?? {}).length === 0) ? only.text : undefined;
}

function writePart(part: TextPart | MediaPart, path: string, context: ChatContext): ExactValue[] {
  if (part.type === 'media') return writeMedia(part, path, context);
  const { text, extra } = part;
  if (context.own && text === '' && extra?.part !== undefined) return [extra.part as ExactValue];
  const refused = context.own && extra?.type === 'refusal';
  const members: Members = refused ? { type: 'refusal', refusal: text } : { type: 'text', text };
  context.beside(members, extra, path);
  return [members];
}

/** Writes an image or a file. In the API's own spelling its other members are already in `media`. */
function writeMedia({ media, extra }: MediaPart, path: string, context: ChatContext): ExactValue[] {
  const written = context.media(media);
  if (written === undefined) context.lose('media', path);
  if (!context.own) context.beside({}, extra, path);
  return written === undefined ? [] : [written as ExactValue];
}

/** `path` is where to report unknown members of the call. */
export function writeCall(call: ToolCall, path: string, context: PartContext): Members {
  const text = call.freeform ? freeformText(call) : undefined;
  const members: Members =
    text === undefined
      ? {
          id: call.id,
          type: 'function',
          function: { name: call.name, arguments: context.inputText(call) },
        }
      : { id: call.id, type: 'custom', custom: { name: call.name, input: text } };
  context.beside(members, call.extra, path);
  return members;
}

export function resultMembers(callId: string, content: ExactValue): Members {
  return { role: 'tool', tool_call_id: callId, content };
}
