// The conversation while it is edited: our own messages and parts, but JSON stays the text a person types, so that
// it may be wrong for a while. The library reads it, and its errors name the place.

import {
  type Conversation,
  type JsonValue,
  type Message,
  parseExact,
  stringifyJson,
  type ToolChoice,
} from '@dragoman/core';

export type Role = Message['role'];

export interface DraftText {
  type: 'text' | 'reasoning';
  text: string;
  aside?: boolean;
  extra?: Record<string, unknown>;
}

export interface DraftCall {
  type: 'tool-call';
  id: string;
  name: string;
  /** JSON text. */
  input: string;
  extra?: Record<string, unknown>;
}

export interface DraftResult {
  type: 'tool-result';
  callId: string;
  name?: string;
  output: string;
  /** `output` is JSON text of a value that is no string. */
  json?: boolean;
  isError?: boolean;
  extra?: Record<string, unknown>;
}

/** What is no text: kept, and in no prompt. */
export interface DraftMedia {
  type: 'media';
  media: unknown;
  extra?: Record<string, unknown>;
}

export type DraftPart = DraftText | DraftCall | DraftResult | DraftMedia;

export interface DraftMessage {
  role: Role;
  parts: DraftPart[];
  /** Its fields are shown. */
  open?: boolean;
  extra?: Record<string, unknown>;
}

export interface Draft {
  messages: DraftMessage[];
  /** JSON text: a list of tools, in any shape the library takes. */
  tools: string;
  /** As it was imported: `none` hides the tools from the model. Default `auto`. */
  toolChoice?: ToolChoice;
}

/** What is wrong in a draft, and where: `messages[2].parts[0].input`, or `tools…`. */
export interface Problem {
  path: string;
  message: string;
}

/** A value for `renderPrompt` and its like; each message and part stands where it stands in the draft. */
export function toRequest(draft: Draft): { request: unknown } | { problem: Problem } {
  try {
    const tools = readJson(draft.tools, 'tools', []);
    const messages = draft.messages.map(({ role, parts, extra }, at) => ({
      role,
      parts: parts.map((part, index) => toPart(part, `messages[${at}].parts[${index}]`)),
      ...(extra && { extra }),
    }));
    return { request: { messages, tools, toolChoice: draft.toolChoice ?? 'auto' } };
  } catch (error) {
    if (error instanceof JsonProblem) return { problem: { path: error.path, message: error.message } };
    throw error;
  }
}

function toPart(part: DraftPart, path: string): unknown {
  if (part.type !== 'tool-result' || !part.json) return part;
  const { json: _, ...rest } = part;
  return { ...rest, output: readJson(part.output, `${path}.output`, null) };
}

class JsonProblem extends Error {
  constructor(
    readonly path: string,
    message: string,
  ) {
    super(message);
  }
}

function readJson(text: string, path: string, blank: JsonValue): unknown {
  if (text.trim() === '') return blank;
  try {
    return parseExact(text);
  } catch (error) {
    throw new JsonProblem(path, `This is no JSON. ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A conversation as a draft. Nothing of its messages is lost. */
export function fromConversation({ messages, tools, toolChoice }: Conversation): Draft {
  return {
    messages: messages.map(({ role, parts, extra }) => ({
      role,
      parts: parts.map(fromPart),
      ...(extra && { extra }),
    })),
    tools: toolsText(tools),
    ...(toolChoice !== 'auto' && { toolChoice }),
  };
}

/** The definitions as they arrived, in OpenAI's shape: what vendors print. */
function toolsText(tools: Conversation['tools']): string {
  const sources = tools.map(({ source, name, description, parameters }) => {
    if (source !== undefined) return source;
    const inner: JsonValue = { name, ...(description !== undefined && { description }) };
    return { type: 'function', function: { ...inner, ...(parameters !== undefined && { parameters }) } };
  });
  return sources.length === 0 ? '[]' : pretty(stringifyJson(sources, 'compact'));
}

/** Laid out for people. Done on the text: numbers keep their digits. */
export function pretty(json: string): string {
  let out = '';
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const character = json.charAt(at);
    if (character === '"') {
      const end = stringEnd(json, at);
      out += json.slice(at, end);
      at = end - 1;
    } else if (character === '{' || character === '[') {
      const closer = json.charAt(at + 1);
      if (closer === '}' || closer === ']') {
        out += character + closer;
        at++;
      } else out += `${character}${newLine(++depth)}`;
    } else if (character === '}' || character === ']') out += `${newLine(--depth)}${character}`;
    else if (character === ',') out += `,${newLine(depth)}`;
    else out += character === ':' ? ': ' : character;
  }
  return out;
}

const newLine = (depth: number) => `\n${'  '.repeat(depth)}`;

/** Behind the string that begins at `at`. */
export function stringEnd(json: string, at: number): number {
  let next = at + 1;
  while (next < json.length && json.charAt(next) !== '"') next += json.charAt(next) === '\\' ? 2 : 1;
  return Math.min(next + 1, json.length);
}

function fromPart(part: Message['parts'][number]): DraftPart {
  if (part.type === 'tool-call') {
    const { id, name, input, raw, extra } = part;
    const text = raw ?? stringifyJson(input, 'compact');
    return { type: 'tool-call', id, name, input: text, ...(extra && { extra }) };
  }
  if (part.type !== 'tool-result') return part;
  const { output, ...rest } = part;
  if (typeof output === 'string') return { ...rest, output };
  return { ...rest, output: stringifyJson(output, 'compact'), json: true };
}

/** A part as a new one begins. */
export function emptyPart(type: DraftPart['type'], draft: Draft): DraftPart {
  if (type === 'tool-call') return { type, id: freshId(draft), name: firstTool(draft), input: '{}' };
  if (type === 'tool-result') return { type, callId: lastCall(draft), output: '' };
  return type === 'media' ? { type, media: null } : { type, text: '' };
}

export function emptyMessage(role: Role, draft: Draft): DraftMessage {
  return { role, parts: [emptyPart(role === 'tool' ? 'tool-result' : 'text', draft)], open: true };
}

/** The parts that a message of this role may have. */
export const partsOfRole: Record<Role, readonly DraftPart['type'][]> = {
  system: ['text'],
  user: ['text'],
  assistant: ['reasoning', 'text', 'tool-call'],
  tool: ['tool-result'],
};

/** The same message with another role: what it may not hold there becomes text, and text becomes a result. */
export function withRole(message: DraftMessage, role: Role, draft: Draft): DraftMessage {
  const parts = message.parts.map((part): DraftPart => {
    if (partsOfRole[role].includes(part.type) || (role === 'user' && part.type === 'media')) return part;
    const text = partText(part);
    return role === 'tool'
      ? { type: 'tool-result', callId: lastCall(draft), output: text }
      : { type: 'text', text };
  });
  return { ...message, role, parts };
}

/** What is read first of a part. */
export function partText(part: DraftPart): string {
  if (part.type === 'tool-call') return `${part.name}(${part.input})`;
  if (part.type === 'tool-result') return part.output;
  return part.type === 'media' ? '' : part.text;
}

function calls({ messages }: Draft): DraftCall[] {
  return messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-call'));
}

/** The first call without a result, or the last one: what a new result most likely answers. */
function lastCall(draft: Draft): string {
  const answered = new Set<string>();
  for (const { parts } of draft.messages)
    for (const part of parts) if (part.type === 'tool-result') answered.add(part.callId);
  const all = calls(draft);
  return (all.find(({ id }) => !answered.has(id)) ?? all.at(-1))?.id ?? '';
}

function freshId(draft: Draft): string {
  const taken = new Set(calls(draft).map(({ id }) => id));
  let number = 1;
  while (taken.has(`call_${number}`)) number++;
  return `call_${number}`;
}

/** The name to begin with, found in the text so that tools that cannot be read are no obstacle. */
function firstTool({ tools }: Draft): string {
  return /"name"\s{0,9}:\s{0,9}"([A-Za-z0-9_.:-]{1,128})"/.exec(tools)?.[1] ?? 'tool';
}

/** Characters in it, about: what a link or a worker has to carry. */
export function draftLength({ messages, tools }: Draft): number {
  let length = tools.length;
  for (const { parts } of messages) for (const part of parts) length += partText(part).length;
  return length;
}

/** A path in the library's words as one in the draft: it names calls and results by their id. */
export function toDraftPath(path: string, { messages }: Draft): string {
  const [, list, quoted] = /^(calls|results)\[("[^"]*")\]/.exec(path) ?? [];
  if (list === undefined || quoted === undefined) return path;
  const isIt = (part: DraftPart) =>
    list === 'calls'
      ? part.type === 'tool-call' && JSON.stringify(part.id) === quoted
      : part.type === 'tool-result' && JSON.stringify(part.callId) === quoted;
  const message = messages.findIndex(({ parts }) => parts.some(isIt));
  if (message < 0) return path;
  return `messages[${message}].parts[${messages[message]?.parts.findIndex(isIt)}]`;
}
