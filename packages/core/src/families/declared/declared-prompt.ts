// Writes the whole prompt of a declared dialect: frames around turns, and what vendors' templates write between them.
//
//   begin · tools · system · tools · user · assistant · results · … · assistant's opener
//           ^ or here, or in the system's turn

import type {
  DialectDeclaration,
  Frame,
  ResultsDeclaration,
  ResultsTurn,
  ToolsTurn,
  TurnsDeclaration,
} from '../../engine/declaration.js';
import type { Render, RenderOptions, TurnToken, Writer } from '../../engine/dialect.js';
import { callsOf, contentField, lastIndexOf, reasoningOf, textOf } from '../../engine/message-text.js';
import type { TurnPlace } from '../../engine/own-words.js';
import type { AssistantMessage, Conversation, Tool, ToolResult } from '../../model/index.js';
import { leadingSystem, writeTurns } from '../writing/prompt-parts.js';
import { strip } from '../writing/python-text.js';
import { writeDeclaredResults } from './declared-results.js';
import { readToolsText, writeToolsText } from './tools-text.js';

export interface PromptParts {
  turns: TurnsDeclaration;
  declaration: Pick<DialectDeclaration, 'reasoning'>;
  results: ResultsDeclaration;
  writeCalls: Render['calls'];
  instructions: Render['instructions'];
}

export function writeDeclaredPrompt(
  out: Writer,
  conversation: Conversation,
  options: RenderOptions,
  parts: PromptParts,
): void {
  const { messages, tools } = conversation;
  const { turns } = parts;
  out.ours(turns.begin ?? '');
  const { text, rest } = leadingSystem(messages);
  writeLead(out, rest > 0 ? text : undefined, tools, options, parts);
  const lastUser = lastIndexOf(messages, 'user');
  writeTurns(messages, rest, {
    text: (message, at) =>
      inFrame(out, turns[message.role], () => out.outside(trimmed(textOf(message), turns), contentField(at))),
    answer: (message, at) => {
      if (!out.ownWords(message, ownPlace(options, at > lastUser, parts)))
        writeAnswer(out, message, at, at > lastUser, parts);
      out.ours(turns.assistant.close);
    },
    results: (results) => writeResultTurns(out, results, parts),
  });
  if (options.generate !== false) out.ours(beginning(options, parts));
}

function beginning(options: RenderOptions, parts: PromptParts): string {
  return parts.turns.assistant.open + generation(options, parts);
}

function ownPlace(options: RenderOptions, isLast: boolean, parts: PromptParts): TurnPlace {
  const { turns, declaration } = parts;
  return {
    options,
    begin: (asked) => beginning(asked, parts),
    keeps: keepsReasoning(isLast, parts),
    plain: turns.assistant.open,
    opener: declaration.reasoning?.open ?? turns.reasoning?.open,
  };
}

function inFrame(out: Writer, { open, close }: Frame, write: () => void): void {
  out.ours(open);
  write();
  out.ours(close);
}

function trimmed(text: string, { trims }: TurnsDeclaration): string {
  return trims ? strip(text) : text;
}

function generation({ thinking }: RenderOptions, { turns, declaration }: PromptParts): string {
  const { reasoning } = declaration;
  const said = turns.generation ?? (reasoning?.starts ? { thinking: reasoning.open } : {});
  return (thinking === undefined ? undefined : thinking ? said.thinking : said.plain) ?? said.usual ?? '';
}

// --- the system text and the tools ---------------------------------------------------------------------

/** Writes system text and tools. `said`: the system text; undefined if the conversation has none. */
function writeLead(
  out: Writer,
  said: string | undefined,
  tools: readonly Tool[],
  options: RenderOptions,
  parts: PromptParts,
): void {
  const { turns } = parts;
  const own = tools.length > 0 ? turns.tools : undefined;
  const writeTools = () => own && inFrame(out, own, () => writeOwnTools(out, tools, own, options, parts));
  if (own?.at === 'before-system') writeTools();
  writeSystem(out, said, turns.tools ? [] : tools, options, parts);
  if (own?.at === 'behind-system') writeTools();
}

/** Writes the tools as the declaration lays them out; without a layout, by the text that teaches the dialect. */
function writeOwnTools(
  out: Writer,
  tools: readonly Tool[],
  own: ToolsTurn,
  options: RenderOptions,
  { instructions }: PromptParts,
): void {
  if (own.text ?? own.layout ?? own.tools) writeToolsText(out, tools, own);
  else instructions(out, tools, options);
}

function writeSystem(
  out: Writer,
  said: string | undefined,
  tools: readonly Tool[],
  options: RenderOptions,
  { turns, instructions }: PromptParts,
): void {
  const given = trimmed(said ?? '', turns);
  const { defaultSystem, beforeTools = '\n\n' } = turns;
  if (said === undefined && tools.length === 0 && defaultSystem === undefined) return;
  out.ours(turns.system.open).outside(given, contentField(0));
  if (given === '') out.ours(defaultSystem ?? '');
  const speaks = given !== '' || Boolean(defaultSystem);
  if (tools.length > 0) instructions(out.ours(speaks ? beforeTools : ''), tools, options);
  out.ours(turns.system.close);
}

// --- answers and results -------------------------------------------------------------------------------

function writeAnswer(
  out: Writer,
  message: AssistantMessage,
  at: number,
  isLast: boolean,
  parts: PromptParts,
): void {
  const { turns, writeCalls } = parts;
  const text = trimmed(textOf(message), turns);
  const calls = callsOf(message);
  out.ours(turns.assistant.open);
  writeReasoning(out, reasoningOf(message) ?? '', at, isLast, parts);
  out.answer(text, contentField(at));
  // Written without the tools' schemas, as vendors' templates write values and as prompts are read back.
  if (calls.length > 0)
    writeCalls(out, calls, { tools: [], afterText: text !== '' || turns.callsApart === true });
}

function writeReasoning(
  out: Writer,
  thought: string,
  at: number,
  isLast: boolean,
  { turns, declaration }: PromptParts,
): void {
  const { open, close } = { ...declaration.reasoning, ...turns.reasoning };
  if (thought === '' || open === undefined || close === undefined) return;
  if (keepsReasoning(isLast, { turns, declaration }))
    out.ours(open).outside(thought, contentField(at)).ours(close);
}

function keepsReasoning(
  isLast: boolean,
  { turns, declaration }: Pick<PromptParts, 'turns' | 'declaration'>,
): boolean {
  const { kept = 'all' } = { ...declaration.reasoning, ...turns.reasoning };
  return kept === 'all' || (kept === 'last' && isLast);
}

function writeResultTurns(out: Writer, given: readonly ToolResult[], { turns, results }: PromptParts): void {
  const frame = turns.results ?? (turns.user as ResultsTurn);
  const said = { ...results, each: frame.says ?? results.each };
  const groups = frame.each ? given.map((result) => [result]) : [given];
  for (const [first, group] of groups.entries())
    inFrame(out, frame, () => writeDeclaredResults(out, group, said, first));
}

// --- reading back --------------------------------------------------------------------------------------

/**
 * Gives the tokens that divide a prompt into turns, for reading it back. Undefined where no marker shows the role, or
 * where results are not written as messages have them.
 */
export function turnTokens(
  turns: TurnsDeclaration,
  said: ResultsDeclaration,
): readonly TurnToken[] | undefined {
  const { begin, system, user, tools, results } = turns;
  const answers = answerTokens(turns);
  const given = resultTokens(turns, said);
  if (!answers || !given || results?.says !== undefined) return undefined;
  if (![system, user].every(isOpened)) return undefined;
  const known = new Set([...answers, ...given].map(({ token }) => token));
  const closers = [system, user, ...(tools ? [tools] : [])].flatMap(closersOf);
  return [
    ...(begin ? [{ token: begin }] : []),
    ...(tools ? [{ token: tools.open, tools: (text: string) => readToolsText(text, tools) }] : []),
    { token: system.open, role: 'system' },
    { token: user.open, role: 'user' },
    ...answers,
    ...given,
    ...[...new Set(closers)].filter((token) => !known.has(token)).map((token) => ({ token })),
  ];
}

/** Whether the frame has markers. White space is none. */
function isOpened({ open, close }: Frame): boolean {
  return open.trim() !== '' && (close === '' || close.trim() !== '');
}

function closersOf({ close }: Frame): string[] {
  return close === '' ? [] : [close, close.trim()];
}

/** Gives the tokens of an answer. One without an opener begins after the user's closer and ends with its own. */
function answerTokens({ user, assistant }: TurnsDeclaration): TurnToken[] | undefined {
  const closers = closersOf(assistant).map((token) => ({ token }));
  if (isOpened(assistant)) return [{ token: assistant.open, role: 'assistant' }, ...closers];
  if (assistant.open !== '' || assistant.close.trim() === '' || user.close.trim() === '') return undefined;
  return [
    { token: user.close, next: 'assistant' },
    { token: assistant.close, ends: 'assistant' },
  ];
}

/** Gives the tokens of results. Without a frame of their own, the text around each result is their frame. */
function resultTokens({ results }: TurnsDeclaration, { each }: ResultsDeclaration): TurnToken[] | undefined {
  if (!results) return [];
  const closers = closersOf(results).map((token) => ({ token }));
  if (isOpened(results)) return [{ token: results.open, role: 'tool' }, ...closers];
  const [open = '', close = ''] = each.split('{output}');
  if (results.open !== '' || results.close !== '' || open.trim() === '' || close.trim() === '')
    return undefined;
  return [
    { token: open, role: 'tool', keep: 'behind' },
    { token: close, next: 'assistant', keep: 'before' },
  ];
}
