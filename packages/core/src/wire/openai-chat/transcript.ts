// Reads and writes conversations in rows of the chat API, `{messages, tools?, tool_choice?}`: lists of `tools`,
// `arguments` as text, `reasoning_content`, and in each message first the members that the API knows, then the rest.
//
// In this API, calls always come after the text of their message, and reasoning before it; results are text, and none
// is an error.

import { functionTool } from '../../model/accept-tools.js';
import type {
  AssistantMessage,
  ExactValue,
  Message,
  ReasoningPart,
  TextPart,
  Tool,
  ToolCall,
  ToolMessage,
  ToolResult,
} from '../../model/index.js';
import { contentSpelling } from '../content-spelling.js';
import { memberOf } from '../exact-members.js';
import { exactSchema } from '../tool-source.js';
import { type Members, readChoice, type TranscriptCodec, type WriteContext } from '../transcript-codec.js';
import { losslessChatMedia } from './media.js';
import { type ChatContext, resultMembers, writeCall, writeContent } from './parts.js';
import { readMessages, rowKeys } from './read-messages.js';
import { bareTool, encodeChoice, readTool } from './tools.js';

type Context = WriteContext & ChatContext;

export const chatTranscript: TranscriptCodec = {
  keys: rowKeys,
  toolsKey: (row) => (memberOf(row, 'tools') === undefined ? 'functions' : 'tools'),
  readMessages,
  readTool,
  readChoice: (row) =>
    readChoice(row, memberOf(row, 'tool_choice') === undefined ? 'function_call' : 'tool_choice'),
  writeMessages,
  writeTool,
  writeChoice: (choice) => encodeChoice(choice),
};

function writeMessages(messages: readonly Message[], given: WriteContext): [string, ExactValue][] {
  const media = given.own ? (value: unknown) => value : losslessChatMedia;
  const context: Context = { ...given, media };
  const out: ExactValue[] = [];
  for (const [at, message] of messages.entries()) writeMessage(out, message, `messages[${at}]`, context);
  return [['messages', out]];
}

function writeMessage(out: ExactValue[], message: Message, path: string, context: Context): void {
  if (message.role === 'tool') {
    writeResults(out, message, path, context);
    return;
  }
  const developer = context.own && message.extra?.role === 'developer';
  const members: Members = { role: developer ? 'developer' : message.role };
  if (message.role === 'assistant') writeAnswer(members, message, path, context);
  else {
    const spelling = contentSpelling(message, context.own);
    if (spelling === 'null') members.content = null;
    else if (spelling !== 'absent')
      members.content = writeContent(message.parts, spelling === 'list', path, context);
  }
  context.beside(members, message.extra, path);
  out.push(members);
}

function writeAnswer(members: Members, message: AssistantMessage, path: string, context: Context): void {
  const texts: TextPart[] = [];
  const calls: ToolCall[] = [];
  let thought: string | undefined;
  for (const [index, part] of message.parts.entries()) {
    const at = `${path}.parts[${index}]`;
    if (part.type === 'tool-call') calls.push(part);
    else if (part.type === 'reasoning') {
      if (thought !== undefined || texts.length > 0 || calls.length > 0) context.lose('part-order', at);
      loseBesideThought(part, at, context);
      thought = (thought ?? '') + part.text;
    } else if (part.text === '' && !(context.own && part.extra)) context.loseExtra(part.extra, at);
    else {
      if (calls.length > 0) context.lose('text-after-calls', at);
      texts.push(part);
    }
  }
  const content = answerContent(message, texts, calls.length > 0, path, context);
  if (content !== undefined) members.content = content;
  if (thought) members.reasoning_content = thought;
  if (calls.length > 0) members.tool_calls = calls.map((call) => writeCall(call, path, context));
}

/** Reports an `extra` of reasoning, which the API cannot express, and reasoning without text (encrypted). */
function loseBesideThought({ text, extra }: ReasoningPart, path: string, context: Context): void {
  if (text === '') context.lose('reasoning', path);
  else context.loseExtra(extra, path);
}

function answerContent(
  message: AssistantMessage,
  texts: readonly TextPart[],
  calls: boolean,
  path: string,
  context: Context,
): ExactValue | undefined {
  const spelling = contentSpelling(message, context.own);
  if (texts.length > 0 || spelling === 'list') return writeContent(texts, spelling === 'list', path, context);
  if (spelling === 'absent') return undefined;
  return spelling === 'null' || (calls && spelling !== 'blank') ? null : '';
}

/** Writes one message for each result. */
function writeResults(out: ExactValue[], message: ToolMessage, path: string, context: Context): void {
  for (const [index, part] of message.parts.entries()) {
    const members = resultMembers(part.callId, resultContent(part, `${path}.parts[${index}]`, context));
    const name = part.name !== context.names.get(part.callId) ? part.name : undefined;
    if (name !== undefined) members.name = name;
    if (context.own && index === 0) context.beside(members, message.extra, path);
    out.push(members);
  }
  if (!context.own) context.loseExtra(message.extra, path, 'name');
}

function resultContent({ output, isError, extra }: ToolResult, path: string, context: Context): ExactValue {
  if (isError) context.lose('result-errors', path);
  if (context.own) return extra?.content === undefined ? output : (extra.content as ExactValue);
  context.loseResult(extra, path);
  if (typeof output === 'string') return output;
  context.lose('result-values', path);
  return context.stringify(output);
}

function writeTool(tool: Tool, _path: string, { own }: WriteContext): ExactValue {
  if (!own) return bareTool(tool);
  return tool.source ?? functionTool(tool.name, tool.description, exactSchema(tool));
}
