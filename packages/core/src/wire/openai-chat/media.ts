// Writes images and files for the chat API. What it cannot express, or we do not know, passes unchanged.

import { readMedia } from '../media.js';
import { defined, stringOf } from '../values.js';

export function toChatMedia(value: unknown): unknown {
  const { kind, url, id, name, detail } = readMedia(value) ?? {};
  if (kind === 'image')
    return url === undefined ? value : { type: 'image_url', image_url: { url, ...defined({ detail }) } };
  const inline = url?.startsWith('data:') ? url : undefined;
  if (kind !== 'file' || (inline === undefined && id === undefined)) return value;
  return { type: 'file', file: defined({ file_data: inline, file_id: id, filename: name }) };
}

/** Writes the medium for the API; undefined if the API cannot express it without loss. */
export function losslessChatMedia(value: unknown): unknown {
  const written = toChatMedia(value);
  const [meant, read] = [readMedia(value), readMedia(written)];
  const type = stringOf(written, 'type');
  if (meant === undefined || read === undefined || (type !== 'image_url' && type !== 'file'))
    return undefined;
  return JSON.stringify(meant) === JSON.stringify(read) ? written : undefined;
}
