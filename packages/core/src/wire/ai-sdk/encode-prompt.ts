// Messages for a model of the AI SDK: its prompt.

import type { Message } from '../../model/index.js';
import type { Loose } from './loose.js';

export function encodePromptMessage({ role, parts }: Message): Loose {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  if (role === 'system') return { role, content: text };
  const media = parts.flatMap((part) => (part.type === 'media' ? [fileOf(part.media)] : []));
  return { role, content: [...(text === '' ? [] : [{ type: 'text', text }]), ...media] };
}

/** What a tool gave back has other types than what a user says. */
function fileOf(media: Loose): Loose {
  if (media.type === 'file' || !(media.data ?? media.url)) return media;
  const type = String(media.type).startsWith('image') ? 'image/*' : 'application/octet-stream';
  const { mediaType = type, filename, url } = media;
  return { type: 'file', data: url ? new URL(url) : media.data, mediaType, ...(filename && { filename }) };
}
