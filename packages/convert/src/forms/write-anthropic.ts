// A conversation as a row of Anthropic's form.
//
// It has one system prompt, before all messages; results do not bear the name of their tool, and their content is
// text or blocks.

import {
  ApiError,
  type AssistantMessage,
  type Conversation,
  type ExactValue,
  encodeMedia,
  type MediaPart,
  type Message,
  type ReasoningPart,
  readMedia,
  type SystemMessage,
  type TextPart,
  type Tool,
  type ToolCall,
  type ToolChoice,
  type ToolResult,
} from '@dragoman/core/internal';
import { writeJson } from '../quick/plain-json.js';
import { RESULT, type ResultSpelling } from '../text/read-result.js';
import { exactInput } from './call-input.js';
import { contentSpelling } from './content-spelling.js';
import type { Note, Transcript, Writing } from './form.js';
import { callNames, noteExtra, noteLoss } from './losses.js';
import { joinRow, putExtra } from './members.js';
import { noteResult } from './note-result.js';
import { APART, INLINE } from './read-anthropic.js';
import { exactSchema, keptOf, noteTools, wasEmpty, withKept } from './tools.js';
import { endRow, type Members, type WriteContext, writeChoice } from './write-context.js';

interface Context extends WriteContext {
  messages: Members[];
  /** The blocks of the last message, while they are results only, or results and what was said behind them. */
  results: ExactValue[] | undefined;
}

export function writeAnthropic(transcript: Transcript): Writing {
  const { conversation } = transcript;
  const notes: Note[] = [];
  const own = transcript.form === 'anthropic';
  const all = conversation.messages;
  const context: Context = { own, notes, names: callNames(all), messages: [], results: undefined };
  let front = 0;
  while (front < all.length && isFront(all[front], own)) front++;
  const said: [string, ExactValue][] = [];
  if (front > 0) said.push(['system', writeSystem(all.slice(0, front) as SystemMessage[], context)]);
  for (let at = front; at < all.length; at++) writeMessage(all[at] as Message, at, context);
  said.push(['messages', context.messages]);
  const tools = writeTools(conversation, context);
  const choice = writeChoice(conversation, context, spellChoice);
  return { row: joinRow(endRow(said, tools, choice), transcript, notes), notes };
}

function isFront(message: Message | undefined, own: boolean): boolean {
  return message?.role === 'system' && !(own && message.extra?.[INLINE] === true);
}

function writeSystem(messages: readonly SystemMessage[], context: Context): ExactValue {
  const blocks: ExactValue[] = [];
  for (const [at, message] of messages.entries()) {
    if (at > 0) noteLoss(context.notes, 'message-bounds', `messages[${at}]`);
    if (!context.own) noteExtra(context.notes, message.extra, `messages[${at}]`);
    addBlocks(blocks, message, at, context);
  }
  const listed = messages.some((message) => contentSpelling(message, context.own) === 'list');
  return listed ? blocks : asContent(blocks);
}

/** One string where the only block is bare text. */
function asContent(blocks: ExactValue[]): ExactValue {
  const [only, second] = blocks as Members[];
  if (only === undefined) return '';
  if (second !== undefined || only.type !== 'text' || Object.keys(only).length !== 2) return blocks;
  return only.text as string;
}

function writeMessage(message: Message, at: number, context: Context): void {
  const { own, notes, results } = context;
  const blocks: ExactValue[] = [];
  addBlocks(blocks, message, at, context);
  if (!own) noteExtra(notes, message.extra, `messages[${at}]`, ...(message.role === 'tool' ? ['name'] : []));
  const joins =
    results !== undefined &&
    blocks.length > 0 &&
    (message.role === 'user' ? !(own && message.extra?.[APART]) : message.role === 'tool' && !own);
  if (joins) {
    for (const block of blocks) results.push(block);
    if (own) putExtra(context.messages.at(-1) as Members, message.extra);
    if (message.role !== 'tool') context.results = undefined;
    return;
  }
  const members: Members = { role: roleOf(message, at, context) };
  const spelling = contentSpelling(message, own);
  const whole = message.role === 'tool' || spelling === 'list';
  if (spelling !== 'absent')
    members.content = spelling === 'null' ? null : whole ? blocks : asContent(blocks);
  if (own) putExtra(members, message.extra);
  context.messages.push(members);
  context.results = message.role === 'tool' ? blocks : undefined;
}

function roleOf({ role, extra }: Message, at: number, { own, notes }: Context): string {
  if (role === 'assistant') return role;
  if (role !== 'system') return 'user';
  if (own && extra?.[INLINE] === true) return role;
  noteLoss(notes, 'roles', `messages[${at}]`);
  return 'user';
}

function addBlocks(blocks: ExactValue[], { parts }: Message, at: number, context: Context): void {
  for (const [index, part] of parts.entries()) {
    const block = writePart(part, `messages[${at}].parts[${index}]`, context);
    if (block !== undefined) blocks.push(block);
  }
}

type Part = AssistantMessage['parts'][number] | MediaPart | ToolResult;

function writePart(part: Part, path: string, context: Context): ExactValue | undefined {
  switch (part.type) {
    case 'text':
      return writeText(part, path, context);
    case 'reasoning':
      return writeThought(part, path, context);
    case 'tool-call':
      return writeCall(part, path, context);
    case 'tool-result':
      return writeResult(part, path, context);
    case 'media':
      return writeMedia(part, path, context);
  }
}

function writeText(part: TextPart, path: string, context: Context): ExactValue | undefined {
  if (context.own && part.text === '' && part.extra?.part !== undefined) return part.extra.part as ExactValue;
  if (part.aside) noteLoss(context.notes, 'text-after-calls', path);
  return finished({ type: 'text', text: part.text }, part, path, context);
}

/** With what stands beside it, or a note that it does not. */
function finished(
  block: Members,
  { extra }: Pick<Part, 'extra'>,
  path: string,
  { own, notes }: Context,
): Members {
  if (own) putExtra(block, extra);
  else noteExtra(notes, extra, path);
  return block;
}

function writeThought(part: ReasoningPart, path: string, context: Context): ExactValue | undefined {
  const redacted = part.extra?.type === 'redacted_thinking';
  if (context.own && redacted) return finished({}, part, path, context);
  if (redacted) noteLoss(context.notes, 'reasoning', path);
  if (!context.own && part.text === '') return undefined;
  return finished({ type: 'thinking', thinking: part.text }, part, path, context);
}

function writeCall(part: ToolCall, path: string, context: Context): Members {
  const block: Members = { type: 'tool_use', id: part.id, name: part.name, input: exactInput(part) };
  return finished(block, part, path, context);
}

function writeMedia(part: MediaPart, path: string, { own, notes }: Context): ExactValue | undefined {
  const block = own ? part.media : blockOf(part.media, path);
  if (block === undefined) noteLoss(notes, 'media', path);
  if (!own) noteExtra(notes, part.extra, path);
  return block as ExactValue | undefined;
}

/** In the API's words, or undefined if it has none that say the same. */
function blockOf(media: unknown, path: string): unknown {
  try {
    const block = encodeMedia(media, path, false);
    return JSON.stringify(readMedia(block)) === JSON.stringify(readMedia(media)) ? block : undefined;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

function writeResult(part: ToolResult, path: string, context: Context): Members {
  const { own, notes, names } = context;
  const { output, extra } = part;
  const spelling = own ? ((extra?.[RESULT] as ResultSpelling | undefined) ?? {}) : {};
  const block: Members = { type: 'tool_result', tool_use_id: part.callId };
  if (spelling.content === 'list') block.content = [{ type: 'text', text: output as string }];
  else if (own && extra?.content !== undefined) block.content = extra.content as ExactValue;
  else if (typeof output === 'string' || own) {
    if (spelling.content !== 'absent') block.content = output as ExactValue;
  } else {
    noteLoss(notes, 'result-values', path);
    block.content = writeJson(output);
  }
  if (part.isError || spelling.fine) block.is_error = part.isError === true;
  if (part.name !== undefined && part.name !== names.get(part.callId)) noteLoss(notes, 'result-names', path);
  if (own) putExtra(block, extra);
  else noteResult(notes, extra, path);
  return block;
}

function writeTools({ tools, extra }: Conversation, { own, notes }: Context): ExactValue | undefined {
  if (!own) noteTools(notes, tools, extra);
  const list: ExactValue[] = tools.map((tool, at) => writeTool(tool, at, own, notes));
  const all = own ? withKept(list, keptOf(extra)) : list;
  return all.length > 0 || (own && wasEmpty(extra)) ? all : undefined;
}

/** The API demands a schema. */
function writeTool(tool: Tool, at: number, own: boolean, notes: Note[]): ExactValue {
  const { name, description } = tool;
  let schema = exactSchema(tool);
  if (schema === undefined) {
    noteLoss(notes, 'tools', `tools[${at}]`);
    schema = { type: 'object', properties: {} };
  }
  const members: Members = { name, ...(description !== undefined && { description }), input_schema: schema };
  if (own) putExtra(members, tool.extra);
  return members;
}

function spellChoice(choice: Exclude<ToolChoice, 'auto'>): ExactValue {
  if (typeof choice === 'object') return { type: 'tool', name: choice.name };
  return { type: choice === 'required' ? 'any' : choice };
}
