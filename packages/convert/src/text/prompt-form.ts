// Rows that hold the whole conversation as one text, as `renderPrompt` writes it.

import type { Conversation, Dialect, ExactValue, RenderOptions } from '@dragoman/core/internal';
import { renderOwnPrompt, UsageError } from '@dragoman/core/internal';
import type { Form, Note, ReadTranscript, Row, Transcript, WrittenRow } from '../forms/form.js';
import { inRow, RowError, wrongRow } from '../forms/form.js';
import { joinRow, memberOf, NOTE_PREFIX, restOf } from '../forms/members.js';
import { quickly } from '../quick/index.js';
import { learnTold, plainPromptNotes } from '../quick/plain-prompt.js';
import { shareTools } from '../quick/shared-tools.js';
import { oneCallNotes } from '../train/one-call.js';
import { teachesReasoning } from '../train/thinking.js';
import { trainedPrompt } from '../train/trained-prompt.js';
import type { TrainingOptions } from '../train/training.js';
import { noSample } from '../train/training.js';
import { readPrompt } from './read-prompt.js';
import { checkResults, readyForPrompt } from './ready-text.js';
import { checkPlainNames, lossesBetween, unsaid } from './text-losses.js';

export interface PromptFormOptions {
  /** The member that holds the text. Default `prompt`. */
  member?: string;
  /**
   * Options of the renderer. Default of `generate`: if the conversation does not end with an answer. Default of
   * `thinking`: on if an answer has reasoning; else the template's own, and off for training, also where the dialect
   * writes no reasoning, so that a model does not learn to leave out reasoning that it is asked for.
   */
  render?: Pick<RenderOptions, 'thinking' | 'generate' | 'template' | 'safety'>;
  training?: TrainingOptions;
}

export const promptForm = {
  name: 'prompt',
  about: "One text a row, as the model's own template writes it: {prompt}",
  needsDialect: true,
  create: createPromptForm,
} as const;

/** Throws a UsageError for a dialect without a prompt of its own. */
export function createPromptForm(dialect: Dialect, options: PromptFormOptions = {}): Form {
  const isReadable = dialect.render.back?.turns !== undefined;
  if (!dialect.render.prompt || (!isReadable && !options.training)) {
    const { name } = dialect;
    const message = dialect.render.prompt
      ? `the prompts of ${name} cannot be read back, so nothing would tell what they lose: use messages:${name}, or write ` +
        'training data, which has them all the same (--mask, --per-turn, --check-prefix)'
      : `${name} has no whole prompt here: use messages:${name}`;
    throw new UsageError('no-prompt-form', message);
  }
  const { create: _, ...form } = promptForm;
  const { member = 'prompt' } = options;
  const { thinking, generate, template, safety }: RenderOptions = options.render ?? {};
  const render = {
    ...(thinking !== undefined && { thinking }),
    ...(generate !== undefined && { generate }),
    ...(template && { template }),
    ...(safety && { safety }),
  };
  const isDefault = Object.keys(render).length === 0;
  const { training } = options;
  return {
    ...form,
    read: (row) => readRow(dialect, row, member),
    write: (transcript) =>
      writePrompt(
        dialect,
        transcript,
        member,
        render,
        isDefault && transcript.form !== promptForm.name,
        training,
      ),
  };
}

/** `plain`: takes the quick way for conversations that certainly read back unchanged. */
export function writePrompt(
  dialect: Dialect,
  transcript: Transcript,
  member: string,
  options: RenderOptions,
  plain: boolean,
  training?: TrainingOptions,
): WrittenRow {
  const conversation = { ...transcript.conversation, tools: shareTools(transcript.conversation.tools) };
  const settings = { ...optionsFor(dialect, transcript, options, training !== undefined), ...options };
  checkResults(dialect, conversation);
  if (!dialect.render.back?.turns) checkPlainNames(conversation, dialect.name);
  const ready = readyForPrompt(dialect, conversation);
  const notes: Note[] = [];
  const trained =
    training &&
    inRow(() => trainedPrompt(dialect, conversation, ready, settings, { ...training, member }, notes));
  const text = trained?.text ?? inRow(() => renderOwnPrompt(dialect, ready, settings)).text;
  const samples = trained?.samples ?? [[[member, text] satisfies [string, ExactValue]]];
  const [row, ...more] = samples.map((members, at) => joinRow(members, transcript, at === 0 ? notes : []));
  if (!row) throw noSample();
  const thinks = trained?.thinks;
  const losses = !dialect.render.back?.turns
    ? [
        unread(member),
        ...lostReasoning(
          conversation,
          (message) => thinks?.text.has(message) || thinks?.samples.has(message) || false,
        ),
      ]
    : quickly(
        'prompt',
        () => (plain ? plainPromptNotes(dialect, conversation) : undefined),
        () => {
          const found = lossesOf(dialect, conversation, text, member);
          if (plain) learnTold(dialect, conversation, found);
          return found;
        },
      );
  // Samples of turns have most of the reasoning that a whole prompt leaves out.
  const lost = training?.perTurn
    ? losses.filter(({ code, path }) => code !== 'reasoning' || !thinks?.samples.has(messageIn(path)))
    : losses;
  const told = training?.perTurn ? oneCallNotes(transcript) : [];
  return { row, ...(more.length > 0 && { more }), notes: [...notes, ...lost, ...told] };
}

/** Compares a prompt with the conversation, by reading it. */
function lossesOf(dialect: Dialect, conversation: Conversation, text: string, member: string): Note[] {
  let read: Conversation;
  try {
    read = readPrompt(dialect, text, member).conversation;
  } catch (error) {
    throw error instanceof RowError ? unsaid(`a prompt of ${dialect.name}`, error) : error;
  }
  return lossesBetween(conversation, read);
}

/** Gives the index of the message at the beginning of a path. */
function messageIn(path: string): number {
  return Number(/^messages\[(\d+)\]/.exec(path)?.[1] ?? -1);
}

/** Notes the reasoning of the messages that do not think. */
function lostReasoning({ messages }: Conversation, thinks: (message: number) => boolean): Note[] {
  return messages.flatMap(({ role, parts }, message) =>
    role !== 'assistant' || thinks(message)
      ? []
      : parts.flatMap((part, at): Note[] =>
          part.type === 'reasoning' && part.text.trim() !== ''
            ? [{ kind: 'loss', code: 'reasoning', path: `messages[${message}].parts[${at}]` }]
            : [],
        ),
  );
}

/** Nothing tells what the prompt left out. */
function unread(member: string): Note {
  return { kind: 'issue', code: 'unread-prompt', path: member };
}

/** Notes the options that a prompt was written with. Only this form reads the note. */
const OPTIONS = `${NOTE_PREFIX}prompt`;

function optionsFor(
  dialect: Dialect,
  { conversation, form }: Transcript,
  options: RenderOptions,
  isTraining: boolean,
): RenderOptions {
  const noted = form === promptForm.name ? conversation.extra?.[OPTIONS] : undefined;
  return (noted as RenderOptions | undefined) ?? defaultsFor(dialect, conversation, options, isTraining);
}

function defaultsFor(
  dialect: Dialect,
  { messages }: Conversation,
  options: RenderOptions,
  isTraining: boolean,
): RenderOptions {
  const answers = messages.filter(({ role }) => role === 'assistant');
  const thinks = answers.some(({ parts }) => parts.some(({ type }) => type === 'reasoning'));
  const thinking = thinks && (!isTraining || teachesReasoning(dialect, options));
  const isSet = thinks || (isTraining && answers.length > 0);
  return { generate: messages.at(-1)?.role !== 'assistant', ...(isSet && { thinking }) };
}

function readRow(dialect: Dialect, row: Row, member: string): ReadTranscript {
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
