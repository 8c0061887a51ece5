// Rows with the whole conversation as one text, as `renderPrompt` writes it.

import {
  type Conversation,
  type Dialect,
  type ExactValue,
  type RenderOptions,
  renderOwnPrompt,
  UsageError,
} from '@dragoman/core/internal';

import type { Form, Note, Reading, Row, Transcript, Writing } from '../forms/form.js';
import { joinRow, memberOf, NOTE_PREFIX, restOf } from '../forms/members.js';
import { inRow, wrongRow } from '../forms/row-fault.js';
import { learnTold, plainPromptNotes } from '../quick/plain-prompt.js';
import { readyForPrompt } from '../quick/plain-text.js';
import { shareTools } from '../quick/shared-tools.js';
import { readPrompt } from './read-prompt.js';
import { lossesBetween } from './text-losses.js';

export interface PromptFormOptions {
  /** The member that holds the text. Default `prompt`. */
  member?: string;
  /**
   * How it is rendered. Defaults: `thinking` where the conversation has reasoning, and `generate` where it does
   * not end with an answer.
   */
  render?: Pick<RenderOptions, 'thinking' | 'generate' | 'template' | 'safety'>;
}

export const promptForm = {
  name: 'prompt',
  about: "One text a row, as the model's own template writes it: {prompt}",
  needsDialect: true,
  create: createPromptForm,
} as const;

/** Throws a UsageError for a dialect that is no model's own. */
export function createPromptForm(dialect: Dialect, options: PromptFormOptions = {}): Form {
  if (!dialect.render.prompt || !dialect.render.back?.turns) {
    const message = `${dialect.name} has no prompt that can be read back: use the form 'messages'`;
    throw new UsageError('no-prompt-form', message);
  }
  const { name, about, needsDialect } = promptForm;
  const member = options.member ?? 'prompt';
  const given = picked(options.render);
  return {
    name,
    about,
    needsDialect,
    read: (row) => readRow(dialect, row, member),
    write: (transcript) => writeRow(dialect, transcript, member, given),
  };
}

/** Others may stand beside them: they are for another form. */
function picked({ thinking, generate, template, safety }: RenderOptions = {}): RenderOptions {
  return {
    ...(thinking !== undefined && { thinking }),
    ...(generate !== undefined && { generate }),
    ...(template && { template }),
    ...(safety && { safety }),
  };
}

function writeRow(dialect: Dialect, transcript: Transcript, member: string, options: RenderOptions): Writing {
  const isDefault = Object.keys(options).length === 0 && transcript.form !== promptForm.name;
  return writePrompt(dialect, transcript, member, options, isDefault);
}

/** `plain`: those that surely read back as they are need not be read back. */
export function writePrompt(
  dialect: Dialect,
  transcript: Transcript,
  member: string,
  options: RenderOptions,
  plain: boolean,
): Writing {
  const conversation = { ...transcript.conversation, tools: shareTools(transcript.conversation.tools) };
  const settings = { ...optionsFor(transcript), ...options };
  const lost = plain ? plainPromptNotes(dialect, conversation) : undefined;
  const { text } = inRow(() => renderOwnPrompt(dialect, readyForPrompt(dialect, conversation), settings));
  const said: [string, ExactValue][] = [[member, text]];
  const notes: Note[] = [];
  const row = joinRow(said, transcript, notes);
  if (lost) return { row, notes: [...notes, ...lost] };
  const back = readPrompt(dialect, text, member).conversation;
  const losses = lossesBetween(conversation, back);
  if (plain) learnTold(dialect, conversation, losses);
  return { row, notes: [...notes, ...losses] };
}

/** How a prompt that was read was written: a note of ours, for this form alone. */
const OPTIONS = `${NOTE_PREFIX}prompt`;

function optionsFor({ conversation, form }: Transcript): RenderOptions {
  const noted = form === promptForm.name ? conversation.extra?.[OPTIONS] : undefined;
  return (noted as RenderOptions | undefined) ?? defaultsFor(conversation);
}

function defaultsFor({ messages }: Conversation): RenderOptions {
  const thinks = messages.some(
    (message) => message.role === 'assistant' && message.parts.some((part) => part.type === 'reasoning'),
  );
  return { generate: messages.at(-1)?.role !== 'assistant', ...(thinks && { thinking: true }) };
}

function readRow(dialect: Dialect, row: Row, member: string): Reading {
  const text = memberOf(row, member);
  if (typeof text !== 'string') throw wrongRow(member, `a prompt of ${dialect.name} as text`, text);
  const { conversation, options, notes } = readPrompt(dialect, text, member);
  return {
    conversation: { ...conversation, extra: { [OPTIONS]: options } },
    ...restOf(row, new Set([member])),
    form: promptForm.name,
    notes,
  };
}
