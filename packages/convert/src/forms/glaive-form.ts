// Rows in the published form of glaiveai/glaive-function-calling-v2: two strings.
//
//     {"system": "SYSTEM: You are a helpful assistant with access to the following functions. Use them if required -\n
//                 {\n    \"name\": \"get_exchange_rate\",\n    …}\n",
//      "chat": "USER: How much is a euro?\n\n\nASSISTANT: <functioncall> {\"name\": \"get_exchange_rate\",
//               \"arguments\": '{\"from\": \"EUR\"}'} <|endoftext|>\n\n\nFUNCTION RESPONSE: {\"rate\": 1.1}\n\n\n
//               ASSISTANT: A euro is 1.10 dollars. <|endoftext|>\n\n\n"}
//
// The arguments are JSON between single quotes, with nothing escaped. Text may come before a call, on lines of its own.
// There is one system text, at the beginning; calls and results have no ids. Rows of the first version hold the same in
// one string, `{"sample": "SYSTEM: … USER: …"}`, with single line breaks between turns: they are read, too.

import type { AssistantMessage, ExactValue, Message, ToolCall } from '@dragoman/core/internal';
import { writeSpaced } from '@dragoman/core/internal';
import { exactInput } from './call-input.js';
import { readCalls } from './call-json.js';
import { type Note, type Row, wrongRow } from './form.js';
import { type Frames, readText, writeText } from './frame-text.js';
import { BREAKS, type ChatTurn, chatFrames, type Speaker, splitChat } from './glaive-chat.js';
import { readSystem, writeSystem } from './glaive-system.js';
import { noteLoss } from './losses.js';
import { memberOf } from './members.js';
import type { PlainContext, PlainTurn } from './plain-turns.js';
import { makeResult, plainForm, systemOf, textMessage } from './plain-turns.js';

export const glaiveForm = plainForm({
  name: 'glaive',
  about: 'Glaive function calling: {system, chat}, one string with USER:, ASSISTANT: and FUNCTION RESPONSE:',
  richResults: false,
  read: readGlaive,
  write: writeGlaive,
});

const CALL = '<functioncall>';
const END = '<|endoftext|>';

/** A call begins at the start of a text or after white space. */
const callFrames: Frames = {
  firsts: '<',
  acts: (text, at, tail) =>
    text.startsWith(CALL.slice(1), tail) && (at === 0 || text.charAt(at - 1).trim() === ''),
};

// ---------------------------------------------------------------- reading

const rowKeys: ReadonlySet<string> = new Set(['system', 'chat']);
const sampleKeys: ReadonlySet<string> = new Set(['sample']);

function readGlaive(row: Row, notes: Note[]) {
  const isSample = memberOf(row, 'chat') === undefined && typeof memberOf(row, 'sample') === 'string';
  const { system, turns, key } = isSample ? readSample(row) : readChat(row);
  const { text, tools } = readSystem(system, isSample ? 'sample' : 'system', notes);
  const messages = turns.map((turn) => readTurn(turn, key, notes));
  if (text !== undefined) messages.unshift(textMessage('system', text));
  return { messages, tools, keys: isSample ? sampleKeys : rowKeys };
}

interface Source {
  system: string;
  turns: ChatTurn[];
  key: string;
}

const beginning = 'a chat that begins with USER: or ASSISTANT:';

function readChat(row: Row): Source {
  const chat = memberOf(row, 'chat');
  if (typeof chat !== 'string') throw wrongRow('chat', 'the chat as one string', chat);
  const system = systemOf(row);
  const turns = splitChat(chat, 2);
  if (!turns) throw wrongRow('chat', beginning, chat);
  return { system, turns, key: 'chat' };
}

function readSample(row: Row): Source {
  const sample = String(memberOf(row, 'sample'));
  const turns = splitChat(sample, 1, ['SYSTEM']);
  if (!turns) throw wrongRow('sample', beginning.replace('USER:', 'SYSTEM:, USER:'), sample);
  const [first, ...others] = turns;
  const isSystem = first?.speaker === 'SYSTEM';
  return { system: isSystem ? `SYSTEM: ${first.text}` : '', turns: isSystem ? others : turns, key: 'sample' };
}

function readTurn({ speaker, text }: ChatTurn, path: string, notes: Note[]): Message {
  if (speaker === 'ASSISTANT') return { role: 'assistant', parts: readAnswer(text, path, notes) };
  const shown = readText(text, chatFrames, path, notes);
  return speaker === 'USER' ? textMessage('user', shown) : { role: 'tool', parts: [makeResult(shown)] };
}

function readAnswer(body: string, path: string, notes: Note[]): AssistantMessage['parts'] {
  const answer = withoutEnd(body, path, notes);
  let at = answer.indexOf(CALL);
  while (at >= 0 && !callFrames.acts(answer, at, at + 1)) at = answer.indexOf(CALL, at + 1);
  if (at < 0) return textParts(answer, path, notes);
  const calls = callsFrom(answer, at, path, notes);
  const text = calls ? answer.slice(0, Math.max(0, at - 1)) : answer;
  return [...textParts(text, path, notes), ...(calls ?? [])];
}

/** Removes the token that ends each answer. One in the middle of an answer is text. */
function withoutEnd(body: string, path: string, notes: Note[]): string {
  const trimmed = body.endsWith(END) ? body : body.trimEnd();
  if (!trimmed.endsWith(END)) {
    notes.push({ kind: 'repair', code: body.includes(END) ? 'stray-marker' : 'missing-closer', path });
    return body;
  }
  const answer = trimmed.slice(0, -END.length);
  return answer.endsWith(' ') ? answer.slice(0, -1) : answer;
}

/** Reads the calls from the first one to the end. Each further call begins a line. */
function callsFrom(answer: string, start: number, path: string, notes: Note[]): ToolCall[] | undefined {
  const calls: ToolCall[] = [];
  const found: Note[] = [];
  for (const piece of answer.slice(start + CALL.length).split(`\n${CALL}`)) {
    const read = readCalls(piece.trim());
    if (!read) {
      notes.push({ kind: 'issue', code: 'unreadable-call', path });
      return undefined;
    }
    for (const code of read.repairs) found.push({ kind: 'repair', code, path });
    calls.push(...read.calls);
  }
  notes.push(...found);
  return calls;
}

function textParts(text: string, path: string, notes: Note[]): AssistantMessage['parts'] {
  if (text === '') return [];
  return [{ type: 'text', text: readText(readText(text, callFrames, path, notes), chatFrames, path, notes) }];
}

// ---------------------------------------------------------------- writing

function writeGlaive(turns: PlainTurn[], { tools, own, notes }: PlainContext): [string, ExactValue][] {
  const [first] = turns;
  const text = first?.role === 'system' ? first.text : undefined;
  const system = writeSystem(text, tools, own, notes);
  const others = text === undefined ? turns : turns.slice(1);
  const chat = others.map((turn) => writeTurn(turn, notes)).join('');
  return [
    ['system', system],
    ['chat', chat],
  ];
}

function writeTurn(turn: PlainTurn, notes: Note[]): string {
  const path = `messages[${turn.at}]`;
  // There is one system text, before the chat.
  if (turn.role === 'system') noteLoss(notes, 'roles', path);
  if (turn.role === 'user' || turn.role === 'system')
    return frame('USER', writeText(turn.text, chatFrames, path, notes));
  if (turn.role === 'assistant') return frame('ASSISTANT', `${writeAnswer(turn, path, notes)} ${END}`);
  return turn.results
    .map(({ output }, index) => {
      const text = typeof output === 'string' ? output : writeSpaced(output);
      return frame('FUNCTION RESPONSE', writeText(text, chatFrames, `${path}.parts[${index}]`, notes));
    })
    .join('');
}

function frame(speaker: Speaker, text: string): string {
  return `${speaker}: ${text}${BREAKS}`;
}

function writeAnswer({ text, calls }: PlainTurn, path: string, notes: Note[]): string {
  const shown = writeText(writeText(text, chatFrames, path, notes), callFrames, path, notes);
  const written = calls.map((call) => `${CALL} ${writeCall(call)}`);
  return [...(shown === '' ? [] : [shown]), ...written].join('\n');
}

function writeCall(call: ToolCall): string {
  const input = writeSpaced(exactInput(call));
  return `{"name": ${JSON.stringify(call.name)}, "arguments": '${input}'}`;
}
