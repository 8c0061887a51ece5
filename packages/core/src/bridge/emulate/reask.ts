// Asking a model again (a reask): what it wrote and what was wrong with it become the next turns of the conversation.
//
// Calls that could be read get an error result in the dialect's own form. Any other output is shown back to the model
// (with its markers neutralised, like all untrusted text) with a message that states what was wrong and how a call is
// written. That message is ours and rendered as it is, so what it quotes of the model (names, characters that were out
// of place) is neutralised here.

import { closerRule } from '../../engine/closer-rule.js';
import type { Dialect } from '../../engine/dialect.js';
import { neutralise } from '../../engine/markers.js';
import { Writer } from '../../engine/writer.js';
import {
  type AnswerFormat,
  type Issue,
  isObject,
  type JsonObject,
  type JsonValue,
  type Message,
  type ModelRequest,
  type Reask,
  type Tool,
  type ToolCall,
  type ToolChoice,
  type ToolResult,
} from '../../model/index.js';
import { formatText } from '../structured/teach-format.js';
import type { AttemptProblem } from './problem.js';
import { type Language, wordsOf } from './reask-words.js';

export interface FailedAttempt {
  /** What the model wrote, its middle left out if it is long. */
  text: string;
  calls: readonly ToolCall[];
  problems: readonly AttemptProblem[];
}

export interface ReaskContext {
  /** The dialect that the model writes; a native upstream has none. */
  dialect?: Dialect;
  tools: readonly Tool[];
  toolChoice: ToolChoice;
  /** The form of the answer; a native upstream may not have shown it to its model. */
  format?: AnswerFormat | undefined;
  language?: Language;
}

export interface ReaskTurns {
  messages: Message[];
  /** The indexes of our own messages, which may contain markers. */
  trusted: number[];
  /** The reasons given to the model, for the report. */
  reasons: string[];
}

/** Limits of what a model is told: there may be thousands of mistakes, but the first few are enough to learn from. */
const MOST_REASONS = 5;
const LONGEST_REASON = 1000;
const LONGEST_NAME = 128;

type Quote = (text: string) => string;

export function reaskTurns(attempt: FailedAttempt, context: ReaskContext): ReaskTurns {
  const answerable = attempt.problems.every(({ callId }) => callId !== undefined);
  return answerable && attempt.calls.every(isSayable)
    ? asResults(attempt, context)
    : asMessage(attempt, context);
}

/** Whether every dialect can write this name in a call. */
function isSayable({ name }: ToolCall): boolean {
  return /^[\w.:-]{1,128}$/.test(name);
}

function asResults(attempt: FailedAttempt, context: ReaskContext): ReaskTurns {
  const { calls, problems } = attempt;
  const results = calls.map((call): ToolResult => {
    const problem = problems.find(({ callId }) => callId === call.id);
    const output = problem ? reasonOf(problem, call.name, context, asItIs) : wordsOf(context.language).notRun;
    return { type: 'tool-result', callId: call.id, name: call.name, output, isError: true };
  });
  return {
    messages: [
      { role: 'assistant', parts: [...calls] },
      { role: 'tool', parts: results },
    ],
    trusted: [],
    reasons: reasonsOf(attempt, context, asItIs),
  };
}

function asMessage(attempt: FailedAttempt, context: ReaskContext): ReaskTurns {
  const { text } = attempt;
  const { dialect } = context;
  const parts = [
    ...reasonsOf(attempt, context, (quoted) => (dialect ? neutralise(quoted, dialect.markers) : quoted)),
    ...(attempt.problems.every(({ kind }) => kind === 'bad-answer')
      ? howToAnswer(context)
      : howToCall(context)),
  ];
  const shown: Message[] = text.trim() === '' ? [] : [{ role: 'assistant', parts: [{ type: 'text', text }] }];
  return {
    messages: [...shown, { role: 'user', parts: [{ type: 'text', text: parts.join('\n\n') }] }],
    trusted: [shown.length],
    reasons: reasonsOf(attempt, context, asItIs),
  };
}

function howToCall(context: ReaskContext): string[] {
  const { dialect } = context;
  const words = wordsOf(context.language);
  const tool = toolToShow(context);
  return [words.again, ...(tool && dialect ? [words.example(sampleCall(dialect, tool))] : [])];
}

function howToAnswer({ dialect, format, language }: ReaskContext): string[] {
  const again = wordsOf(language).answerAgain;
  return format && !dialect ? [again, formatText(format, language)] : [again];
}

const asItIs: Quote = (text) => text;

/** The most that a report keeps of an attempt that was replaced; its text is shortened as well. */
const MOST_ISSUES = 20;
const LONGEST_RAW = 2000;

/** Gives what a report keeps of an attempt that was replaced. */
export function reaskRecord(
  choice: number,
  { issues, text }: { issues: readonly Issue[]; text: string },
  { reasons }: ReaskTurns,
): Reask {
  const kept = issues.slice(0, MOST_ISSUES).map((issue) => {
    const { raw } = issue;
    return raw === undefined ? issue : { ...issue, raw: shorten(raw, LONGEST_RAW) };
  });
  return { choice, reasons, issues: kept, text };
}

/** Gives each reason once, and only the first few. */
function reasonsOf({ problems, calls }: FailedAttempt, context: ReaskContext, quote: Quote): string[] {
  const reasons = new Set<string>();
  for (const problem of problems) {
    if (reasons.size === MOST_REASONS) break;
    reasons.add(reasonOf(problem, nameOf(problem, calls), context, quote));
  }
  return [...reasons];
}

function reasonOf(problem: AttemptProblem, called: string, context: ReaskContext, quote: Quote): string {
  const { tools, toolChoice, language } = context;
  const words = wordsOf(language);
  const name = quote(shorten(called, LONGEST_NAME));
  switch (problem.kind) {
    case 'unknown-tool':
      return words.unknownTool(name, tools);
    case 'bad-arguments':
      return words.badArguments(name, said(problem, context, quote));
    case 'other-tool':
      return words.otherTool(name, typeof toolChoice === 'object' ? toolChoice.name : '');
    case 'echo':
      return words.echo(name);
    case 'forged':
      return words.forged;
    case 'no-call':
      return words.noCall(toolChoice);
    case 'bad-answer':
      return words.badAnswer(said(problem, context, quote));
    case 'unreadable':
      return [words.unreadable(said(problem, context, quote)), ...ruleFor(problem, context)].join(' ');
    case 'stripped':
      return words.unreadable(said(problem, context, quote));
  }
}

/** Tells how to write a value that was cut by a closer in its own text. */
function ruleFor({ issues }: AttemptProblem, { dialect, language }: ReaskContext): string[] {
  const isCut = issues.some(({ code }) => code === 'ambiguous-value');
  return (isCut && dialect && [closerRule(dialect, language)].filter((rule) => rule !== undefined)) || [];
}

/** Joins the messages of the issues. A dialect's own messages name its markers and quote nothing, so they stay as is. */
function said({ issues }: AttemptProblem, { dialect }: ReaskContext, quote: Quote): string {
  const own = new Set(dialect?.grammar.notice?.map(({ message }) => message));
  const messages = issues.slice(0, MOST_REASONS).map(({ message }) => message);
  return messages
    .map((message) => (own.has(message) ? message : quote(shorten(message, LONGEST_REASON))))
    .join(' ');
}

function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

function nameOf({ callId }: AttemptProblem, calls: readonly ToolCall[]): string {
  return calls.find(({ id }) => id === callId)?.name ?? '';
}

function toolToShow({ tools, toolChoice }: ReaskContext): Tool | undefined {
  return typeof toolChoice === 'object' ? tools.find(({ name }) => name === toolChoice.name) : tools[0];
}

/**
 * Adds a note to the last message where a call is required, or where only one is wanted. It is at the very end, so that
 * the prompt cache holds, and has no markers, so that it need not be trusted.
 */
export function withChoiceNote(request: ModelRequest, messages: Message[], language?: Language): Message[] {
  const { tools, toolChoice } = request.conversation;
  const words = wordsOf(language);
  const notes: string[] = [];
  if (toolChoice === 'required' || typeof toolChoice === 'object') notes.push(words.required(toolChoice));
  if (request.settings.parallelCalls === false && toolChoice !== 'none') notes.push(words.oneCall);
  if (tools.length === 0 || notes.length === 0) return messages;
  const last = messages.at(-1);
  const note = { type: 'text' as const, text: notes.join(' ') };
  if (last?.role !== 'user') return [...messages, { role: 'user', parts: [note] }];
  const spaced = { ...note, text: `\n\n${note.text}` };
  return [...messages.slice(0, -1), { ...last, parts: [...last.parts, spaced] }];
}

export function sampleCall(dialect: Dialect, tool: Tool): string {
  const out = new Writer(dialect.markers);
  const call = { type: 'tool-call' as const, id: 'call_1', name: tool.name, input: sampleInput(tool) };
  dialect.render.calls(out, [call], { tools: [tool], afterText: false });
  return out.text;
}

/** Gives values for the required members, or for the first two. */
function sampleInput(tool: Tool): JsonObject {
  const schema = isObject(tool.parameters) ? tool.parameters : {};
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const names = Object.keys(properties);
  const shown = names.filter((name) => required.includes(name));
  const chosen = shown.length > 0 ? shown : names.slice(0, 2);
  return Object.fromEntries(chosen.map((name) => [name, sampleValue(properties[name])]));
}

function sampleValue(schema: unknown): JsonValue {
  if (!isObject(schema)) return '…';
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return schema.enum[0] as JsonValue;
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return [sampleValue(schema.items)];
    case 'object':
      return {};
    case 'null':
      return null;
    default:
      return '…';
  }
}
