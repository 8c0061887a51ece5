// Images and files of the other APIs, in this one's spelling.

import { ApiError } from '../../model/index.js';
import { type Media, readMedia } from '../media.js';
import { defined, stringOf } from '../values.js';

export function toInputMedia(value: unknown, path: string): unknown {
  const type = stringOf(value, 'type');
  if (type === 'input_image' || type === 'input_file') return value;
  const media = readMedia(value);
  if (media !== undefined) return media.kind === 'image' ? toImage(media) : toFile(media);
  const kind = type === undefined ? 'this' : `'${type.slice(0, 40)}'`;
  const message = `${path}: ${kind} cannot be said in the Responses API: expected text, an image or a file`;
  throw new ApiError('unsupported-media', message, { path });
}

function toImage({ url, id, detail = 'auto' }: Media): unknown {
  return { type: 'input_image', ...defined({ image_url: url, file_id: id }), detail };
}

function toFile({ url, id, name }: Media): unknown {
  const key = url?.startsWith('data:') ? 'file_data' : 'file_url';
  return { type: 'input_file', ...defined({ [key]: url, file_id: id, filename: name }) };
}
