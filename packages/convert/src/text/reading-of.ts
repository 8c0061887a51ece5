// A row of an API, read: its messages with their calls linked, its tools and choice, and what else it held.

import type { Message } from '@dragoman/core/internal';
import { readChoice } from '../forms/choice.js';
import type { Note, Reading, Row } from '../forms/form.js';
import { linkMessages } from '../forms/link.js';
import { memberOf, restOf } from '../forms/members.js';
import { readTools, toolNotes } from '../forms/tools.js';

export interface RowKeys {
  tools: string;
  choice: Parameters<typeof readChoice>[1];
  /** All that the form has a word for. */
  known: Parameters<typeof restOf>[1];
}

export function readingOf(
  row: Row,
  keys: RowKeys,
  form: string,
  messages: Message[],
  notes: Note[],
): Reading {
  const reading = readTools(memberOf(row, keys.tools), keys.tools);
  const { toolChoice, extra: chosen } = readChoice(memberOf(row, keys.choice), keys.choice);
  const noted = toolNotes(reading);
  const extra = chosen === undefined && noted === undefined ? undefined : { ...chosen, ...noted };
  return {
    conversation: {
      messages: linkMessages(messages, notes),
      tools: reading.tools,
      toolChoice,
      ...(extra && { extra }),
    },
    ...restOf(row, keys.known),
    form,
    notes,
  };
}
