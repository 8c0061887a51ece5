// A conversation as a row of OpenAI's chat form.
//
// Calls always stand behind the text of their message there, and thoughts before it; results are text, and none is
// an error.

import {
  type AssistantMessage,
  type Conversation,
  type ExactValue,
  type MediaPart,
  type Message,
  type ReasoningPart,
  readMedia,
  type TextPart,
  type ToolCall,
  type ToolChoice,
  type ToolMessage,
  type ToolResult,
  toChatMedia,
} from '@dragoman/core/internal';
import { writeJson } from '../quick/plain-json.js';
import { inputText } from './call-input.js';
import { asString, contentSpelling } from './content-spelling.js';
import type { Note, Transcript, Writing } from './form.js';
import { callNames, noteExtra, noteLoss } from './losses.js';
import { joinRow, putExtra } from './members.js';
import { noteResult } from './note-result.js';
import { exactSchema, functionTool, keptOf, noteTools, sayTool, wasEmpty, withKept } from './tools.js';
import { endRow, type Members, type WriteContext, writeChoice } from './write-context.js';

export function writeOpenai(transcript: Transcript): Writing {
  const { conversation } = transcript;
  const notes: Note[] = [];
  const own = transcript.form === 'openai';
  const context: WriteContext = { own, notes, names: callNames(conversation.messages) };
  const messages: ExactValue[] = [];
  for (const [at, message] of conversation.messages.entries()) writeMessage(messages, message, at, context);
  const said: [string, ExactValue][] = [['messages', messages]];
  const tools = writeTools(conversation, context);
  const choice = writeChoice(conversation, context, spellChoice);
  return { row: joinRow(endRow(said, tools, choice), transcript, notes), notes };
}

function writeMessage(out: ExactValue[], message: Message, at: number, context: WriteContext): void {
  if (message.role === 'tool') {
    writeResults(out, message, at, context);
    return;
  }
  const own = context.own;
  const members: Members = {
    role: own && message.extra?.role === 'developer' ? 'developer' : message.role,
  };
  if (message.role === 'assistant') writeAnswer(members, message, at, context);
  else {
    const spelling = contentSpelling(message, own);
    if (spelling !== 'absent')
      members.content =
        spelling === 'null' ? null : writeContent(message.parts, at, spelling === 'list', context);
  }
  if (own) putExtra(members, message.extra);
  else noteExtra(context.notes, message.extra, `messages[${at}]`);
  out.push(members);
}

function writeContent(
  parts: readonly (TextPart | MediaPart)[],
  at: number,
  listed: boolean,
  context: WriteContext,
): ExactValue {
  const text = listed ? undefined : asString(parts, context.own);
  if (text !== undefined) {
    if (parts[0] && !context.own) noteExtra(context.notes, parts[0].extra, `messages[${at}].parts[0]`);
    return text;
  }
  const list: ExactValue[] = [];
  for (const [index, part] of parts.entries())
    writePart(list, part, `messages[${at}].parts[${index}]`, context);
  return list;
}

function writePart(
  list: ExactValue[],
  part: TextPart | MediaPart,
  path: string,
  { own, notes }: WriteContext,
): void {
  if (part.type === 'media') {
    const media = own ? part.media : chatMedia(part.media);
    if (media === undefined) noteLoss(notes, 'media', path);
    else list.push(media as ExactValue);
    if (!own) noteExtra(notes, part.extra, path);
    return;
  }
  if (own && part.text === '' && part.extra?.part !== undefined) {
    list.push(part.extra.part as ExactValue);
    return;
  }
  if (!own) noteExtra(notes, part.extra, path);
  const refused = own && part.extra?.type === 'refusal';
  const members: Members = refused
    ? { type: 'refusal', refusal: part.text }
    : { type: 'text', text: part.text };
  if (own) putExtra(members, part.extra);
  list.push(members);
}

/** In the API's words, or undefined if it has none that say the same. */
function chatMedia(media: unknown): unknown {
  const said = readMedia(media);
  const written = toChatMedia(media);
  const read = readMedia(written);
  if (said === undefined || read === undefined) return undefined;
  const type = (written as { type?: unknown }).type;
  if (type !== 'image_url' && type !== 'file') return undefined;
  return JSON.stringify(said) === JSON.stringify(read) ? written : undefined;
}

function writeAnswer(members: Members, message: AssistantMessage, at: number, context: WriteContext): void {
  const texts: TextPart[] = [];
  const calls: ToolCall[] = [];
  let thought: string | undefined;
  for (const [index, part] of message.parts.entries()) {
    const path = `messages[${at}].parts[${index}]`;
    if (part.type === 'tool-call') calls.push(part);
    else if (part.type === 'text') {
      if (part.text === '' && !(context.own && part.extra)) {
        noteExtra(context.notes, part.extra, path);
        continue;
      }
      if (calls.length > 0) noteLoss(context.notes, 'text-after-calls', path);
      texts.push(part);
    } else {
      if (thought !== undefined || texts.length > 0 || calls.length > 0)
        noteLoss(context.notes, 'part-order', path);
      noteThought(context.notes, part, path);
      thought = (thought ?? '') + part.text;
    }
  }
  const content = answerContent(message, texts, at, calls.length > 0, context);
  if (content !== undefined) members.content = content;
  if (thought !== undefined && thought !== '') members.reasoning_content = thought;
  if (calls.length > 0) members.tool_calls = calls.map((call) => writeCall(call, at, context));
}

/** The API has no word for what stands beside a thought, and none for one that may not be read. */
function noteThought(notes: Note[], { text, extra }: ReasoningPart, path: string): void {
  if (text === '') noteLoss(notes, 'reasoning', path);
  else noteExtra(notes, extra, path);
}

function answerContent(
  message: AssistantMessage,
  texts: readonly TextPart[],
  at: number,
  calls: boolean,
  context: WriteContext,
): ExactValue | undefined {
  const spelling = contentSpelling(message, context.own);
  if (texts.length > 0 || spelling === 'list') {
    return writeContent(texts, at, spelling === 'list', context);
  }
  if (spelling === 'absent') return undefined;
  return spelling === 'null' || (calls && spelling !== 'blank') ? null : '';
}

function writeCall(call: ToolCall, at: number, { own, notes }: WriteContext): Members {
  const members: Members = {
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: inputText(call) },
  };
  if (own) putExtra(members, call.extra);
  else noteExtra(notes, call.extra, `messages[${at}]`);
  return members;
}

/** One message for each result. */
function writeResults(out: ExactValue[], message: ToolMessage, at: number, context: WriteContext): void {
  for (const [index, part] of message.parts.entries()) {
    const members = writeResult(part, `messages[${at}].parts[${index}]`, context);
    const name = part.name !== context.names.get(part.callId) ? part.name : undefined;
    if (name !== undefined) members.name = name;
    if (context.own && index === 0) putExtra(members, message.extra);
    out.push(members);
  }
  if (!context.own) noteExtra(context.notes, message.extra, `messages[${at}]`, 'name');
}

function writeResult(part: ToolResult, path: string, { own, notes }: WriteContext): Members {
  if (part.isError) noteLoss(notes, 'result-errors', path);
  const members = { role: 'tool', tool_call_id: part.callId };
  const { output, extra } = part;
  if (own && extra?.content !== undefined) return { ...members, content: extra.content as ExactValue };
  if (own) return { ...members, content: output as ExactValue };
  noteResult(notes, extra, path);
  if (typeof output === 'string') return { ...members, content: output };
  noteLoss(notes, 'result-values', path);
  return { ...members, content: writeJson(output) };
}

function writeTools({ tools, extra }: Conversation, { own, notes }: WriteContext): ExactValue | undefined {
  if (own) {
    const list = tools.map(
      (tool) => tool.source ?? functionTool(tool.name, tool.description, exactSchema(tool)),
    );
    const all = withKept(list, keptOf(extra));
    return all.length > 0 || wasEmpty(extra) ? all : undefined;
  }
  noteTools(notes, tools, extra);
  if (tools.length === 0) return undefined;
  return tools.map(sayTool);
}

/** `required` and `none` are called so here, too. */
function spellChoice(choice: Exclude<ToolChoice, 'auto'>): ExactValue {
  return typeof choice === 'object' ? { type: 'function', function: { name: choice.name } } : choice;
}
