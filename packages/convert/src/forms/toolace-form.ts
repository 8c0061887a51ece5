// Rows in the published form of Team-ACE/ToolACE:
//
//     {"system": "You are an expert in composing functions. […] Here is a list of functions in JSON format that you
//                 can invoke:\n[{\"name\": \"Get Fare\", \"description\": \"…\", \"parameters\": {\"type\": \"dict\", …},
//                 \"required\": null}]. \nShould you decide to return the function call(s). […]",
//      "conversations": [
//        {"from": "user", "value": "What does train 7 cost?"},
//        {"from": "assistant", "value": "[Get Fare(train=\"7\")]"},
//        {"from": "tool", "value": "[{\"name\": \"Get Fare\", \"results\": {\"eur\": 12.5}}]"},
//        {"from": "assistant", "value": "12.50 euros."}]}
//
// Calls (call-list.ts) and functions (toolace-tools.ts) are text. The results of a turn are one list, in the order of
// the calls, with the names of their tools; there are no ids. By the rules of the published data, a message is text or
// calls, but some rows have both: then the list is on a line of its own after the text.

import type { AssistantMessage, ExactValue, Message, RepairCode, ToolResult } from '@dragoman/core/internal';
import { writeSpaced } from '@dragoman/core/internal';
import { findCallList, listFrames, writeCallList } from './call-list.js';
import { type Note, type Row, RowError, wrongRow } from './form.js';
import { readText, writeText } from './frame-text.js';
import { readGenerously } from './generous-json.js';
import { addExtra, isRow, memberAt, memberOf, putExtra } from './members.js';
import type { PlainContext, PlainTurn } from './plain-turns.js';
import { makeResult, namesOf, plainForm, systemOf, systemTurn, textMessage, turnsOf } from './plain-turns.js';
import { readSystem, writeSystem } from './toolace-tools.js';

export const toolaceForm = plainForm({
  name: 'toolace',
  about: 'ToolACE: {system, conversations}, with calls as [func(name="value")] in the text',
  richResults: true,
  read: readToolace,
  write: writeToolace,
});

// ---------------------------------------------------------------- reading

const roles = new Map<string, Message['role']>([
  ['user', 'user'],
  ['human', 'user'],
  ['assistant', 'assistant'],
  ['gpt', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
  ['observation', 'tool'],
  ['system', 'system'],
]);
const publishedRoles: readonly unknown[] = ['user', 'assistant', 'tool', 'system'];

const keys: ReadonlySet<string> = new Set(['system', 'conversations']);
const turnKeys: ReadonlySet<string> = new Set(['from', 'value']);

function readToolace(row: Row, notes: Note[]) {
  const list = turnsOf(row);
  const { text, tools } = readSystem(systemOf(row), notes);
  const messages = list.map((turn, at) => readTurn(turn, `conversations[${at}]`, notes));
  if (text !== '') messages.unshift(textMessage('system', text));
  return { messages, tools, keys };
}

function readTurn(turn: ExactValue, path: string, notes: Note[]): Message {
  if (!isRow(turn)) throw wrongRow(path, 'a turn: {from, value}', turn);
  const from = memberOf(turn, 'from');
  const role = typeof from === 'string' ? roles.get(from) : undefined;
  if (!role) throw wrongRow(`${path}.from`, 'one of user, assistant, tool', from);
  if (!publishedRoles.includes(from))
    notes.push({ kind: 'repair', code: 'other-spelling', path: `${path}.from` });
  const value = memberOf(turn, 'value') ?? '';
  if (typeof value !== 'string') throw wrongRow(`${path}.value`, 'what was said, as a string', value);
  const message = readValue(role, value, `${path}.value`, notes);
  addExtra(message, turn, turnKeys);
  return message;
}

function readValue(role: Message['role'], value: string, path: string, notes: Note[]): Message {
  if (role === 'assistant') return { role, parts: readAnswer(value, path, notes) };
  if (role === 'tool') return { role, parts: readResults(value, path, notes) };
  return textMessage(role, value);
}

function readAnswer(value: string, path: string, notes: Note[]): AssistantMessage['parts'] {
  const list = value.includes('[') ? findCallList(value) : undefined;
  if (!list) {
    const trimmed = value.trim();
    const failed =
      trimmed.endsWith(')]') && listFrames(trimmed).acts(trimmed, 0, 1) && trimmed.startsWith('[');
    if (failed) notes.push({ kind: 'issue', code: 'unreadable-call', path });
    return textParts(value, path, notes);
  }
  for (const note of list.notes) notes.push({ ...note, path });
  const before = value.slice(0, list.start);
  const text = before.endsWith('\n') ? before.slice(0, -1) : '';
  const after = value.slice(list.end).trim();
  if (after !== '') notes.push({ kind: 'issue', code: 'text-after-calls', path });
  return [...textParts(text, path, notes), ...list.calls, ...textParts(after, path, notes)];
}

function textParts(text: string, path: string, notes: Note[]): AssistantMessage['parts'] {
  return text === '' ? [] : [{ type: 'text', text: readText(text, listFrames(text), path, notes) }];
}

const outputKeys = ['results', 'result', 'response', 'output', 'content', 'data'];

function readResults(value: string, path: string, notes: Note[]): ToolResult[] {
  const read = readGenerously(value);
  const list = isRow(read?.value) ? [read.value] : read?.value;
  const entries = Array.isArray(list) && list.length > 0 ? list.map(toResult) : [undefined];
  if (!read || entries.some((entry) => entry === undefined)) {
    notes.push({ kind: 'issue', code: 'wrong-type', path });
    return [makeResult(value)];
  }
  const codes = new Set<RepairCode>(read.repairs);
  if (isRow(read.value)) codes.add('bare-object');
  const found = entries as { result: ToolResult; key: string }[];
  if (found.some(({ key }) => key !== 'results')) codes.add('other-key');
  for (const code of codes) notes.push({ kind: 'repair', code, path });
  return found.map(({ result }) => result);
}

/** Reads `{name, results}`; also if the results have another key, or are an error. */
function toResult(entry: ExactValue): { result: ToolResult; key: string } | undefined {
  if (!isRow(entry)) return undefined;
  const name = memberOf(entry, 'name');
  const key = [...outputKeys, 'error'].find((candidate) => memberAt(entry, candidate) !== undefined);
  if (key === undefined || (name !== undefined && typeof name !== 'string')) return undefined;
  const result = makeResult(memberAt(entry, key) as ExactValue, name);
  if (key === 'error') result.isError = true;
  addExtra(result, entry, new Set(['name', key]));
  return { result, key };
}

// ---------------------------------------------------------------- writing

type ToolaceTurn = { [key: string]: ExactValue };

function writeToolace(turns: PlainTurn[], { tools, own, notes }: PlainContext): [string, ExactValue][] {
  const text = systemTurn(turns) ?? '';
  const names = namesOf(turns);
  const written: ToolaceTurn[] = [];
  let entries: ToolaceTurn[] = [];
  for (const [at, turn] of turns.entries()) {
    if (at === 0 && text !== '') continue;
    if (turn.role !== 'tool')
      written.push(withExtra({ from: turn.role, value: writeValue(turn, notes) }, turn));
    else {
      if (turns[at - 1]?.role !== 'tool') entries = [];
      entries.push(...turn.results.map((result) => writeResult(result, names, own)));
      if (turns[at + 1]?.role === 'tool') continue;
      written.push(withExtra({ from: 'tool', value: writeSpaced(entries) }, turn));
    }
  }
  return [
    ['system', writeSystem(text, tools, own, notes)],
    ['conversations', written],
  ];
}

function withExtra(turn: ToolaceTurn, { extra }: PlainTurn): ToolaceTurn {
  putExtra(turn, extra);
  return turn;
}

function writeValue(turn: PlainTurn, notes: Note[]): string {
  const { role, text, calls, at } = turn;
  if (role !== 'assistant') return text;
  const value = writeText(text, listFrames(text), `messages[${at}]`, notes);
  if (calls.length === 0) return value;
  const list = writeCallList(calls);
  if (list === undefined) {
    const path = `messages[${at}]`;
    throw new RowError(
      path,
      `${path}: a name that holds brackets, quotes or the like cannot be called in this form`,
    );
  }
  return value === '' ? list : `${value}\n${list}`;
}

function writeResult(result: ToolResult, names: ReadonlyMap<string, string>, own: boolean): ToolaceTurn {
  const name = result.name ?? names.get(result.callId);
  const entry: ToolaceTurn = { ...(name !== undefined && { name }), results: result.output as ExactValue };
  if (own) putExtra(entry, result.extra);
  return entry;
}
