// A client's request to the Responses API.

import type { Message, ModelRequest, Settings } from '../../model/index.js';
import { decodeFormat } from '../answer-format.js';
import { clientFault, Members, wrong } from '../members.js';
import { withNotes } from '../notes.js';
import { effortIn } from '../openai-chat/thinking.js';
import { defined, memberOf, stringOf, toOpaque } from '../values.js';
import { type DecodedInput, decodeItems } from './decode-input.js';
import { type DecodedTools, decodeToolChoice, decodeToolList } from './decode-tools.js';
import type { RequestNotes } from './spelling.js';

export function decodeRequest(body: unknown): ModelRequest {
  return clientFault(() => readRequest(Members.of(body, '', 'a request: {model, input, …}')));
}

function readRequest(members: Members): ModelRequest {
  const model = members.requiredString('model', 'the name of a model');
  const notes: RequestNotes = {};
  const list = members.list('tools', 'a list of tools');
  const listed = decodeToolList(list ?? []);
  if (list !== undefined) notes.tools = listed.slots;
  const into: DecodedTools = { tools: [...listed.tools], skipped: [...listed.skipped] };
  const input = readInput(members, notes, into);
  const messages = [...readInstructions(members), ...input.messages];
  const { skipped } = into;
  // Items of the input may bring more.
  const tools = into.tools.length > listed.tools.length ? into.tools : listed.tools;
  const said = members.take('tool_choice');
  const choice = decodeToolChoice(said ?? 'auto', 'tool_choice', into);
  if (said !== undefined) notes.toolChoice = { said: toOpaque(said, 'tool_choice'), read: choice.toolChoice };
  const settings = readSettings(members);
  const stream = members.boolean('stream');
  if (stream === false) notes.stream = true;
  const format = decodeFormat(memberOf(members.peek('text'), 'format'), 'text.format');
  return {
    api: 'openai-responses',
    model,
    conversation: { messages, tools, ...choice },
    settings,
    stream: stream ?? false,
    ...(format && { format }),
    ...(skipped.length > 0 && { skippedTools: skipped }),
    ...(input.references.length > 0 && { references: input.references }),
    ...(input.unread.length > 0 && { unreadItems: input.unread }),
    ...withNotes(members.rest(), notes),
  };
}

/** Reads `instructions` as a system message. An empty text is left in the rest. */
function readInstructions(members: Members): Message[] {
  if (members.peek('instructions') === '') return [];
  const text = members.string('instructions');
  if (text === undefined) return [];
  return [
    { role: 'system', parts: [{ type: 'text', text }], ...withNotes(undefined, { instructions: true }) },
  ];
}

function readInput(members: Members, notes: RequestNotes, tools: DecodedTools): DecodedInput {
  const input = members.take('input');
  if (typeof input === 'string') {
    notes.string = true;
    const message: Message = { role: 'user', parts: [{ type: 'text', text: input }] };
    return { messages: [message], after: [], references: [], unread: [] };
  }
  if (!Array.isArray(input)) throw wrong('input', 'a string or a list of items', members.peek('input'));
  const decoded = decodeItems(input, 'input', tools);
  if (decoded.after.length > 0) notes.after = decoded.after;
  return decoded;
}

function readSettings(members: Members): Settings {
  return defined({
    maxTokens: members.number('max_output_tokens', { min: 1, whole: true }),
    temperature: members.number('temperature', { min: 0, max: 2 }),
    topP: members.number('top_p', { min: 0, max: 1 }),
    parallelCalls: members.boolean('parallel_tool_calls'),
    thinking: thinkingOf(members.peek('reasoning')),
    effort: effortOf(members.peek('reasoning')),
  });
}

export function effortOf(reasoning: unknown): string | undefined {
  return effortIn(stringOf(reasoning, 'effort'));
}

/** Whether `reasoning: {effort}` asks for thinking. */
export function thinkingOf(reasoning: unknown): boolean | undefined {
  if (reasoning === undefined || reasoning === null) return undefined;
  const effort = Members.of(reasoning, 'reasoning', 'an object: {effort, summary}').string('effort');
  return effort === undefined ? undefined : effort !== 'none';
}
