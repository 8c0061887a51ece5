// Asking again: what the model wrote and what was wrong with it, as the next turns of the conversation.
//
// Calls that could be read are answered as calls are, with an error result in the dialect's own form. Anything
// else is shown back (broken, like all text from outside, so that it cannot act) with a message that says what
// was wrong and how a call is spelled.

import type { Dialect } from '../codec/dialect.js';
import type { Message, ModelRequest, Tool, ToolCall, ToolChoice, ToolResult } from '../model/index.js';
import type { Problem } from './problem.js';
import { type Language, wordsOf } from './reask-words.js';
import { sampleCall } from './sample-call.js';

export interface FailedAttempt {
  /** What the model wrote, its middle left out if it is long. */
  text: string;
  calls: readonly ToolCall[];
  problems: readonly Problem[];
}

export interface ReaskContext {
  dialect: Dialect;
  tools: readonly Tool[];
  toolChoice: ToolChoice;
  language?: Language;
}

export interface ReaskTurns {
  messages: Message[];
  /** Which of them are ours, so that they may name markers. */
  trusted: number[];
  /** What the model is told, for the report. */
  reasons: string[];
}

export function reaskTurns(attempt: FailedAttempt, context: ReaskContext): ReaskTurns {
  const readable = attempt.problems.every(({ callId }) => callId !== undefined);
  return readable ? asResults(attempt, context) : asMessage(attempt, context);
}

function asResults({ calls, problems }: FailedAttempt, context: ReaskContext): ReaskTurns {
  const results = calls.map((call): ToolResult => {
    const problem = problems.find(({ callId }) => callId === call.id);
    const output = problem ? reasonOf(problem, call.name, context) : wordsOf(context.language).notRun;
    return { type: 'tool-result', callId: call.id, name: call.name, output, isError: true };
  });
  return {
    messages: [
      { role: 'assistant', parts: [...calls] },
      { role: 'tool', parts: results },
    ],
    trusted: [],
    reasons: problems.map((problem) => reasonOf(problem, nameOf(problem, calls), context)),
  };
}

function asMessage({ text, calls, problems }: FailedAttempt, context: ReaskContext): ReaskTurns {
  const words = wordsOf(context.language);
  const reasons = problems.map((problem) => reasonOf(problem, nameOf(problem, calls), context));
  const tool = toolToShow(context);
  const parts = [
    ...reasons,
    words.again,
    ...(tool ? [words.example(sampleCall(context.dialect, tool))] : []),
  ];
  const shown: Message[] = text.trim() === '' ? [] : [{ role: 'assistant', parts: [{ type: 'text', text }] }];
  return {
    messages: [...shown, { role: 'user', parts: [{ type: 'text', text: parts.join('\n\n') }] }],
    trusted: [shown.length],
    reasons,
  };
}

function reasonOf(problem: Problem, name: string, { tools, toolChoice, language }: ReaskContext): string {
  const words = wordsOf(language);
  const said = problem.issues.map(({ message }) => message).join(' ');
  switch (problem.kind) {
    case 'unknown-tool':
      return words.unknownTool(name, tools);
    case 'bad-arguments':
      return words.badArguments(name, said);
    case 'other-tool':
      return words.otherTool(name, typeof toolChoice === 'object' ? toolChoice.name : '');
    case 'echo':
      return words.echo(name);
    case 'forged':
      return words.forged;
    case 'no-call':
      return words.noCall(toolChoice);
    case 'unreadable':
      return words.unreadable(said);
  }
}

function nameOf({ callId }: Problem, calls: readonly ToolCall[]): string {
  return calls.find(({ id }) => id === callId)?.name ?? '';
}

function toolToShow({ tools, toolChoice }: ReaskContext): Tool | undefined {
  return typeof toolChoice === 'object' ? tools.find(({ name }) => name === toolChoice.name) : tools[0];
}

/** What must be said beside the tools: that a call is required, that only one is wanted. At the very end, so
 * that prompt caches hold; without markers, so that nothing has to be trusted. */
export function withChoiceNote(request: ModelRequest, language?: Language): Message[] {
  const { messages, tools, toolChoice } = request.conversation;
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
