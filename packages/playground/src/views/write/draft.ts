// The conversation while it is edited: messages and parts of core, but JSON stays the text that is typed, so that it may
// be invalid for a while. The library reads it, and its errors give the place.

import {
  type Conversation,
  indentJson,
  type JsonValue,
  type MediaPart,
  type Message,
  parseExact,
  type ReasoningPart,
  stringifyJson,
  type TextPart,
  type ToolCall,
  type ToolChoice,
  type ToolResult,
} from '@dragoman/core';

export type DraftRole = Message['role'];

export type DraftText = TextPart | ReasoningPart;

/** `input` is JSON text. */
export type DraftCall = Omit<ToolCall, 'input' | 'raw'> & { input: string };

/** `json`: `output` is JSON text of a value that is no string. */
export type DraftResult = Omit<ToolResult, 'output'> & { output: string; json?: boolean };

/** Media are kept, but are in no prompt. */
export type DraftPart = DraftText | DraftCall | DraftResult | MediaPart;

export interface DraftMessage {
  role: DraftRole;
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

/** A problem of a draft with its path: `messages[2].parts[0].input`, or `tools…`. */
export interface DraftProblem {
  path: string;
  message: string;
}

/** Gives a request for `renderPrompt` and the like, with messages and parts at the same indexes as in the draft. */
export function toRequest(draft: Draft): { request: unknown } | { problem: DraftProblem } {
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

/** Turns a conversation into a draft, with all of its messages. */
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

/** Gives the definitions as they were declared, in OpenAI's shape, which vendors print. */
function toolsText(tools: Conversation['tools']): string {
  const sources = tools.map(({ source, name, description, parameters }) => {
    if (source !== undefined) return source;
    const inner: JsonValue = { name, ...(description !== undefined && { description }) };
    return { type: 'function', function: { ...inner, ...(parameters !== undefined && { parameters }) } };
  });
  return indentJson(sources, 2);
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

/** Gives a new part. */
export function emptyPart(type: DraftPart['type'], draft: Draft): DraftPart {
  if (type === 'tool-call') return { type, id: freshId(draft), name: firstTool(draft), input: '{}' };
  if (type === 'tool-result') return { type, callId: lastCall(draft), output: '' };
  return type === 'media' ? { type, media: null } : { type, text: '' };
}

export function emptyMessage(role: DraftRole, draft: Draft): DraftMessage {
  return { role, parts: [emptyPart(role === 'tool' ? 'tool-result' : 'text', draft)], open: true };
}

/** The parts that a message of this role may have. */
export const partsOfRole: Record<DraftRole, readonly DraftPart['type'][]> = {
  system: ['text'],
  user: ['text'],
  assistant: ['reasoning', 'text', 'tool-call'],
  tool: ['tool-result'],
};

/** Changes the role: parts that it does not allow become text, and text becomes a result in the role tool. */
export function withRole(message: DraftMessage, role: DraftRole, draft: Draft): DraftMessage {
  const parts = message.parts.map((part): DraftPart => {
    if (partsOfRole[role].includes(part.type) || (role === 'user' && part.type === 'media')) return part;
    const text = partText(part);
    return role === 'tool'
      ? { type: 'tool-result', callId: lastCall(draft), output: text }
      : { type: 'text', text };
  });
  return { ...message, role, parts };
}

/** Gives the main text of a part. */
export function partText(part: DraftPart): string {
  if (part.type === 'tool-call') return `${part.name}(${part.input})`;
  if (part.type === 'tool-result') return part.output;
  return part.type === 'media' ? '' : part.text;
}

function calls({ messages }: Draft): DraftCall[] {
  return messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-call'));
}

/** Gives the call that a new result most likely answers: the first without a result, or the last one. */
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

/** Gives the name of the first tool. Searches the text, since the tools may be invalid. */
function firstTool({ tools }: Draft): string {
  return /"name"\s{0,9}:\s{0,9}"([A-Za-z0-9_.:-]{1,128})"/.exec(tools)?.[1] ?? 'tool';
}

/** Estimates the characters of a draft: what a link or a worker has to carry. */
export function draftLength({ messages, tools }: Draft): number {
  let length = tools.length;
  for (const { parts } of messages) for (const part of parts) length += partText(part).length;
  return length;
}

/** Translates a path of the library, which names calls and results by their id, into one of the draft. */
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
