// Writes one message for the chat API. A message of several results becomes several messages.

import { reasoningKeys } from '../../model/accept-messages.js';
import { ConstantMap, isConstant, makeConstant, onceConstant } from '../../model/constants.js';
import {
  type AssistantMessage,
  type ExactValue,
  type Extra,
  isObject,
  type MediaPart,
  type Message,
  type TextPart,
  type ToolResult,
} from '../../model/index.js';
import { documentText } from '../../model/text-documents.js';
import { argumentsOf } from '../call-arguments.js';
import { notesOf } from '../notes.js';
import { resultMedia, resultText } from '../result-content.js';
import { sameJson } from '../same-json.js';
import { toChatMedia } from './media.js';
import { type ChatContext, resultMembers, writeCall, writeContent } from './parts.js';
import { copyMembers, type Group, holds, type Note, restOf, writeMembers } from './spelling.js';
import { writeUsual } from './usual-message.js';

export interface MessageNote extends Note {
  /** The one message as it came, where we would write several. */
  whole?: { as: unknown; meaning: unknown };
  /** A call or a result came without an id, so that only their order links calls and results. */
  unlinked?: boolean;
}

/** How many messages came, and how many of them had calls or results without an id. */
export interface MessageCount {
  messages: number;
  unlinked: number;
}

const assistantKeys = ['content', 'refusal', ...reasoningKeys, 'tool_calls', 'function_call'];

/**
 * Writes all messages. Messages without ids stay without only while none of them was changed, and none was added or
 * removed: their order is the only link between calls and results.
 */
export function encodeMessages(messages: readonly Message[], came: MessageCount | undefined): unknown[] {
  const loose = messages.filter((message) => notesOf<MessageNote>(message.extra).unlinked);
  const stay = loose.length === came?.unlinked && messages.length === came.messages && loose.every(isAsNoted);
  return messages.flatMap((message) => {
    const note = notesOf<MessageNote>(message.extra);
    return note.unlinked && !stay ? encodeMessage(message, undefined) : encodeNoted(message);
  });
}

/** What a constant came as, where we would write just that. */
const spellings = new ConstantMap<Message, readonly unknown[]>();

/** Keeps how a constant came: in the spelling that we write ourselves. */
export function keepSpelling(message: Message, came: object): void {
  if (!spellings.get(message)) spellings.set(message, [came]);
}

/** Writes a message as its note says. */
function encodeNoted(message: Message): readonly unknown[] {
  return spellings.get(message) ?? encodeOnce(message);
}

const encodeOnce = onceConstant((message: Message) => {
  const written = encodeMessage(message, notesOf<MessageNote>(message.extra));
  return isConstant(message) ? makeConstant(written.map((one) => makeConstant(one as object))) : written;
});

function isAsNoted(message: Message): boolean {
  const note = notesOf<MessageNote>(message.extra);
  if (note?.whole) return sameJson(note.whole.meaning, severalResults(message));
  return holds(messageGroups(message), note);
}

function encodeMessage(message: Message, note: MessageNote | undefined): unknown[] {
  if (isSeveral(message)) {
    const several = severalResults(message);
    return note?.whole && sameJson(note.whole.meaning, several) ? [note.whole.as] : several;
  }
  const usual = writeUsual(message);
  if (usual) return [usual];
  const groups = messageGroups(message);
  return [writeMembers(groups, restOf(message.extra, groups), note)];
}

/** Whether the message holds several results, which become several messages. */
export function isSeveral(message: Message): boolean {
  return message.role === 'tool' && message.parts.length !== 1;
}

export function severalResults(message: Message): unknown[] {
  return message.role === 'tool' ? message.parts.map(encodeResult) : [];
}

export function messageGroups(message: Message): Group[] {
  const role = message.extra?.role === 'developer' ? 'developer' : message.role;
  const roleGroup = { name: 'role', keys: ['role'], members: { role } };
  switch (message.role) {
    case 'assistant': {
      const members = assistantMembers(message);
      // The kinds are part of the meaning: the members do not show where reasoning or a call comes, nor what was broken.
      const meaning = { members, kinds: message.parts.map(kindOf) };
      return [roleGroup, { name: 'said', keys: assistantKeys, members, meaning }];
    }
    case 'tool': {
      const [result] = message.parts;
      const members = result === undefined ? {} : encodeResult(result);
      const keys = ['role', 'tool_call_id', 'toolCallId', 'name', 'content'];
      return [{ name: 'result', keys, members, meaning: { members, name: result?.name } }];
    }
    default:
      return [
        roleGroup,
        { name: 'content', keys: ['content'], members: { content: encodeContent(message.parts) } },
      ];
  }
}

function kindOf(part: AssistantMessage['parts'][number]): string {
  return part.type === 'tool-call' && part.broken !== undefined ? 'broken-call' : part.type;
}

function assistantMembers(message: AssistantMessage): Extra {
  const texts = message.parts.filter((part) => part.type === 'text' && !part.aside) as TextPart[];
  const reasoning = message.parts.filter((part) => part.type === 'reasoning').map((part) => part.text);
  const calls = message.parts.filter((part) => part.type === 'tool-call');
  const silent = calls.length > 0 ? null : '';
  return {
    content: texts.length > 0 ? encodeContent(texts) : silent,
    ...(reasoning.join('') !== '' && { reasoning_content: reasoning.join('') }),
    ...(calls.length > 0 && { tool_calls: calls.map((call) => writeCall(call, '', context)) }),
  };
}

/** A request is written as it came: the `extra` of every part is written, and nothing is reported as lost. */
const context: ChatContext = {
  own: true,
  lose: () => {},
  beside: (members, extra = {}) => copyMembers(members, extra),
  inputText: argumentsOf,
  media: toChatMedia,
};

function encodeContent(parts: (TextPart | MediaPart)[]): unknown {
  return writeContent(parts, false, '', context);
}

function encodeResult(result: ToolResult): Extra {
  return resultMembers(result.callId, resultContent(result));
}

/** Gives the text of a result. The API cannot mark an error, so the text begins with `Error: `. */
function resultContent(result: ToolResult): ExactValue {
  const { output, isError, extra } = result;
  const text = resultText(result);
  if (isError) return text.slice(0, 5).toLowerCase() === 'error' ? text : `Error: ${text}`;
  const blocks = extra?.content;
  return Array.isArray(blocks) && blocks.map(blockText).join('') === output ? (blocks as ExactValue[]) : text;
}

function blockText(block: unknown): string {
  return isObject(block) && typeof block.text === 'string' ? block.text : '';
}

/**
 * Moves reasoning to the member in which the upstream itself writes it. Ollama and Groq have `reasoning`; the first does
 * not read any other, the second refuses it.
 */
export function reasoningIn(messages: unknown[], member: string | undefined): unknown[] {
  return member === undefined ? messages : messages.map((message) => renamed(message, member));
}

function renamed(message: unknown, member: string): unknown {
  if (!isObject(message) || message.role !== 'assistant' || Object.hasOwn(message, member)) return message;
  const key = reasoningKeys.find((one) => typeof message[one] === 'string');
  if (key === undefined) return message;
  return Object.fromEntries(
    Object.entries(message).map(([name, value]) => [name === key ? member : name, value]),
  );
}

// --- messages of other APIs ------------------------------------------------------------------------------

/**
 * Prepares messages that came by another API. Their `extra` is dropped. Texts in several parts become one text, which
 * is all that many servers take. Images in tool results move to a user message after the results, because results hold
 * only text here.
 */
export function toStrangerMessages(messages: readonly Message[]): Message[] {
  const out: Message[] = [];
  let media: unknown[] = [];
  const addMedia = () => {
    if (media.length > 0)
      out.push({ role: 'user', parts: media.map((one) => ({ type: 'media', media: one })) });
    media = [];
  };
  for (const message of messages) {
    if (message.role !== 'tool') addMedia();
    out.push(toStrangerMessage(message));
    if (message.role === 'tool') media.push(...message.parts.flatMap(resultMedia));
  }
  addMedia();
  return out;
}

function toStrangerMessage({ role, parts }: Message): Message {
  const plain = (parts as TextPart[]).map((part) => asText(withoutExtra(part)));
  return {
    role,
    parts: role === 'tool' ? plain : joined(plain, role === 'assistant' ? '' : '\n'),
  } as Message;
}

/** Text documents and search results become text: the API's own files need an upstream that takes them. */
function asText(part: TextPart | MediaPart): TextPart {
  const text = part.type === 'media' ? documentText(part.media) : undefined;
  return text === undefined ? (part as TextPart) : { type: 'text', text };
}

function withoutExtra<P extends { extra?: unknown }>(part: P): P {
  const { extra: _, ...plain } = part;
  return plain as P;
}

/** Joins all texts into one, before the other parts. If there are media, every text keeps its place. */
function joined<P extends { type: string }>(parts: P[], separator: string): (P | TextPart)[] {
  if (parts.some((part) => part.type === 'media')) return parts;
  const texts = parts.filter((part): part is P & TextPart => part.type === 'text');
  const shown = texts.filter((part) => part.text !== '' && !part.aside).map((part) => part.text);
  const others = parts.filter((part) => part.type !== 'text');
  return shown.length === 0 ? others : [{ type: 'text', text: shown.join(separator) }, ...others];
}
