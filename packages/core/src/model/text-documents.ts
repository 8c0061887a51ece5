// Documents and search results that are text, in the spellings of the APIs: a prompt can hold them, unlike other media.
//
//   Messages    {type: 'document', source: {type: 'text', data}, title}, {type: 'search_result', source, title, content}
//   Chat        {type: 'file', file: {file_data: 'data:text/plain;base64,…', filename}}
//   Responses   {type: 'input_file', file_data: 'data:text/plain;base64,…', filename}
//   AI SDK      {type: 'file' or 'media', data, mediaType: 'text/plain', filename};  MCP: {type: 'resource', resource}

import { type Fields, fieldsOf } from './fields.js';

export interface TextDocument {
  tag: 'document' | 'search_result';
  title?: string | undefined;
  /** Where it was found. */
  source?: string | undefined;
  text: string;
}

/** Undefined for media that is no text. Never throws. */
export function textDocument(value: unknown): TextDocument | undefined {
  const fields = fieldsOf(value);
  const type = fields?.get('type');
  const read = typeof type === 'string' ? readers.get(type) : undefined;
  return fields && read?.(fields);
}

/** Writes the document as a prompt holds it; undefined for media that is no text. */
export function documentText(value: unknown): string | undefined {
  const document = textDocument(value);
  if (document === undefined) return undefined;
  const { tag, title, source, text } = document;
  return `<${tag}${attribute('title', title)}${attribute('source', source)}>\n${text}\n</${tag}>`;
}

function attribute(name: string, value: string | undefined): string {
  return value === undefined ? '' : ` ${name}=${JSON.stringify(value)}`;
}

type Read = (fields: Fields) => TextDocument | undefined;

const inlineFile: Read = (fields) =>
  titled(decoded(mediaType(fields), stringIn(fields, 'data')), stringIn(fields, 'filename'));

const openaiFile: Read = (fields) =>
  titled(dataUrlText(stringIn(fields, 'file_data')), stringIn(fields, 'filename'));

const readers: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['document', (fields) => titled(sourceText(fieldsOf(fields.get('source'))), stringIn(fields, 'title'))],
  ['search_result', searchResult],
  ['input_file', openaiFile],
  ['file', (fields) => (fields.has('file') ? openaiFile(inner(fields, 'file')) : inlineFile(fields))],
  ['file-data', inlineFile],
  ['media', inlineFile],
  ['resource', (fields) => resource(inner(fields, 'resource'))],
]);

function titled(text: string | undefined, title: string | undefined): TextDocument | undefined {
  return text === undefined ? undefined : { tag: 'document', title, text };
}

function searchResult(fields: Fields): TextDocument | undefined {
  const text = blocksText(fields.get('content'));
  const [title, source] = ['title', 'source'].map((key) => stringIn(fields, key));
  return text === undefined ? undefined : { tag: 'search_result', title, source, text };
}

function resource(fields: Fields): TextDocument | undefined {
  const text = stringIn(fields, 'text');
  return text === undefined ? undefined : { tag: 'document', source: stringIn(fields, 'uri'), text };
}

/** Reads the source of a document: text, blocks of text, or text in base64. */
function sourceText(source: Fields | undefined): string | undefined {
  if (source === undefined) return undefined;
  const data = stringIn(source, 'data');
  if (source.get('type') === 'text') return data;
  if (source.get('type') === 'content') return blocksText(source.get('content'));
  return decoded(stringIn(source, 'media_type'), data);
}

/** Gives the texts of blocks; undefined if one is no text. */
function blocksText(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  const texts = content.map((block) => stringIn(fieldsOf(block) ?? new Map(), 'text'));
  return texts.includes(undefined) ? undefined : texts.join('\n');
}

/** Reads `data:text/plain;charset=utf-8;base64,…`. */
function dataUrlText(url: string | undefined): string | undefined {
  const comma = url?.indexOf(',') ?? -1;
  if (url === undefined || comma < 0 || url.slice(0, 5).toLowerCase() !== 'data:') return undefined;
  const [type, ...settings] = url.slice(5, comma).toLowerCase().split(';');
  return settings.at(-1) === 'base64' ? decoded(type, url.slice(comma + 1)) : undefined;
}

const textTypes = ['application/json', 'application/xml', 'application/yaml', 'application/javascript'];
const textEnds = ['+json', '+xml', '+yaml'];

function isText(type: string): boolean {
  return type.startsWith('text/') || textTypes.includes(type) || textEnds.some((end) => type.endsWith(end));
}

/** Decodes base64 of a text type; undefined if it is no UTF-8. */
function decoded(type: string | undefined, data: string | undefined): string | undefined {
  if (type === undefined || data === undefined || !isText(type.toLowerCase())) return undefined;
  try {
    const bytes = Uint8Array.from(atob(data), (byte) => byte.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function mediaType(fields: Fields): string | undefined {
  return stringIn(fields, 'mediaType') ?? stringIn(fields, 'mimeType');
}

function inner(fields: Fields, key: string): Fields {
  return fieldsOf(fields.get(key)) ?? new Map();
}

function stringIn(fields: Fields, key: string): string | undefined {
  const value = fields.get(key);
  return typeof value === 'string' ? value : undefined;
}
