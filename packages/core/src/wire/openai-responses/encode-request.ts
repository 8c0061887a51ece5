// Writes a request as a body of the Responses API. One that came by this API gets the body it had, with all changes
// made since; one that came by another API is written anew, with `store: false`.

import {
  type AnswerFormat,
  type Extra,
  isObject,
  type Message,
  type ModelRequest,
  type Settings,
} from '../../model/index.js';
import { decodeFormat, encodeFormat, sameFormat } from '../answer-format.js';
import { refuseDepth } from '../depth.js';
import { effortWord } from '../openai-chat/thinking.js';
import { effortOf, thinkingOf } from './decode-request.js';
import { encodeKept, encodeMessages } from './encode-input.js';
import { encodeToolChoice, ToolPlacer } from './encode-tools.js';
import { type ExtraReader, extraReader, type ItemNotes, type RequestNotes } from './spelling.js';

export function encodeRequest(request: ModelRequest): Record<string, unknown> {
  refuseDepth(request);
  const read = extraReader(request);
  const [first, ...others] = request.conversation.messages;
  const messages = isInstructions(first, read) ? others : request.conversation.messages;
  const { placer, placed } = placeTools(request, read);
  const input = encodeInput(request, messages, read, placer);
  return { ...encodeFrame(request, [...placed, ...placer.rest()]), input };
}

/** Writes everything but the input: an answer repeats these members. */
export function encodeSettings(request: ModelRequest): Record<string, unknown> {
  const { placer, placed } = placeTools(request, extraReader(request));
  return encodeFrame(request, [...placed, ...placer.rest()]);
}

function placeTools(request: ModelRequest, read: ExtraReader): { placer: ToolPlacer; placed: unknown[] } {
  const placer = new ToolPlacer(request.conversation.tools, read);
  return { placer, placed: placer.place(read<RequestNotes>(request.extra).notes.tools ?? []) };
}

function encodeFrame(request: ModelRequest, tools: unknown[]): Record<string, unknown> {
  const read = extraReader(request);
  const { rest, notes } = read<RequestNotes>(request.extra);
  const [first] = request.conversation.messages;
  const base =
    request.api === 'openai-responses' ? withThinking(rest, request.settings) : fresh(request.settings);
  return {
    ...withFormat(base, request.format),
    model: request.model,
    ...(isInstructions(first, read) && { instructions: textOf(first) }),
    ...((tools.length > 0 || notes.tools) && { tools }),
    ...optional('tool_choice', encodeToolChoice(request.conversation, notes, read)),
    ...optional('max_output_tokens', request.settings.maxTokens),
    ...optional('temperature', request.settings.temperature),
    ...optional('top_p', request.settings.topP),
    ...optional('parallel_tool_calls', request.settings.parallelCalls),
    ...((request.stream || notes.stream) && { stream: request.stream }),
  };
}

function optional(key: string, value: unknown): Extra {
  return value === undefined ? {} : { [key]: value };
}

/** Whether the first message is written as `instructions`: it came so, or came from another API. */
function isInstructions(message: Message | undefined, read: ExtraReader): message is Message {
  if (message?.role !== 'system') return false;
  const { rest, notes } = read<ItemNotes>(message.extra);
  return notes.instructions ?? (Object.keys(rest).length === 0 && Object.keys(notes).length === 0);
}

function textOf(message: Message): string {
  return message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

function encodeInput(
  request: ModelRequest,
  messages: Message[],
  read: ExtraReader,
  placer: ToolPlacer,
): unknown {
  const { notes } = read<RequestNotes>(request.extra);
  const items = encodeMessages(request, messages, read, placer);
  const [only] = items as [Extra?];
  if (notes.string && items.length === 1 && only?.role === 'user' && typeof only.content === 'string') {
    return only.content;
  }
  return [...items, ...encodeKept(notes.after ?? [], placer)];
}

/** Gives `reasoning` as the client spelled it, unless thinking or effort was changed since. */
function withThinking(rest: Extra, settings: Settings): Extra {
  const { reasoning: given } = rest;
  if (thinkingOf(given) === settings.thinking && effortOf(given) === settings.effort) return rest;
  const { effort: _, ...reasoning } = (given ?? {}) as Extra;
  return { ...rest, reasoning: { ...reasoning, ...effort(settings) } };
}

/** Gives `text` as the client spelled it, unless the format was changed since. */
function withFormat(rest: Extra, format: AnswerFormat | undefined): Extra {
  const given = isObject(rest.text) ? rest.text : {};
  if (sameFormat(decodeFormat(given.format, ''), format)) return rest;
  const { format: _, ...text } = given;
  return { ...rest, text: { ...text, ...(format && { format: encodeFormat(format) }) } };
}

function fresh(settings: Settings): Extra {
  const reasoning = effort(settings);
  return { store: false, ...(Object.keys(reasoning).length > 0 && { reasoning }) };
}

function effort({ thinking, effort: word = thinking ? 'medium' : undefined }: Settings): Extra {
  if (thinking === false) return { effort: 'none' };
  return word === undefined ? {} : { effort: effortWord(word) };
}
