// Prepares a conversation for forms that only have text: one text for each turn, calls after it, results in the order
// of the calls, no ids. What does not fit is noted.

import {
  type Conversation,
  type ExactValue,
  type Extra,
  linkCalls,
  type Message,
  type Tool,
  type ToolCall,
  type ToolMessage,
  type ToolResult,
} from '@dragoman/core/internal';
import { type Form, type Note, type Row, wrongRow } from './form.js';
import { noteExtra, noteLoss, noteResult } from './losses.js';
import { joinRow, memberOf, restOf } from './members.js';
import { checkResultOrder } from './result-order.js';
import { noteChoice, noteTools } from './tools.js';

export interface PlainTurn {
  role: Message['role'];
  /** Its index among the messages. */
  at: number;
  text: string;
  calls: ToolCall[];
  results: ToolResult[];
  /** The `extra` of the message, if this form read it. */
  extra: Extra | undefined;
}

/** A form of published data, without the parts that all of them share. */
interface PlainForm extends Pick<Form, 'name' | 'about'> {
  /** Whether results have the names of their tools, and may be any JSON value: otherwise they are only text. */
  richResults: boolean;
  /** `keys`: the members of the row that were read. */
  read(row: Row, notes: Note[]): { messages: Message[]; tools: Tool[]; keys: ReadonlySet<string> };
  /** Gives the members of the row. */
  write(turns: PlainTurn[], context: PlainContext): [key: string, value: ExactValue][];
}

export interface PlainContext {
  tools: readonly Tool[];
  /** Whether the same form read the conversation, so that its `extra` is written again. */
  own: boolean;
  richResults: boolean;
  notes: Note[];
}

export function plainForm({ name, about, richResults, read, write }: PlainForm): Form {
  return {
    name,
    about,
    needsDialect: false,
    read(row) {
      const notes: Note[] = [];
      const { messages, tools, keys } = read(row, notes);
      const conversation = { messages: linkCalls(messages), tools, toolChoice: 'auto' as const };
      return { conversation, ...restOf(row, keys), form: name, notes };
    },
    write(transcript) {
      const { conversation, form } = transcript;
      const notes: Note[] = [];
      const context = { tools: conversation.tools, own: form === name, richResults, notes };
      const members = write(toPlainTurns(conversation, context), context);
      return { row: joinRow(members, transcript, notes), notes };
    },
  };
}

function toPlainTurns({ messages, toolChoice, extra }: Conversation, context: PlainContext): PlainTurn[] {
  const { tools, own, richResults, notes } = context;
  if (toolChoice !== 'auto') noteLoss(notes, 'tool-choice', 'toolChoice');
  else noteChoice(notes, extra);
  if (!own) noteTools(notes, tools, extra);
  checkResultOrder(messages, richResults);
  const turns = messages.map((message, at) => toTurn(message, at, context));
  orderResults(turns, notes);
  noteLinks(turns, richResults, notes);
  return turns;
}

function toTurn(message: Message, at: number, context: PlainContext): PlainTurn {
  const { own, notes } = context;
  if (!own) noteExtra(notes, message.extra, `messages[${at}]`, ...(message.role === 'tool' ? ['name'] : []));
  const extra = own ? message.extra : undefined;
  const turn: PlainTurn = { role: message.role, at, text: '', calls: [], results: [], extra };
  if (message.role === 'tool') takeResults(turn, message, context);
  else takeParts(turn, message, context);
  return turn;
}

function takeParts(
  turn: PlainTurn,
  message: Exclude<Message, ToolMessage>,
  { own, notes }: PlainContext,
): void {
  let texts = 0;
  for (const [index, part] of message.parts.entries()) {
    const path = `messages[${turn.at}].parts[${index}]`;
    if (part.type === 'reasoning') noteLoss(notes, 'reasoning', path);
    else if (part.type === 'media') noteLoss(notes, 'media', path);
    else if (part.type === 'tool-call') turn.calls.push(part);
    else if (part.text !== '') {
      if (turn.calls.length > 0) noteLoss(notes, 'text-after-calls', path);
      if (texts > 0) noteLoss(notes, 'part-order', path);
      texts += 1;
      turn.text += part.text;
    }
    if (!(own && part.type === 'tool-call')) noteExtra(notes, part.extra, path);
  }
}

function takeResults(turn: PlainTurn, message: ToolMessage, { own, richResults, notes }: PlainContext): void {
  for (const [index, result] of message.parts.entries()) {
    const path = `messages[${turn.at}].parts[${index}]`;
    if (result.isError) noteLoss(notes, 'result-errors', path);
    if (!richResults && typeof result.output !== 'string') noteLoss(notes, 'result-values', path);
    if (!own) noteResult(notes, result.extra, path);
    turn.results.push(result);
  }
}

// ---------------------------------------------------------------- results without ids

/** Puts results in the order of the calls of their turn, and notes every change. */
function orderResults(turns: readonly PlainTurn[], notes: Note[]): void {
  let calls = new Map<string, number>();
  for (let at = 0; at < turns.length; at++) {
    const turn = turns[at] as PlainTurn;
    if (turn.role === 'assistant') {
      if (turns[at - 1]?.role !== 'assistant') calls = new Map();
      for (const call of turn.calls) if (!calls.has(call.id)) calls.set(call.id, calls.size);
    }
    if (turn.role !== 'tool' || turns[at - 1]?.role === 'tool') continue;
    let end = at;
    while (turns[end]?.role === 'tool') end++;
    sortResults(turns.slice(at, end), calls, notes);
  }
}

/** Sorts the results of all messages of the run; each message keeps its number of results. */
function sortResults(run: readonly PlainTurn[], calls: ReadonlyMap<string, number>, notes: Note[]): void {
  const all = run.flatMap(({ results }) => results);
  const placeOf = (result: ToolResult) => calls.get(result.callId) ?? calls.size;
  if (all.every((result, at) => at === 0 || placeOf(all[at - 1] as ToolResult) <= placeOf(result))) return;
  const sorted = [...all].sort((a, b) => placeOf(a) - placeOf(b));
  let from = 0;
  for (const turn of run) {
    const results = sorted.slice(from, from + turn.results.length);
    if (results.some((result, at) => result !== turn.results[at]))
      noteLoss(notes, 'call-ids', `messages[${turn.at}]`);
    turn.results = results;
    from += results.length;
  }
}

/** Compares the ids and names with those that a reader would work out by itself, and notes the differences. */
function noteLinks(turns: readonly PlainTurn[], names: boolean, notes: Note[]): void {
  if (!turns.some(({ calls, results }) => calls.length > 0 || results.length > 0)) return;
  const known = namesOf(turns);
  const shadows = linkCalls(turns.map((turn) => shadowOf(turn, names, known)));
  const ids = new Map<string, string>();
  for (const [at, turn] of turns.entries()) {
    const shadow = shadows[at] as Message;
    for (const [index, part] of shadow.parts.entries()) {
      const path = `messages[${turn.at}].parts[${index}]`;
      if (part.type === 'tool-call') noteCallId(turn.calls[index] as ToolCall, part, ids, path, notes);
      if (part.type === 'tool-result')
        noteResultLink(turn.results[index] as ToolResult, part, ids, path, notes);
    }
  }
}

/** Gives the names of the tools by the ids of their calls. */
export function namesOf(turns: readonly PlainTurn[]): Map<string, string> {
  return new Map(turns.flatMap(({ calls }) => calls.map(({ id, name }) => [id, name] as const)));
}

function shadowOf(turn: PlainTurn, names: boolean, known: ReadonlyMap<string, string>): Message {
  const { role, calls, results } = turn;
  if (role === 'assistant') return { role, parts: calls.map((call) => ({ ...call, id: '' })) };
  if (role !== 'tool') return { role, parts: [] };
  return {
    role,
    parts: results.map(({ type, callId, name }) => {
      const called = names ? (name ?? known.get(callId)) : undefined;
      return { type, callId: '', output: '', ...(called !== undefined && { name: called }) };
    }),
  };
}

function noteCallId(
  call: ToolCall,
  made: ToolCall,
  ids: Map<string, string>,
  path: string,
  notes: Note[],
): void {
  ids.set(call.id, made.id);
  if (call.id !== made.id) noteLoss(notes, 'call-ids', path);
}

function noteResultLink(
  result: ToolResult,
  made: ToolResult,
  ids: ReadonlyMap<string, string>,
  path: string,
  notes: Note[],
): void {
  if ((ids.get(result.callId) ?? result.callId) !== made.callId) noteLoss(notes, 'call-ids', path);
  if (result.name !== undefined && result.name !== made.name) noteLoss(notes, 'result-names', path);
}

// ---------------------------------------------------------------- reading

/** Reads the member `system`; '' if there is none. */
export function systemOf(row: Row): string {
  const system = memberOf(row, 'system') ?? '';
  if (typeof system !== 'string') throw wrongRow('system', 'the system prompt as a string', system);
  return system;
}

/** Reads the list of turns, as ShareGPT and ToolACE have it. */
export function turnsOf(row: Row): ExactValue[] {
  const list = memberOf(row, 'conversations');
  if (!Array.isArray(list)) throw wrongRow('conversations', 'a list of turns: {from, value}', list);
  return list;
}

/** Gives the text of the first turn, where it is a system text that has a place of its own in the row. */
export function systemTurn([first]: readonly PlainTurn[]): string | undefined {
  return first?.role === 'system' && first.text !== '' && !first.extra ? first.text : undefined;
}

export function textMessage(role: 'system' | 'user' | 'assistant', text: string): Message {
  if (role === 'assistant') return { role, parts: text === '' ? [] : [{ type: 'text', text }] };
  return { role, parts: [{ type: 'text', text }] };
}

/** Makes a result for linkCalls to link. Its output stays exact, so every form writes it unchanged. */
export function makeResult(output: ExactValue, name?: string): ToolResult {
  return {
    type: 'tool-result',
    callId: '',
    ...(name !== undefined && { name }),
    output: output as ToolResult['output'],
  };
}
