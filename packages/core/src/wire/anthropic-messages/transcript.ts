// Reads and writes conversations in rows of this API, `{system?, messages, tools?, tool_choice?}`. Results and the
// user's text after them are one message, as the API wants it, unless they came as two. In each message and block, the
// members that the API knows come first, then the rest.
//
// The API has one system prompt, before all messages; results do not hold the name of their tool, and their content is
// text or blocks.

import type {
  AssistantMessage,
  ExactValue,
  MediaPart,
  Message,
  ReasoningPart,
  SystemMessage,
  TextPart,
  ToolResult,
} from '../../model/index.js';
import { contentSpelling } from '../content-spelling.js';
import { type Members, readChoice, type TranscriptCodec, type WriteContext } from '../transcript-codec.js';
import { callBlock, resultBlock, textBlock, thinkingBlock, toContent } from './blocks.js';
import { losslessMedia } from './media.js';
import { APART, INLINE, readMessages, rowKeys } from './read-messages.js';
import { RESULT, type ResultSpelling } from './read-result.js';
import { wordChoice } from './tool-choice.js';
import { readTool, writeTool } from './tools.js';

/** The messages written so far. */
interface Written {
  messages: Members[];
  /** The blocks of the last message, while they are results only. */
  results: ExactValue[] | undefined;
}

export const messagesTranscript: TranscriptCodec = {
  keys: rowKeys,
  toolsKey: () => 'tools',
  readMessages,
  readTool,
  readChoice: (row) => readChoice(row, 'tool_choice'),
  writeMessages,
  writeTool,
  writeChoice: wordChoice,
};

function writeMessages(all: readonly Message[], context: WriteContext): [string, ExactValue][] {
  const written: Written = { messages: [], results: undefined };
  let front = 0;
  while (front < all.length && isFront(all[front], context.own)) front++;
  const members: [string, ExactValue][] = [];
  if (front > 0) members.push(['system', writeSystem(all.slice(0, front) as SystemMessage[], context)]);
  for (let at = front; at < all.length; at++)
    writeMessage(written, all[at] as Message, `messages[${at}]`, context);
  return [...members, ['messages', written.messages]];
}

function isFront(message: Message | undefined, own: boolean): boolean {
  return message?.role === 'system' && !(own && message.extra?.[INLINE] === true);
}

function writeSystem(messages: readonly SystemMessage[], context: WriteContext): ExactValue {
  const blocks: ExactValue[] = [];
  for (const [at, message] of messages.entries()) {
    const path = `messages[${at}]`;
    if (at > 0) context.lose('message-bounds', path);
    if (!context.own) context.loseExtra(message.extra, path);
    addBlocks(blocks, message, path, context);
  }
  const listed = messages.some((message) => contentSpelling(message, context.own) === 'list');
  return listed ? blocks : toContent(blocks);
}

function writeMessage(written: Written, message: Message, path: string, context: WriteContext): void {
  const { role, extra } = message;
  const { own } = context;
  const blocks: ExactValue[] = [];
  addBlocks(blocks, message, path, context);
  if (!own) context.loseExtra(extra, path, ...(role === 'tool' ? ['name'] : []));
  const { results } = written;
  const joins = role === 'user' ? !(own && extra?.[APART]) : role === 'tool' && !own;
  if (joins && results !== undefined && blocks.length > 0) {
    for (const block of blocks) results.push(block);
    if (own) context.beside(written.messages.at(-1) as Members, extra, path);
    if (role !== 'tool') written.results = undefined;
    return;
  }
  const members: Members = { role: roleOf(message, path, context) };
  const spelling = contentSpelling(message, own);
  const whole = role === 'tool' || spelling === 'list';
  if (spelling !== 'absent')
    members.content = spelling === 'null' ? null : whole ? blocks : toContent(blocks);
  if (own) context.beside(members, extra, path);
  written.messages.push(members);
  written.results = role === 'tool' ? blocks : undefined;
}

function roleOf({ role, extra }: Message, path: string, context: WriteContext): string {
  if (role === 'assistant') return role;
  if (role !== 'system') return 'user';
  if (context.own && extra?.[INLINE] === true) return role;
  context.lose('roles', path);
  return 'user';
}

function addBlocks(blocks: ExactValue[], { parts }: Message, path: string, context: WriteContext): void {
  for (const [index, part] of parts.entries()) {
    const block = writePart(part, `${path}.parts[${index}]`, context);
    if (block !== undefined) blocks.push(block);
  }
}

type Part = AssistantMessage['parts'][number] | MediaPart | ToolResult;

function writePart(part: Part, path: string, context: WriteContext): ExactValue | undefined {
  switch (part.type) {
    case 'text':
      return writeText(part, path, context);
    case 'reasoning':
      return writeThought(part, path, context);
    case 'tool-call':
      return finished(callBlock(part.id, part.name, context.inputValue(part)), part, path, context);
    case 'tool-result':
      return writeResult(part, path, context);
    case 'media':
      return writeMedia(part, path, context);
  }
}

function writeText(part: TextPart, path: string, context: WriteContext): ExactValue {
  if (context.own && part.text === '' && part.extra?.part !== undefined) return part.extra.part as ExactValue;
  if (part.aside) context.lose('text-after-calls', path);
  return finished(textBlock(part.text), part, path, context);
}

/** Adds the `extra` to the block, or reports it as lost. */
function finished(block: Members, { extra }: Part, path: string, context: WriteContext): Members {
  context.beside(block, extra, path);
  return block;
}

function writeThought(part: ReasoningPart, path: string, context: WriteContext): ExactValue | undefined {
  const redacted = part.extra?.type === 'redacted_thinking';
  if (context.own && redacted) return finished({}, part, path, context);
  if (redacted) context.lose('reasoning', path);
  if (!context.own && part.text === '') return undefined;
  return finished(thinkingBlock(part.text), part, path, context);
}

function writeMedia(part: MediaPart, path: string, context: WriteContext): ExactValue | undefined {
  const block = context.own ? part.media : losslessMedia(part.media);
  if (block === undefined) context.lose('media', path);
  if (!context.own) context.loseExtra(part.extra, path);
  return block as ExactValue | undefined;
}

function writeResult(part: ToolResult, path: string, context: WriteContext): Members {
  const { own, names } = context;
  const { output, extra } = part;
  const spelling = own ? ((extra?.[RESULT] as ResultSpelling | undefined) ?? {}) : {};
  const block = resultBlock(part.callId);
  if (spelling.content === 'list') block.content = [textBlock(output as string)];
  else if (own && extra?.content !== undefined) block.content = extra.content as ExactValue;
  else if (typeof output === 'string' || own) {
    if (spelling.content !== 'absent') block.content = output;
  } else {
    context.lose('result-values', path);
    block.content = context.stringify(output);
  }
  if (part.isError || spelling.fine) block.is_error = part.isError === true;
  if (part.name !== undefined && part.name !== names.get(part.callId)) context.lose('result-names', path);
  if (own) context.beside(block, extra, path);
  else context.loseResult(extra, path);
  return block;
}
