// Reads messages and their blocks. A user's message with results becomes two: the results, and the user's own parts.
// Notes in `extra` hold the place of each block.

import { ConstantMap, isConstant, makeConstant } from '../../model/constants.js';
import { toExact } from '../../model/fields.js';
import {
  type AssistantMessage,
  type JsonObject,
  type MediaPart,
  type Message,
  parseExact,
  stringifyJson,
  type TextPart,
  type ToolCall,
  type ToolResult,
  toPlain,
} from '../../model/index.js';
import { readArguments } from '../call-arguments.js';
import { badRequest, Members, wrong } from '../members.js';
import { withNotes } from '../notes.js';
import { readContent } from '../result-content.js';
import { standInFor } from '../stand-in.js';
import { fieldsOf, toOpaque } from '../values.js';
import type { Spelling } from './spelling.js';

/** Reads the system prompt beside the messages. An empty one is left in the rest. */
export function decodeSystem(body: Members): Message[] {
  const given = body.peek('system');
  if (given === '' || (Array.isArray(given) && given.length === 0)) return [];
  const value = body.take('system');
  if (value === undefined) return [];
  const { blocks, content } = decodeContent(value, 'system');
  return [{ role: 'system', parts: blocks.map(systemPart), ...withNotes(undefined, { content }) }];
}

export function decodeMessages(list: unknown[]): Message[] {
  return list.flatMap((value, at) => {
    const known = isConstant(value) ? decoded.get(value as object) : undefined;
    if (known) return known;
    const messages = decodeMessage(Members.of(value, `messages[${at}]`, 'a message: {role, content}'));
    if (isConstant(value)) decoded.set(value as object, messages.map(makeConstant));
    return messages;
  });
}

/** What constants were decoded to, in an earlier request of the session. */
const decoded = new ConstantMap<object, Message[]>();

function decodeMessage(message: Members): Message[] {
  const role = message.word('role', ['user', 'assistant', 'system']);
  if (role === undefined) throw wrong(message.at('role'), "'user' or 'assistant'", message.peek('role'));
  const value = message.take('content');
  const { blocks, content } = decodeContent(value ?? message.peek('content'), message.at('content'));
  if (role === 'user') return userMessages(message, blocks, content);
  if (role === 'system') {
    const extra = withNotes(message.rest(), { content, inline: true });
    return [{ role, parts: blocks.map(systemPart), ...extra }];
  }
  const kept = content === 'string' ? blocks.filter((block) => block.peek('text') !== '') : blocks;
  return [{ role, parts: kept.map(assistantPart), ...withNotes(message.rest(), { content }) }];
}

interface Content {
  blocks: Members[];
  content: 'string' | 'blocks';
}

function decodeContent(value: unknown, path: string): Content {
  if (typeof value === 'string') {
    return { blocks: [Members.of({ type: 'text', text: value }, path, '')], content: 'string' };
  }
  if (!Array.isArray(value)) throw wrong(path, 'a string or a list of blocks', value);
  const blocks = value.map((item, at) => Members.of(item, `${path}[${at}]`, 'a block: {type, …}'));
  for (const block of blocks) {
    if (typeof block.peek('type') !== 'string') {
      throw wrong(block.at('type'), 'the type of a block', block.peek('type'));
    }
  }
  return { blocks, content: 'blocks' };
}

function userMessages(message: Members, blocks: Members[], content: 'string' | 'blocks'): Message[] {
  const results: ToolResult[] = [];
  const parts: (TextPart | MediaPart)[] = [];
  const places: number[] = [];
  for (const [at, block] of blocks.entries()) {
    if (block.peek('type') === 'tool_result') results.push(resultPart(block));
    else places.push(at) && parts.push(userPart(block));
  }
  const rest = message.rest();
  if (results.length === 0) return [{ role: 'user', parts, ...withNotes(rest, { content }) }];
  if (parts.length === 0) return [{ role: 'tool', parts: results, ...withNotes(rest, { content }) }];
  return [
    { role: 'tool', parts: results, ...withNotes(undefined, { content }) },
    { role: 'user', parts, ...withNotes(rest, { content, places, results: results.length }) },
  ];
}

function systemPart(block: Members): TextPart {
  if (block.peek('type') === 'text') return textPart(block);
  throw wrong(block.at('type'), "'text', which is all a system message holds", block.peek('type'));
}

/** Reads a user's block. Blocks that are not text pass unchanged. */
function userPart(block: Members): TextPart | MediaPart {
  const type = block.peek('type');
  if (type === 'text') return textPart(block);
  if (type === 'tool_use' || type === 'thinking' || type === 'redacted_thinking') {
    throw badRequest(block.at('type'), `blocks of the type '${type}' belong into an assistant's message`);
  }
  return { type: 'media', media: toOpaque(block.fields, block.path) };
}

function textPart(block: Members): TextPart {
  block.take('type');
  return { type: 'text', text: block.requiredString('text'), ...withNotes(block.rest()) };
}

function assistantPart(block: Members): AssistantMessage['parts'][number] {
  switch (block.peek('type')) {
    case 'text':
      return textPart(block);
    case 'tool_use':
      return callPart(block);
    case 'thinking': {
      block.take('type');
      const text = block.requiredString('thinking');
      const spelling: Spelling = block.has('signature') ? {} : { unsigned: true };
      return { type: 'reasoning', text, ...withNotes(block.rest(), spelling) };
    }
    case 'redacted_thinking':
      // The type stays in `extra`: the data means nothing without it.
      return { type: 'reasoning', text: '', ...withNotes(block.rest()) };
    case 'tool_result':
      throw badRequest(block.at('type'), "blocks of the type 'tool_result' belong into a user's message");
    default:
      return unknownPart(block);
  }
}

/** Takes a block that only this API knows, which gets it back at its place. Others are told what it holds. */
function unknownPart(block: Members): TextPart {
  const rest = block.rest() ?? {};
  const standIn = standInFor(rest);
  return { type: 'text', text: '', ...(standIn !== '' && { standIn }), ...withNotes(rest) };
}

function callPart(block: Members): ToolCall {
  block.take('type');
  const id = requiredId(block, 'id');
  const name = block.requiredString('name', 'the name of the tool that was called');
  if (name === '') throw wrong(block.at('name'), 'the name of the tool that was called', name);
  const { spelling, ...input } = callInput(block);
  return { type: 'tool-call', id, name, ...input, ...withNotes(block.rest(), spelling) };
}

/** Reads the input of a call. One that is no object is kept as it came: clients repeat what a model wrote. */
function callInput(block: Members): Pick<ToolCall, 'input' | 'raw' | 'broken'> & { spelling?: Spelling } {
  const value = block.take('input') ?? block.peek('input');
  if (fieldsOf(value) !== undefined) {
    const input = toExact(value, 'bad-conversation', block.at('input'));
    return { input: toPlain(input) as JsonObject, raw: stringifyJson(input, 'compact') };
  }
  const came = toOpaque(value ?? undefined, block.at('input'));
  const { raw, broken = raw } = readArguments(came ?? '');
  const input = toPlain(parseExact(raw)) as JsonObject;
  return { input, raw, broken, ...(came !== undefined && { spelling: { input: came } }) };
}

function resultPart(block: Members): ToolResult {
  block.take('type');
  const callId = requiredId(block, 'tool_use_id');
  const isError = block.peek('is_error') !== false && block.boolean('is_error') === true;
  const content = block.peek('content') ?? undefined;
  const listed = content === undefined || typeof content === 'string' || Array.isArray(content);
  if (!listed) throw wrong(block.at('content'), 'a string or a list of blocks', content);
  // Only a non-empty string is taken; any other spelling stays in the rest: see encodeResult.
  if (typeof content === 'string' && content !== '') block.take('content');
  const { output } = readContent(content, block.path);
  const spelling: Spelling =
    typeof output === 'string' ? {} : { blocks: toOpaque(block.take('content'), block.path) };
  const failed = isError && { isError };
  return { type: 'tool-result', callId, output, ...failed, ...withNotes(block.rest(), spelling) };
}

function requiredId(block: Members, key: string): string {
  const id = block.requiredString(key, 'the id of the call');
  if (id === '') throw wrong(block.at(key), 'the id of the call', id);
  return id;
}
