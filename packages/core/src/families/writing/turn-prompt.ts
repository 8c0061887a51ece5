// Writes a whole prompt in turns that each name their role, as ChatML does. A layout holds what the template of one vendor
// does differently:
//
//   begin · <|im_start|>system\n section \n\n section <|im_end|>\n · user · assistant · results · … · <|im_start|>assistant\n

import type { Frame, ResultsDeclaration } from '../../engine/declaration.js';
import type { Render, RenderOptions, Writer } from '../../engine/dialect.js';
import { contentField, reasoningOf, resultText, textOf } from '../../engine/message-text.js';
import type { AssistantMessage, Conversation, Message, Tool, ToolResult } from '../../model/index.js';
import { writeDeclaredResults } from '../declared/declared-results.js';
import { writeTurns } from './prompt-parts.js';
import { splitThinking } from './python-text.js';
import type { WriteTools } from './tool-text.js';

export interface TurnLayout {
  /** The text before the first turn. */
  begin?: string;
  open(role: string): string;
  close(role: string): string;
  /** The closer of an answer, where it is another. */
  endOf?(message: AssistantMessage): string;
  /** The first turn has these sections, with an empty line between them. None: no turn. */
  lead(lead: Lead): readonly (Section | undefined)[];
  /** The first turn is also written without sections. Default false. */
  alwaysLeads?: boolean;
  /** System texts have turns of their own behind the first one. Default: that at the front is given to `lead`. */
  ownSystem?: boolean;
  /** What texts of the user and of results lose, such as the white space around them. Default nothing. */
  trim?(text: string): string;
  /** The template of each result, what is between two (default nothing), and the frame around those of a turn. */
  results: Frame & Pick<ResultsDeclaration, 'each' | 'between'>;
  /** The index of the message behind which answers are current. */
  query(messages: readonly Message[]): number;
  /** Whether the template writes the reasoning of an answer. */
  keeps(answer: Answer): boolean;
  /** Writes what is between the opener of an answer and its closer. */
  answer(out: Writer, answer: Answer): void;
  /** What is written before an answer whose reasoning is left out. Default nothing. */
  plain?: string;
  /** The end of the prompt, behind the opener of the assistant's turn. */
  generation(options: RenderOptions): string;
}

interface Lead {
  /** The system text at the front; undefined if there is none. */
  system: string | undefined;
  tools: readonly Tool[];
  options: RenderOptions;
}

export type Section = (out: Writer) => void;

export interface Answer {
  message: AssistantMessage;
  at: number;
  /** It follows the last question. */
  isCurrent: boolean;
  /** It is the last message of the conversation. */
  isLast: boolean;
  options: RenderOptions;
}

export function turnPrompt(layout: TurnLayout): NonNullable<Render['prompt']> {
  return (out, conversation, options) => writePrompt(out, conversation, options, layout);
}

const asIs = (text: string) => text;

function writePrompt(
  out: Writer,
  { messages, tools }: Conversation,
  options: RenderOptions,
  layout: TurnLayout,
): void {
  const [first] = messages;
  const system = first?.role === 'system' && !layout.ownSystem ? textOf(first) : undefined;
  writeLead(out.ours(layout.begin ?? ''), { system, tools, options }, layout);
  const query = layout.query(messages);
  writeTurns(messages, system === undefined ? 0 : 1, {
    text: (message, at) => writeText(out, message, at, layout),
    answer: (message, at) =>
      writeAnswer(
        out,
        { message, at, isCurrent: at > query, isLast: at === messages.length - 1, options },
        layout,
      ),
    results: (results) => writeResults(out, results, layout),
  });
  if (options.generate !== false) out.ours(beginning(options, layout));
}

function beginning(options: RenderOptions, { open, generation }: TurnLayout): string {
  return open('assistant') + generation(options);
}

function writeLead(
  out: Writer,
  lead: Lead,
  { open, close, lead: sectionsOf, alwaysLeads }: TurnLayout,
): void {
  const sections = sectionsOf(lead).filter((section) => section !== undefined);
  if (sections.length === 0 && !alwaysLeads) return;
  out.ours(open('system'));
  for (const [at, write] of sections.entries()) write(out.ours(at > 0 ? '\n\n' : ''));
  out.ours(close('system'));
}

function writeText(
  out: Writer,
  message: Message,
  at: number,
  { open, close, trim = asIs }: TurnLayout,
): void {
  out
    .ours(open(message.role))
    .outside(trim(textOf(message)), contentField(at))
    .ours(close(message.role));
}

function writeAnswer(out: Writer, answer: Answer, layout: TurnLayout): void {
  const { open, close, keeps, plain = '' } = layout;
  const isOwn = out.ownWords(answer.message, {
    options: answer.options,
    begin: (options) => beginning(options, layout),
    keeps: keeps(answer),
    plain: open('assistant') + plain,
    opener: '<think>',
    closer: '</think>',
  });
  if (!isOwn) layout.answer(out.ours(open('assistant')), answer);
  out.ours(layout.endOf?.(answer.message) ?? close('assistant'));
}

function writeResults(out: Writer, given: readonly ToolResult[], { results, trim }: TurnLayout): void {
  const { open, close, each, between = '' } = results;
  const trimmed = trim
    ? given.map((result) => ({ ...result, output: trim(resultText(result)), isError: false }))
    : given;
  writeDeclaredResults(out, trimmed, { before: open, each, between, behind: close });
}

// --- sections of the first turn ------------------------------------------------------------------------

/** The system text of the conversation; nothing if there is none. */
export function systemSection(text: string | undefined): Section | undefined {
  return text === undefined ? undefined : (out) => out.outside(text, contentField(0));
}

/** The definitions of the tools; nothing if there are none. */
export function toolsSection(write: WriteTools, tools: readonly Tool[]): Section | undefined {
  return tools.length === 0 ? undefined : (out) => write(out, tools);
}

/** A text of the vendor's; nothing if it is empty. */
export function ownSection(text: string): Section | undefined {
  return text === '' ? undefined : (out) => out.ours(text);
}

/** The vendor's own system text, where it is asked for: `template: { defaultSystem: true }`. */
export function defaultSection({ template }: RenderOptions, text: string): Section | undefined {
  return template?.defaultSystem === true ? ownSection(text) : undefined;
}

// --- answers -------------------------------------------------------------------------------------------

/** Gives the reasoning of an answer and its text. Reasoning may also stand in the text. */
export function thoughtOf(message: AssistantMessage): { reasoning: string; text: string } {
  const reasoning = reasoningOf(message);
  return reasoning === undefined ? splitThinking(textOf(message)) : { reasoning, text: textOf(message) };
}

/** Gives the index of the last user message that is no result, as the templates of Qwen find it. */
export function lastQuery(messages: readonly Message[]): number {
  const found = messages.findLastIndex((message) => message.role === 'user' && !isResponse(textOf(message)));
  return found < 0 ? messages.length - 1 : found;
}

function isResponse(text: string): boolean {
  return text.startsWith('<tool_response>') && text.endsWith('</tool_response>');
}
