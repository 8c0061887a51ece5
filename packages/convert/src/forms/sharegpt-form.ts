// Rows of the ShareGPT kind: a list of turns, each with its speaker.
//
//     {"conversations": [
//        {"from": "human", "value": "How warm is it in Oslo?"},
//        {"from": "function_call", "value": "{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}"},
//        {"from": "observation", "value": "{\"celsius\": 3}"},
//        {"from": "gpt", "value": "It is 3 degrees."}],
//      "system": "Be brief.",
//      "tools": "[{\"name\": \"get_weather\", \"description\": \"…\", \"parameters\": {…}}]"}
//
// LLaMA-Factory publishes this form, and it is the one written here. Also read are the files of
// hermes-function-calling, with calls and results as tagged text in the turns of `gpt` and `tool`,
//
//     {"from": "gpt", "value": "<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>"}
//     {"from": "tool", "value": "<tool_response>\n{\"name\": \"f\", \"content\": {}}\n</tool_response>"}
//
// and other names of the roles. Neither calls nor results have ids: the results of a turn answer its calls in order. A
// message with text and calls is written as two turns, `gpt` and `function_call`, and read back as one message.

import { type AssistantMessage, type ExactValue, type Message, writeSpaced } from '@dragoman/core/internal';
import { callTags, readTaggedCalls, readTaggedResults, resultTags } from '../text/tagged-turns.js';
import { exactInput } from './call-input.js';
import { callsOf, type ReadCalls, readCalls } from './call-json.js';
import { type Note, type Row, wrongRow } from './form.js';
import { writeText } from './frame-text.js';
import { noteLoss } from './losses.js';
import { addExtra, isRow, memberOf, putExtra } from './members.js';
import type { PlainContext, PlainTurn } from './plain-turns.js';
import { makeResult, plainForm, systemOf, systemTurn, textMessage, turnsOf } from './plain-turns.js';
import { readDefinitions, writeDefinition } from './tool-definitions.js';

export const sharegptForm = plainForm({
  name: 'sharegpt',
  about: 'ShareGPT: {conversations: [{from, value}], system, tools}, as LLaMA-Factory and Hermes publish it',
  richResults: false,
  read: readSharegpt,
  write: writeSharegpt,
});

// ---------------------------------------------------------------- reading

type Kind = 'system' | 'user' | 'assistant' | 'calls' | 'results';

const published: readonly [Kind, readonly string[]][] = [
  ['system', ['system']],
  ['user', ['human', 'user']],
  ['assistant', ['gpt', 'assistant']],
  ['calls', ['function_call']],
  ['results', ['observation', 'tool', 'function_response']],
];
const others: readonly [Kind, readonly string[]][] = [
  ['assistant', ['chatgpt', 'model', 'bot', 'bing', 'bard']],
  ['calls', ['function-call', 'tool_call', 'tool_calls', 'function_calls']],
  ['results', ['function-response', 'tool_response', 'function', 'tool_result', 'ipython']],
];
const toKinds = (list: typeof published) =>
  new Map(list.flatMap(([kind, names]) => names.map((name) => [name, kind] as const)));
const kinds = toKinds(published);
const otherKinds = toKinds(others);

const keys: ReadonlySet<string> = new Set(['conversations', 'system', 'tools']);
const turnKeys: ReadonlySet<string> = new Set(['from', 'value']);
const otherTurnKeys: ReadonlySet<string> = new Set(['role', 'content']);

function readSharegpt(row: Row, notes: Note[]) {
  const list = turnsOf(row);
  const system = systemOf(row);
  const messages: Message[] = system === '' ? [] : [textMessage('system', system)];
  let before: Kind = 'system';
  for (const [at, item] of list.entries()) before = readTurn(messages, item, before, at, notes);
  const tools = readDefinitions(memberOf(row, 'tools'), 'tools', notes);
  return { messages, tools, keys };
}

/** Reads a turn and gives its kind for the next one: calls after a text or other calls belong to the same message. */
function readTurn(messages: Message[], turn: ExactValue, before: Kind, at: number, notes: Note[]): Kind {
  const path = `conversations[${at}]`;
  if (!isRow(turn)) throw wrongRow(path, 'a turn: {from, value}', turn);
  const isOther = memberOf(turn, 'from') === undefined && memberOf(turn, 'role') !== undefined;
  if (isOther) notes.push({ kind: 'repair', code: 'other-key', path });
  const kind = kindOf(
    memberOf(turn, isOther ? 'role' : 'from'),
    `${path}.${isOther ? 'role' : 'from'}`,
    notes,
  );
  const value = memberOf(turn, isOther ? 'content' : 'value');
  const valuePath = `${path}.${isOther ? 'content' : 'value'}`;
  if (value === undefined) notes.push({ kind: 'repair', code: 'missing-value', path: valuePath });
  const message = readValue(kind, value ?? '', valuePath, notes);
  addExtra(message, turn, isOther ? otherTurnKeys : turnKeys);
  const last = messages.at(-1);
  const joins = kind === 'calls' && (before === 'assistant' || before === 'calls');
  if (joins && last?.role === 'assistant' && message.role === 'assistant') append(last, message);
  else messages.push(message);
  return kind;
}

function append(last: AssistantMessage, message: AssistantMessage): void {
  last.parts.push(...message.parts);
  if (message.extra) last.extra = { ...last.extra, ...message.extra };
}

function kindOf(name: ExactValue | undefined, path: string, notes: Note[]): Kind {
  const known = typeof name === 'string' ? kinds.get(name) : undefined;
  if (known) return known;
  const other =
    typeof name === 'string' ? (otherKinds.get(name) ?? kinds.get(name.toLowerCase())) : undefined;
  const expected = 'one of human, gpt, system, function_call, observation, tool';
  if (!other) throw wrongRow(path, expected, name);
  notes.push({ kind: 'repair', code: 'other-spelling', path });
  return other;
}

function readValue(kind: Kind, value: ExactValue, path: string, notes: Note[]): Message {
  if (kind === 'calls') return callMessage(value, path, notes);
  if (kind === 'results') return resultMessage(value, path, notes);
  if (typeof value !== 'string') throw wrongRow(path, 'what was said, as a string', value);
  if (kind !== 'assistant') return textMessage(kind, value);
  return { role: 'assistant', parts: readTaggedCalls(value, path, notes) };
}

function callMessage(value: ExactValue, path: string, notes: Note[]): Message {
  const read = typeof value === 'string' ? readCalls(value) : callsAsValue(value, path, notes);
  if (read) {
    for (const code of read.repairs) notes.push({ kind: 'repair', code, path });
    return { role: 'assistant', parts: read.calls };
  }
  notes.push({ kind: 'issue', code: 'unreadable-call', path });
  return textMessage('assistant', typeof value === 'string' ? value : writeSpaced(value));
}

function callsAsValue(value: ExactValue, path: string, notes: Note[]): ReadCalls | undefined {
  notes.push({ kind: 'repair', code: 'other-spelling', path });
  return callsOf({ value, repairs: [] });
}

function resultMessage(value: ExactValue, path: string, notes: Note[]): Message {
  if (typeof value === 'string') return { role: 'tool', parts: readTaggedResults(value, path, notes) };
  notes.push({ kind: 'repair', code: 'other-spelling', path });
  return { role: 'tool', parts: [makeResult(value)] };
}

// ---------------------------------------------------------------- writing

type SharegptTurn = { [key: string]: ExactValue };

function writeSharegpt(turns: PlainTurn[], context: PlainContext): [string, ExactValue][] {
  const { own, notes } = context;
  const system = systemTurn(turns);
  const others = system === undefined ? turns : turns.slice(1);
  const members: [string, ExactValue][] = [
    ['conversations', others.flatMap((turn, at) => write(turn, others[at - 1], notes))],
  ];
  if (system !== undefined) members.push(['system', system]);
  const tools = context.tools.map((tool) => writeDefinition(tool, own));
  if (tools.length > 0) members.push(['tools', writeSpaced(tools)]);
  return members;
}

function write(turn: PlainTurn, before: PlainTurn | undefined, notes: Note[]): SharegptTurn[] {
  const out = turn.role === 'assistant' ? writeAnswer(turn, before, notes) : writeOther(turn, notes);
  if (out[0]) putExtra(out[0], turn.extra);
  return out;
}

function writeOther(turn: PlainTurn, notes: Note[]): SharegptTurn[] {
  if (turn.role === 'system') return [{ from: 'system', value: turn.text }];
  if (turn.role === 'user') return [{ from: 'human', value: turn.text }];
  return turn.results.map(({ output }, index) => {
    const text = typeof output === 'string' ? output : writeSpaced(output);
    const value = writeText(text, resultTags(text), `messages[${turn.at}].parts[${index}]`, notes);
    return { from: 'observation', value };
  });
}

function writeAnswer(
  { text, calls, at }: PlainTurn,
  before: PlainTurn | undefined,
  notes: Note[],
): SharegptTurn[] {
  const turns: SharegptTurn[] = [];
  const value = writeText(text, callTags, `messages[${at}]`, notes);
  if (value !== '' || calls.length === 0) turns.push({ from: 'gpt', value });
  else if (before?.role === 'assistant') noteLoss(notes, 'message-bounds', `messages[${at}]`);
  const list = calls.map((call) => ({ name: call.name, arguments: exactInput(call) }));
  const [only] = list;
  if (only) turns.push({ from: 'function_call', value: writeSpaced(list.length === 1 ? only : list) });
  return turns;
}
