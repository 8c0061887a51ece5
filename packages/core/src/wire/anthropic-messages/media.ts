// Images and files. This API's own blocks pass as they are; OpenAI's are put into its words; what it has no word
// for is refused, with its place.

import { ApiError } from '../../model/index.js';
import { memberOf, stringOf } from '../values.js';

const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];
const nativeTypes = ['image', 'document', 'search_result', 'container_upload'];

/** `own`: it came by this API, so that a type we do not know is one the API does. */
export function encodeMedia(media: unknown, path: string, own: boolean): unknown {
  switch (stringOf(media, 'type')) {
    case 'image_url': // chat: {image_url: {url}}
    case 'input_image': // responses: {image_url}
      return imageBlock(stringOf(media, 'image_url', 'url') ?? stringOf(media, 'image_url'), path);
    case 'input_file': // responses: {file_data | file_url, filename}
      return fileBlock(media, path);
    case 'file': // chat: {file: {file_data, filename}}
      if (memberOf(media, 'file') !== undefined) return fileBlock(memberOf(media, 'file'), path);
  }
  if (own || isNative(media)) return media;
  throw unsupported(path, `a part of the type ${JSON.stringify(stringOf(media, 'type') ?? 'unknown')}`);
}

function isNative(media: unknown): boolean {
  const type = stringOf(media, 'type') ?? '';
  return nativeTypes.includes(type) && (type !== 'image' || memberOf(media, 'source') !== undefined);
}

function imageBlock(url: string | undefined, path: string): unknown {
  const source = url === undefined ? undefined : sourceOf(url);
  if (source === undefined) throw unsupported(path, 'an image that is neither at an http address nor base64');
  if (source.type === 'base64' && !imageTypes.includes(source.media_type)) {
    throw unsupported(path, `an image of the type ${JSON.stringify(source.media_type)}`);
  }
  return { type: 'image', source };
}

function fileBlock(file: unknown, path: string): unknown {
  const url = stringOf(file, 'file_data') ?? stringOf(file, 'file_url');
  const source = url === undefined ? undefined : sourceOf(url);
  if (source === undefined) throw unsupported(path, 'a file that is neither at an http address nor base64');
  if (source.type === 'base64' && imageTypes.includes(source.media_type)) return { type: 'image', source };
  if (source.type === 'base64' && source.media_type !== 'application/pdf') {
    throw unsupported(path, `a file of the type ${JSON.stringify(source.media_type)}`);
  }
  const title = stringOf(file, 'filename');
  return { type: 'document', source, ...(title !== undefined && { title }) };
}

type Source = { type: 'base64'; media_type: string; data: string } | { type: 'url'; url: string };

/** `data:image/png;base64,…`, or an address that the provider fetches. */
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
