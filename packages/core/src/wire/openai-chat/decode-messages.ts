// Reads the messages of a chat request. The model's validation (`acceptMessage`) reads them; here they are prepared
// for it, and the spelling that it does not keep is noted.

import { acceptMessage, reasoningKeys } from '../../model/accept-messages.js';
import { ConstantMap, isConstant, makeConstant } from '../../model/constants.js';
import { freeformInput } from '../../model/freeform.js';
import { type AssistantMessage, isObject, type Message } from '../../model/index.js';
import { linkCalls } from '../../model/link-calls.js';
import { linkNames } from '../../model/link-names.js';
import { readArguments } from '../call-arguments.js';
import { badRequest, wrong } from '../members.js';
import { notesOf, withNotes } from '../notes.js';
import { type Fields, fieldsOf, stringOf, toOpaque } from '../values.js';
import {
  isSeveral,
  keepSpelling,
  type MessageNote,
  messageGroups,
  severalResults,
} from './encode-message.js';
import { noteSpelling, restOf } from './spelling.js';
import { usualMessage } from './usual-message.js';

export function decodeMessages(list: unknown[]): Message[] {
  const read = list.map((value, at) => readMessage(value, `messages[${at}]`));
  const messages = read.map(({ message }) => message);
  const linked = linkNames(messages) ? messages : linkCalls(messages);
  return linked.map((message, at) => withNote(message, read[at] as ReadMessage, `messages[${at}]`));
}

/** A message without the ids and names that other messages have. */
type ReadMessage =
  /** One in our own spelling, as it came. */
  | { message: Message; usual: object }
  /** `loose`: a call or a result came without an id. */
  | { message: Message; usual?: undefined; source: Fields; loose: boolean };

const knownMessages = new ConstantMap<object, ReadMessage>();

/** Reads a message. One that came before, in an earlier request of the session, is known. */
function readMessage(value: unknown, path: string): ReadMessage {
  if (!isConstant(value)) return readAnew(value, path);
  const known = knownMessages.get(value as object);
  if (known) return known;
  const read = readAnew(value, path);
  makeConstant(read.message);
  knownMessages.set(value as object, read);
  return read;
}

function readAnew(value: unknown, path: string): ReadMessage {
  const usual = isObject(value) ? usualMessage(value) : undefined;
  return usual ? { message: usual, usual: value as object } : readOther(value, path);
}

function readOther(value: unknown, path: string): ReadMessage {
  const source = sourceOf(value, path);
  const [message] = acceptMessage(prepared(source), path) as [Message];
  if (message.role === 'assistant') {
    addRefusal(message, source.get('refusal'));
    markCalls(message, source);
  }
  return { message, source, loose: isUnlinked(message) };
}

const knownNotes = new ConstantMap<Message, Message>();

/** Adds the notes on the spelling to a message that is linked. */
function withNote(message: Message, read: ReadMessage, path: string): Message {
  if (read.usual) {
    if (isConstant(message)) keepSpelling(message, read.usual);
    return message;
  }
  const { source, loose } = read;
  const known = knownNotes.get(message);
  if (known) return known;
  const note = messageNote(message, source, path);
  const noted = { ...message, ...withNotes(message.extra, loose ? { ...note, unlinked: true } : note) };
  if (isConstant(message)) knownNotes.set(message, makeConstant(noted));
  return noted;
}

/** Counts the messages with a call or a result that came without an id. */
export function countUnlinked(messages: readonly Message[]): number {
  return messages.filter((message) => notesOf<MessageNote>(message.extra).unlinked).length;
}

function isUnlinked({ parts }: Message): boolean {
  return parts.some(
    (part) =>
      (part.type === 'tool-call' && part.id === '') || (part.type === 'tool-result' && part.callId === ''),
  );
}

function sourceOf(value: unknown, path: string): Fields {
  const fields = fieldsOf(value);
  if (fields === undefined) throw wrong(path, 'a message: {role, content}', value);
  const content = fields.get('content');
  for (const [at, part] of (Array.isArray(content) ? content : []).entries()) refuseResult(part, path, at);
  return fields;
}

/** Refuses a result among the parts of a message, as other APIs have it: here each result has a message of its own. */
function refuseResult(part: unknown, path: string, at: number): void {
  const type = stringOf(part, 'type');
  if (type !== 'tool_result' && type !== 'tool-result' && type !== 'tool-error') return;
  const advice = "put what a tool answered into a message of its own: {role: 'tool', tool_call_id, content}";
  throw badRequest(`${path}.content[${at}]`, advice);
}

/**
 * Adds a missing content, since a message without one may be taken for the model's own; rewrites calls for
 * `acceptMessage`.
 */
function prepared(source: Fields): Fields {
  const message = new Map(source);
  if (!message.has('content')) message.set('content', null);
  const calls = message.get('tool_calls');
  if (Array.isArray(calls))
    message.set(
      'tool_calls',
      calls.map((call) => readableCall(customCall(call))),
    );
  const details = detailedReasoning(message);
  if (details !== '') message.set('reasoning_content', details);
  const older = message.get('function_call');
  if (typeof older === 'object') message.set('function_call', withObjectText(older));
  return message;
}

/** Gives the text of OpenRouter's `reasoning_details`, where no other member has the reasoning. */
function detailedReasoning(message: Fields): string {
  const details = message.get('reasoning_details');
  if (!Array.isArray(details) || reasoningKeys.some((key) => message.get(key))) return '';
  return details.map((one) => stringOf(one, 'text') ?? stringOf(one, 'summary') ?? '').join('');
}

/** Rewrites a call of a custom tool, whose input is text, as one of a function. */
function customCall(call: unknown): unknown {
  const fields = fieldsOf(call);
  const custom = fields?.get('type') === 'custom' ? fieldsOf(fields.get('custom')) : undefined;
  if (fields === undefined || custom === undefined) return call;
  const text = custom.get('input') ?? '';
  const input = JSON.stringify(freeformInput(typeof text === 'string' ? text : JSON.stringify(text)));
  return new Map<string, unknown>([
    ['id', fields.get('id')],
    ['function', { name: custom.get('name'), arguments: input }],
  ]);
}

function readableCall(call: unknown): unknown {
  const fields = fieldsOf(call);
  if (!fields?.has('function')) return withObjectText(call);
  return fields.set('function', withObjectText(fields.get('function')));
}

function withObjectText(called: unknown): unknown {
  const given = argumentsIn(called);
  return given === undefined ? called : fieldsOf(called)?.set('arguments', given.raw);
}

/** Reads the arguments of a call, unless they are an object: that is another spelling. */
function argumentsIn(called: unknown): ReturnType<typeof readArguments> | undefined {
  const fields = fieldsOf(called);
  const value = fields?.get('arguments');
  return fields === undefined || fieldsOf(value) !== undefined ? undefined : readArguments(value ?? '');
}

/** Marks freeform calls, and keeps arguments that are no JSON object. The listed calls are the last of the parts. */
function markCalls(message: AssistantMessage, source: Fields): void {
  const older = fieldsOf(source.get('function_call'));
  const listed = older ? [older] : source.get('tool_calls');
  if (!Array.isArray(listed) || listed.length === 0) return;
  const calls = message.parts.filter((part) => part.type === 'tool-call').slice(-listed.length);
  for (const [at, call] of calls.entries()) {
    const rewritten = customCall(listed[at]);
    const fields = fieldsOf(rewritten);
    const broken = argumentsIn(fields?.get('function') ?? fields)?.broken;
    if (broken !== undefined) call.broken = broken;
    if (rewritten !== listed[at]) call.freeform = true;
  }
}

/** Adds a refusal as a text part, before the tool calls. */
function addRefusal(message: AssistantMessage, refusal: unknown): void {
  if (typeof refusal !== 'string' || refusal === '') return;
  const call = message.parts.findIndex((part) => part.type === 'tool-call');
  const at = call < 0 ? message.parts.length : call;
  message.parts.splice(at, 0, { type: 'text', text: refusal, extra: { type: 'refusal' } });
  delete message.extra?.refusal;
}

function messageNote(message: Message, source: Fields, path: string): MessageNote {
  if (isSeveral(message)) {
    return { whole: { as: toOpaque(source, path), meaning: toOpaque(severalResults(message), path) } };
  }
  const groups = messageGroups(message);
  return noteSpelling(source, groups, restOf(message.extra, groups), path);
}
