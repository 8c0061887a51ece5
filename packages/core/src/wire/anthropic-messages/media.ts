// Writes images and files. This API's own blocks pass unchanged; OpenAI's are rewritten; what the API cannot express is
// refused, with its path.

import { ApiError } from '../../model/index.js';
import { type TextDocument, textDocument } from '../../model/text-documents.js';
import { type Media, readMedia } from '../media.js';
import { defined, memberOf, stringOf } from '../values.js';

const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];
const nativeTypes = ['image', 'document', 'search_result', 'container_upload'];

/** `own`: it came by this API, so the API knows a type that we do not. */
export function encodeMedia(value: unknown, path: string, own: boolean): unknown {
  if (isNative(value)) return value;
  const document = textDocument(value);
  if (document !== undefined) return documentBlock(document);
  const media = readMedia(value);
  if (media !== undefined) return media.kind === 'image' ? imageBlock(media, path) : fileBlock(media, path);
  if (own) return value;
  throw unsupported(path, `a part of the type ${JSON.stringify(stringOf(value, 'type') ?? 'unknown')}`);
}

/** Writes the medium for the API; undefined if the API cannot express it without loss. */
export function losslessMedia(value: unknown): unknown {
  try {
    const block = encodeMedia(value, '', false);
    return JSON.stringify(readMedia(block)) === JSON.stringify(readMedia(value)) ? block : undefined;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

function isNative(media: unknown): boolean {
  const type = stringOf(media, 'type') ?? '';
  return nativeTypes.includes(type) && (type !== 'image' || memberOf(media, 'source') !== undefined);
}

function documentBlock({ title, text }: TextDocument): unknown {
  const source = { type: 'text', media_type: 'text/plain', data: text };
  return { type: 'document', source, ...defined({ title }) };
}

function imageBlock({ url }: Media, path: string): unknown {
  const source = url === undefined ? undefined : sourceOf(url);
  if (source === undefined) throw unsupported(path, 'an image that is neither at an http address nor base64');
  if (source.type === 'base64' && !imageTypes.includes(source.media_type)) {
    throw unsupported(path, `an image of the type ${JSON.stringify(source.media_type)}`);
  }
  return { type: 'image', source };
}

function fileBlock({ url, name }: Media, path: string): unknown {
  const source = url === undefined ? undefined : sourceOf(url);
  if (source === undefined) throw unsupported(path, 'a file that is neither at an http address nor base64');
  if (source.type === 'base64' && imageTypes.includes(source.media_type)) return { type: 'image', source };
  if (source.type === 'base64' && source.media_type !== 'application/pdf') {
    throw unsupported(path, `a file of the type ${JSON.stringify(source.media_type)}`);
  }
  return { type: 'document', source, ...defined({ title: name }) };
}

type Source = { type: 'base64'; media_type: string; data: string } | { type: 'url'; url: string };

/** Reads `data:image/png;base64,…`, or an address that the provider fetches. */
function sourceOf(url: string): Source | undefined {
  const start = url.slice(0, 8).toLowerCase();
  if (start.startsWith('https://') || start.startsWith('http://')) return { type: 'url', url };
  const comma = url.indexOf(',');
  const [type, ...more] = url.slice(5, comma).split(';');
  if (!start.startsWith('data:') || comma < 0 || more.at(-1)?.toLowerCase() !== 'base64') return undefined;
  return { type: 'base64', media_type: (type ?? '').toLowerCase(), data: url.slice(comma + 1) };
}

function unsupported(path: string, found: string): ApiError {
  const message = `${path}: the Messages API takes images (JPEG, PNG, GIF, WebP) and PDF files, not ${found}`;
  return new ApiError('unsupported-media', message, { path });
}
