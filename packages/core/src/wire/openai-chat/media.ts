// Images and files in the chat API's spelling, out of that of the other APIs. What is not known passes as it is.

import { stringOf } from '../values.js';

export function toChatMedia(media: unknown): unknown {
  switch (stringOf(media, 'type')) {
    case 'image':
      return imageOf(sourceUrl(media)) ?? media;
    case 'input_image':
      return imageOf(stringOf(media, 'image_url'), stringOf(media, 'detail')) ?? media;
    case 'document':
      return fileOf({ file_data: dataUrl(media), filename: stringOf(media, 'title') }) ?? media;
    case 'input_file':
      return (
        fileOf({
          file_data: stringOf(media, 'file_data'),
          file_id: stringOf(media, 'file_id'),
          filename: stringOf(media, 'filename'),
        }) ?? media
      );
    default:
      return media;
  }
}

function imageOf(url: string | undefined, detail?: string): unknown {
  if (url === undefined) return undefined;
  return { type: 'image_url', image_url: { url, ...(detail !== undefined && { detail }) } };
}

function fileOf(file: Record<string, string | undefined>): unknown {
  if (file.file_data === undefined && file.file_id === undefined) return undefined;
  const given = Object.entries(file).filter(([, value]) => value !== undefined);
  return { type: 'file', file: Object.fromEntries(given) };
}

function sourceUrl(media: unknown): string | undefined {
  return stringOf(media, 'source', 'url') ?? dataUrl(media);
}

function dataUrl(media: unknown): string | undefined {
  const data = stringOf(media, 'source', 'data');
  const type = stringOf(media, 'source', 'media_type');
  const coded = stringOf(media, 'source', 'type') === 'base64';
  return coded && data !== undefined && type !== undefined ? `data:${type};base64,${data}` : undefined;
}
