// Rows in the shape of an API's conversations. The API's codec reads and writes them (core's wire/<api>/transcript.ts),
// and its reports become notes.

import type { Message, TranscriptCodec, WriteContext } from '@dragoman/core/internal';
import { chatTranscript, lastKeys, linkCalls, messagesTranscript } from '@dragoman/core/internal';
import { writeJson } from '../quick/plain-json.js';
import { exactInput, inputText, isMissing, readCallInput } from './call-input.js';
import type { Form, Note, ReadTranscript, Row, Transcript, WrittenRow } from './form.js';
import { inRow } from './form.js';
import { callNames, noteExtra, noteLoss, noteResult } from './losses.js';
import { joinRow, memberOf, messageList, putExtra, restOf } from './members.js';
import { withoutOrphans } from './orphan-results.js';
import {
  arrivedChoice,
  keptOf,
  noteChoice,
  notedChoice,
  noteTools,
  readTools,
  toolNotes,
  wasEmpty,
  withKept,
} from './tools.js';

/** `{messages, tools?, tool_choice?}`, in any of the spellings that training files have. */
export const openaiForm: Form = apiForm(
  'openai',
  'OpenAI chat: {messages, tools}, with tool_calls and tool messages',
  chatTranscript,
);

/** `{system?, messages, tools?, tool_choice?}`, with blocks. */
export const anthropicForm: Form = apiForm(
  'anthropic',
  'Anthropic messages: {system, messages, tools}, with tool_use and tool_result blocks',
  messagesTranscript,
);

function apiForm(name: string, about: string, codec: TranscriptCodec): Form {
  return {
    name,
    about,
    needsDialect: false,
    read: (row) => readRow(row, name, codec),
    write: (transcript) => writeRow(transcript, transcript.form === name, codec),
  };
}

function readRow(row: Row, form: string, codec: TranscriptCodec): ReadTranscript {
  const notes: Note[] = [];
  const list = messageList(row);
  const messages = inRow(() =>
    codec.readMessages(row, list, {
      readInput: (value, path) => {
        if (isMissing(value)) notes.push({ kind: 'repair', code: 'missing-arguments', path });
        return readCallInput(value, path);
      },
      repaired: (code, path) => notes.push({ kind: 'repair', code, path }),
    }),
  );
  const toolsKey = codec.toolsKey(row);
  const reading = readTools(memberOf(row, toolsKey), toolsKey);
  const { toolChoice, extra: chosen } = notedChoice(inRow(() => codec.readChoice(row)));
  const noted = toolNotes(reading);
  const extra = chosen === undefined && noted === undefined ? undefined : { ...chosen, ...noted };
  const { tools } = reading;
  return {
    conversation: { messages: linkMessages(messages, notes), tools, toolChoice, ...(extra && { extra }) },
    ...restOf(row, codec.keys),
    form,
    notes,
  };
}

/**
 * Links calls and results. If every one has an id, which is almost always so, it only fills in names; else it uses the
 * model's `linkCalls`, and notes the ids that it made. Changes the given messages.
 */
function linkMessages(messages: Message[], notes: Note[]): Message[] {
  const missing = pathsWithoutIds(messages);
  for (const path of missing) notes.push({ kind: 'repair', code: 'missing-id', path });
  if (missing.length > 0) return linkCalls(messages);
  let names: Map<string, string> | undefined;
  for (const message of messages) {
    if (message.role !== 'tool') continue;
    names ??= callNames(messages);
    for (const part of message.parts) {
      const name = part.name ?? names.get(part.callId);
      if (name !== undefined) part.name = name;
    }
  }
  return messages;
}

function pathsWithoutIds(messages: readonly Message[]): string[] {
  const paths: string[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'assistant' && message.role !== 'tool') continue;
    for (const part of message.parts) {
      const bare =
        (part.type === 'tool-call' && part.id === '') || (part.type === 'tool-result' && part.callId === '');
      if (bare) paths.push(`messages[${at}]`);
    }
  }
  return paths;
}

function writeRow(transcript: Transcript, own: boolean, codec: TranscriptCodec): WrittenRow {
  const { tools, toolChoice, extra } = transcript.conversation;
  const notes: Note[] = [];
  const messages = own
    ? transcript.conversation.messages
    : withoutOrphans(transcript.conversation.messages, notes);
  const context = rowContext(messages, own, notes);
  const members = codec.writeMessages(messages, context);
  if (!own) noteTools(notes, tools, extra);
  const list = tools.map((tool, at) => codec.writeTool(tool, `tools[${at}]`, context));
  const all = own ? withKept(list, keptOf(extra)) : list;
  if (!own) noteChoice(notes, extra);
  const arrived = own ? arrivedChoice(extra) : undefined;
  const choice = arrived ?? (toolChoice === 'auto' ? undefined : codec.writeChoice(toolChoice));
  if (all.length > 0 || (own && wasEmpty(extra))) members.push([lastKeys.tools, all]);
  if (choice !== undefined) members.push([lastKeys.choice, choice]);
  return { row: joinRow(members, transcript, notes), notes };
}

/** Gives the codec its context: exact values, and notes of what the API cannot express. */
function rowContext(messages: readonly Message[], own: boolean, notes: Note[]): WriteContext {
  return {
    own,
    names: callNames(messages),
    inputText,
    inputValue: exactInput,
    stringify: writeJson,
    lose: (code, path) => noteLoss(notes, code, path),
    beside: (members, extra, path) => (own ? putExtra(members, extra) : noteExtra(notes, extra, path)),
    loseExtra: (extra, path, ...ignored) => noteExtra(notes, extra, path, ...ignored),
    loseResult: (extra, path) => noteResult(notes, extra, path),
  };
}
