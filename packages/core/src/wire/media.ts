// Reads images and files in the spelling of any API, the AI SDK or MCP, so that each API can write them in its own.

import { defined, stringOf } from './values.js';

export interface Media {
  kind: 'image' | 'file';
  /** `https://…` that the provider fetches, or `data:…;base64,…`. */
  url?: string;
  /** The id of a file that was uploaded to the provider before. */
  id?: string;
  name?: string;
  /** In which resolution the model looks at an image. */
  detail?: string;
}

/** Reads an image or a file; undefined if it has neither an address nor an id, or is of an unknown kind. */
export function readMedia(value: unknown): Media | undefined {
  const media = readers.get(stringOf(value, 'type') ?? '')?.(value);
  return media?.url === undefined && media?.id === undefined ? undefined : media;
}

type Read = (value: unknown) => Media;

const sdkFile: Read = (value) => ({
  kind: (mediaType(value) ?? '').startsWith('image/') ? 'image' : 'file',
  ...defined({ url: inlineUrl(value), name: stringOf(value, 'filename') }),
});

const readers: ReadonlyMap<string, Read> = new Map<string, Read>([
  // Messages: {source}. MCP: {data, mimeType}.
  ['image', (value) => ({ kind: 'image', ...defined({ url: sourceUrl(value) ?? inlineUrl(value) }) })],
  [
    'document',
    (value) => ({ kind: 'file', ...defined({ url: sourceUrl(value), name: stringOf(value, 'title') }) }),
  ],
  // Chat: {image_url: {url, detail}}, {file: {file_data, file_id, filename}}.
  ['image_url', chatImage],
  ['file', (value) => (stringOf(value, 'data') === undefined ? openaiFile(value, 'file') : sdkFile(value))],
  // Responses: {image_url, file_id, detail}, {file_data, file_url, file_id, filename}.
  ['input_image', inputImage],
  ['input_file', (value) => openaiFile(value)],
  // The AI SDK: {data, mediaType, filename}, {url}.
  ['media', sdkFile],
  ['file-data', sdkFile],
  ['image-data', (value) => ({ ...sdkFile(value), kind: 'image' })],
  ['image-url', (value) => ({ kind: 'image', ...defined({ url: stringOf(value, 'url') }) })],
  ['file-url', (value) => ({ kind: 'file', ...defined({ url: stringOf(value, 'url') }) })],
]);

function chatImage(value: unknown): Media {
  const url = stringOf(value, 'image_url', 'url') ?? stringOf(value, 'image_url');
  return { kind: 'image', ...defined({ url, detail: detailOf(value, 'image_url') }) };
}

function inputImage(value: unknown): Media {
  const [url, id] = ['image_url', 'file_id'].map((key) => stringOf(value, key));
  return { kind: 'image', ...defined({ url, id, detail: detailOf(value) }) };
}

/** `auto` means the same as no detail. */
function detailOf(value: unknown, ...at: string[]): string | undefined {
  const detail = stringOf(value, ...at, 'detail');
  return detail === 'auto' ? undefined : detail;
}

function openaiFile(value: unknown, ...at: string[]): Media {
  const of = (key: string) => stringOf(value, ...at, key);
  const url = of('file_data') ?? of('file_url');
  return { kind: 'file', ...defined({ url, id: of('file_id'), name: of('filename') }) };
}

/** Reads {source: {type: 'url', url}} or {source: {type: 'base64', media_type, data}}. */
function sourceUrl(value: unknown): string | undefined {
  const address = stringOf(value, 'source', 'url');
  const coded = stringOf(value, 'source', 'type') === 'base64';
  return (
    address ??
    (coded ? dataUrl(stringOf(value, 'source', 'media_type'), stringOf(value, 'source', 'data')) : undefined)
  );
}

function inlineUrl(value: unknown): string | undefined {
  return dataUrl(mediaType(value), stringOf(value, 'data'));
}

function mediaType(value: unknown): string | undefined {
  return stringOf(value, 'mediaType') ?? stringOf(value, 'mimeType');
}

function dataUrl(type: string | undefined, data: string | undefined): string | undefined {
  return type === undefined || data === undefined ? undefined : `data:${type};base64,${data}`;
}

/** Says in words what a medium is, for a model that cannot see it: `image/png, 34 KB`. */
export function describeMedia(value: unknown): string {
  const { kind, url, id, name } = readMedia(value) ?? {};
  const data = url?.startsWith('data:') ? url : undefined;
  const facts = [
    name,
    data?.slice(5, Math.max(5, data.indexOf(';'))) || undefined,
    data === undefined ? url : sizeText(bytesIn(data)),
    id,
  ];
  const told = facts.filter((fact) => fact !== undefined && fact !== '').map((fact) => fact?.slice(0, 200));
  const noun = kind ?? (stringOf(value, 'type') ?? 'part').slice(0, 40);
  return told.length === 0 ? noun : `${noun} (${told.join(', ')})`;
}

/** Counts the bytes of base64 in an address. */
function bytesIn(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return Math.floor((data.length - data.indexOf(',') - 1) * 0.75) - padding;
}

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 ** 2 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}
