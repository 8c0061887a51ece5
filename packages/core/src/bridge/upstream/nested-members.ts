// Members of messages, their parts and tools that only the client's API knows. An upstream that is asked in other words
// does not get them, and the report lists each once: `text.cache_control`, `message.name`. `item.web_search_call` is an
// item of which only a text tells (history/stand-ins.ts).

import { type Extra, isObject, type Message, type ModelRequest } from '../../model/index.js';

/** Members that say nothing to a model, or that are read elsewhere. */
const silent = new Set(['dragoman:notes', 'id', 'status', 'type', 'role', 'strict']);

/** Members of media and documents that are read; the first hold others. */
const holders = ['source', 'image_url', 'input_audio', 'file'];
const read = new Set([
  ...['title', 'content', 'text', 'data', 'url', 'format', 'media_type', 'filename'],
  ...['file_data', 'file_id', 'file_url', ...holders],
]);

export function nestedMembers({ conversation: { messages, tools } }: ModelRequest): string[] {
  const names = new Set<string>();
  for (const { extra, freeform } of tools) addNames(names, 'tool', freeform ? withoutFormat(extra) : extra);
  for (const message of messages) {
    addNames(names, 'message', message.extra);
    for (const part of message.parts) addPart(names, part);
  }
  return [...names];
}

/** The format of a freeform tool is taught, or enforced. */
function withoutFormat({ format: _, ...extra }: Extra = {}): Extra {
  return extra;
}

function addPart(names: Set<string>, part: Message['parts'][number]): void {
  if (part.type === 'media') addMedia(names, part.media);
  if (part.extra === undefined) return;
  const { item, content, ...extra } = part.extra;
  if (typeof item === 'string') names.add(`item.${item}`);
  if (part.type === 'tool-result' && Array.isArray(content))
    for (const block of content) addMedia(names, block);
  addNames(names, part.type, part.type === 'reasoning' ? withoutSummary(extra) : extra);
}

/** The text of a reasoning is its summary, or what its summary is of. */
function withoutSummary({ summary: _, ...extra }: Extra): Extra {
  return extra;
}

function addMedia(names: Set<string>, media: unknown): void {
  if (!isObject(media)) return;
  const owner = typeof media.type === 'string' ? media.type : 'media';
  for (const [name, value] of Object.entries(media)) {
    if (!read.has(name)) addNames(names, owner, { [name]: value });
    else if (holders.includes(name)) addMedia(names, value);
    else if (name === 'content' && Array.isArray(value)) for (const block of value) addMedia(names, block);
  }
}

function addNames(names: Set<string>, owner: string, extra: Extra | undefined): void {
  if (extra === undefined) return;
  for (const [name, value] of Object.entries(extra))
    if (!silent.has(name) && !isEmpty(value)) names.add(`${owner}.${name}`);
}

/** Whether a value holds nothing that could be lost. */
function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}
