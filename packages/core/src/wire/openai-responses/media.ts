// Images and files of the other APIs, in this one's spelling.

import { ApiError, type Extra } from '../../model/index.js';
import { toChatMedia } from '../openai-chat/media.js';
import { memberOf, stringOf } from '../values.js';

export function toInputMedia(media: unknown, path: string): unknown {
  const type = stringOf(media, 'type');
  if (type === 'input_image' || type === 'input_file') return media;
  const said = toChatMedia(media);
  const part = toImage(memberOf(said, 'image_url')) ?? toFile(memberOf(said, 'file'));
  if (part !== undefined) return part;
  const kind = type === undefined ? 'this' : `'${type.slice(0, 40)}'`;
  const message = `${path}: ${kind} cannot be said in the Responses API: expected text, an image or a file`;
  throw new ApiError('unsupported-media', message, { path });
}

/** `image_url` as {url, detail}, or as the address alone. */
function toImage(image: unknown): Extra | undefined {
  const url = typeof image === 'string' ? image : stringOf(image, 'url');
  if (url === undefined) return undefined;
  return { type: 'input_image', image_url: url, detail: stringOf(image, 'detail') ?? 'auto' };
}

function toFile(file: unknown): Extra | undefined {
  const members = ['file_data', 'file_id', 'filename'].flatMap((key) => {
    const value = stringOf(file, key);
    return value === undefined ? [] : [[key, value] as const];
  });
  return members.some(([key]) => key !== 'filename')
    ? { type: 'input_file', ...Object.fromEntries(members) }
    : undefined;
}
