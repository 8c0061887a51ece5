// Rows as an API has its conversations: the codec of the API reads and writes them (core's wire/<api>/transcript.ts),
// and what it reports becomes notes.

import {
  chatTranscript,
  linkCalls,
  type Message,
  messagesTranscript,
  type TranscriptCodec,
} from '@dragoman/core/internal';
import { readCallInput } from './call-input.js';
import { notedChoice } from './choice.js';
import type { Form, Note, Reading, Row } from './form.js';
import { callNames } from './losses.js';
import { joinRow, memberOf, messageList, restOf } from './members.js';
import { RowContext } from './row-context.js';
import { inRow } from './row-fault.js';
import { readTools, toolNotes } from './tools.js';

/** `{messages, tools?, tool_choice?}`, and as training files hold the same: in any spelling. */
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
    write: (transcript) => {
      const notes: Note[] = [];
      const context = new RowContext(transcript, name, notes);
      return { row: joinRow(codec.write(transcript.conversation, context), transcript, notes), notes };
    },
  };
}

function readRow(row: Row, form: string, codec: TranscriptCodec): Reading {
  const notes: Note[] = [];
  const list = messageList(row);
  const messages = inRow(() =>
    codec.readMessages(row, list, {
      readInput: readCallInput,
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
 * Calls and results find each other. Where every one has an id, which is almost always, only names are filled in;
 * else the model's own way, and what it made is noted. Changes the messages it is given.
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
