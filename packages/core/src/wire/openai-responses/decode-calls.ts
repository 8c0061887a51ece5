// Reads calls and their outputs, as items of a request. Every kind of call that names its arguments becomes a tool call
// of the model; its kind is kept in `extra`.

import { freeformInput } from '../../model/freeform.js';
import type { Extra, JsonObject, ToolCall, ToolResult } from '../../model/index.js';
import { parseExact, toPlain } from '../../model/index.js';
import { readArguments } from '../call-arguments.js';
import { Members, wrong } from '../members.js';
import { withNotes } from '../notes.js';
import { readContent } from '../result-content.js';
import { toOpaque } from '../values.js';
import { flatName, type ItemNotes } from './spelling.js';

const outputTypes = ['function_call_output', 'custom_tool_call_output', 'local_shell_call_output'];
const textTypes = ['input_text', 'output_text', 'text'];

export const isOutput = (type: string): boolean => outputTypes.includes(type);

/** Gives the name of the member that holds the id of the call that is answered. */
export function outputId(type: unknown): string {
  return type === 'local_shell_call_output' ? 'id' : 'call_id';
}

export function functionCall(members: Members, notes: ItemNotes): ToolCall {
  const given = readArguments(members.take('arguments') ?? '');
  const input = toPlain(parseExact(given.raw)) as JsonObject;
  return call(members, calledName(members), { input, ...given }, notes);
}

export function customCall(members: Members, notes: ItemNotes): ToolCall {
  const input = freeformInput(members.requiredString('input'));
  return call(members, calledName(members), { input, raw: JSON.stringify(input), freeform: true }, notes);
}

function calledName(members: Members): string {
  const name = members.requiredString('name', 'the name of the tool');
  const namespace = members.peek('namespace');
  return typeof namespace === 'string' ? flatName(namespace, name) : name;
}

export function shellCall(members: Members, notes: ItemNotes): ToolCall {
  const action = Members.of(members.take('action'), members.at('action'), 'an action: {type, command, …}');
  const input = (action.rest() ?? {}) as JsonObject;
  return call(members, 'local_shell', { input, raw: JSON.stringify(input) }, notes);
}

type CallInput = Pick<ToolCall, 'input' | 'raw' | 'broken' | 'freeform'>;

function call(members: Members, name: string, input: CallInput, notes: ItemNotes): ToolCall {
  const id = members.requiredString('call_id', 'the id of the call');
  if (name === '') throw wrong(members.at('name'), 'the name of the tool that was called', name);
  return { type: 'tool-call', id, name, ...input, ...withNotes(members.rest(), notes) };
}

export function result(members: Members, notes: ItemNotes): ToolResult {
  const idKey = outputId(members.peek('type'));
  const callId = members.requiredString(idKey, 'the id of the call it answers');
  const value = members.take('output');
  const path = members.at('output');
  if (typeof value === 'string') {
    return { type: 'tool-result', callId, output: value, ...withNotes(members.rest(), notes) };
  }
  if (!Array.isArray(value)) throw wrong(path, 'a string or a list of parts', members.peek('output'));
  for (const [at, part] of value.entries()) checkPart(part, `${path}[${at}]`);
  return listedResult(callId, toOpaque(value, path) as unknown[], members.rest(), notes);
}

function listedResult(callId: string, list: unknown[], rest: Extra = {}, notes: ItemNotes): ToolResult {
  const { output, content } = readContent(list, '');
  const result = { type: 'tool-result', callId, output } as const;
  if (content === undefined) return { ...result, ...withNotes(rest, { ...notes, output: list }) };
  const own = Object.hasOwn(rest, 'content') ? { content: rest.content } : {};
  return { ...result, ...withNotes({ ...rest, content }, { ...notes, ...own, listed: true }) };
}

function checkPart(value: unknown, path: string): void {
  const members = Members.of(value, path, 'a part: {type, …}');
  const type = members.string('type', 'the type of a part') ?? '';
  if (textTypes.includes(type)) members.requiredString('text');
}
