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
import type { AssistantMessage, Conversation, Message, Tool, ToolResult } from '../../model/index.js';
import { leadingSystem, writeTurns } from '../writing/prompt-parts.js';
import { strip } from '../writing/python-text.js';
import { CallNumbers } from './call-numbers.js';
import { type CallReferences, writeDeclaredResults } from './declared-results.js';
import { readToolsText, writeToolsText } from './tools-text.js';

export interface PromptParts {
  turns: TurnsDeclaration;
  declaration: Pick<DialectDeclaration, 'reasoning'>;
  results: ResultsDeclaration;
  writeCalls: Render['calls'];
  instructions: Render['instructions'];
  /** Between the name of a call and its number, where calls are written with numbers. */
  sign?: string | undefined;
  /** Gives the id of a call as calls are written with it. */
  idOf?: CallReferences['idOf'];
  /** Writes the vendor's system text, which the option `defaultSystem` asks for where the conversation has none. */
  system?: VendorSystem | undefined;
}

export type VendorSystem = (out: Writer, tools: readonly Tool[], options: RenderOptions) => void;

/** The parts, and what is known of one conversation. */
interface Prompt extends PromptParts {
  conversation: Conversation;
  options: RenderOptions;
  /** The index of the last message of the user; -1 if there is none. */
  lastUser: number;
  /** The index of the last message before the ones whose reasoning is kept. */
  keptBehind: number;
  numbers: CallNumbers;
}

export function writeDeclaredPrompt(
  out: Writer,
  conversation: Conversation,
  options: RenderOptions,
  parts: PromptParts,
): void {
  const { messages } = conversation;
  const { turns, sign = '' } = parts;
  const numbers = new CallNumbers(turns.counted ?? 'turn', sign);
  const lastUser = lastIndexOf(messages, 'user');
  const kept = keptBehind(messages, lastUser, parts);
  const prompt = { ...parts, conversation, options, numbers, lastUser, keptBehind: kept };
  out.ours(turns.begin ?? '');
  const { text, rest } = leadingSystem(messages);
  writeLead(out, rest > 0 ? text : undefined, prompt);
  writeTurns(messages, rest, {
    text: (message, at) => {
      if (at === lastUser && turns.tools?.at === 'before-last-user') writeToolsTurn(out, prompt);
      inFrame(out, turns[message.role], () => out.outside(trimmed(textOf(message), turns), contentField(at)));
    },
    answer: (message, at) => {
      if (!out.ownWords(message, ownPlace(at, prompt))) writeAnswer(out, message, at, prompt);
      else numbers.count(callsOf(message), out.wordsOf(message)?.text);
      out.ours(turns.assistant.close);
    },
    results: (results) => writeResultTurns(out, results, prompt),
  });
  if (options.generate !== false) out.ours(beginning(options, parts));
}

function beginning(options: RenderOptions, parts: PromptParts): string {
  return parts.turns.assistant.open + generation(options, parts);
}

function ownPlace(at: number, prompt: Prompt): TurnPlace {
  const { turns, declaration, options, keptBehind } = prompt;
  return {
    options,
    begin: (asked) => beginning(asked, prompt),
    keeps: at > keptBehind,
    plain: turns.assistant.open + (turns.reasoning?.absent ?? ''),
    opener: declaration.reasoning?.open ?? turns.reasoning?.open,
  };
}

/** Gives the index of the last message whose reasoning is left out. */
function keptBehind(messages: readonly Message[], lastUser: number, parts: PromptParts): number {
  const { turns, declaration } = parts;
  const { kept = 'all' } = { ...declaration.reasoning, ...turns.reasoning };
  if (kept === 'all') return -1;
  if (kept === 'none') return messages.length;
  if (kept === 'last') return lastUser;
  return messages.findLastIndex((message) => message.role === 'assistant' && callsOf(message).length === 0);
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
function writeLead(out: Writer, said: string | undefined, prompt: Prompt): void {
  const at = prompt.turns.tools?.at;
  if (at === 'before-system') writeToolsTurn(out, prompt);
  writeSystem(out, said, prompt);
  if (at === 'behind-system' || (at === 'before-last-user' && prompt.lastUser < 0))
    writeToolsTurn(out, prompt);
}

function writeToolsTurn(out: Writer, { conversation: { tools }, options, ...prompt }: Prompt): void {
  const own = prompt.turns.tools;
  if (own && tools.length > 0) inFrame(out, own, () => writeOwnTools(out, tools, own, options, prompt));
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

function writeSystem(out: Writer, said: string | undefined, prompt: Prompt): void {
  const { turns, instructions, conversation, options } = prompt;
  const tools = turns.tools ? [] : conversation.tools;
  const given = trimmed(said ?? '', turns);
  const otherwise = given === '' ? defaultSystem(prompt) : undefined;
  if (said === undefined && tools.length === 0 && otherwise === undefined) return;
  out.ours(turns.system.open).outside(given, contentField(0));
  otherwise?.write(out);
  const speaks = given !== '' || otherwise?.speaks;
  if (tools.length > 0) instructions(out.ours(speaks ? (turns.beforeTools ?? '\n\n') : ''), tools, options);
  out.ours(otherwise?.close ?? turns.system.close);
}

interface OtherSystem {
  write(out: Writer): void;
  speaks: boolean;
  close: string;
}

/** Gives the system text of a conversation that has none: the vendor's, if it is asked for, or the usual one. */
function defaultSystem({ turns, system, conversation, options }: Prompt): OtherSystem | undefined {
  const { defaultSystem: usual, system: frame } = turns;
  const isAsked = options.template?.defaultSystem === true;
  if (system && isAsked)
    return { write: (out) => system(out, conversation.tools, options), speaks: true, close: frame.close };
  const {
    text,
    close = frame.close,
    asked = false,
  } = typeof usual === 'string' ? { text: usual } : (usual ?? {});
  if (text === undefined || (asked && !isAsked)) return undefined;
  return { write: (out) => out.ours(text), speaks: text !== '', close };
}

// --- answers and results -------------------------------------------------------------------------------

function writeAnswer(out: Writer, message: AssistantMessage, at: number, prompt: Prompt): void {
  const { turns, writeCalls, numbers } = prompt;
  const text = trimmed(textOf(message), turns);
  const calls = callsOf(message);
  out.ours(turns.assistant.open);
  writeReasoning(out, reasoningOf(message) ?? '', at, prompt);
  out.answer(text, contentField(at));
  // Written without the tools' schemas, as vendors' templates write values and as prompts are read back.
  const afterText = text !== '' || turns.callsApart === true;
  if (calls.length > 0) writeCalls(out, calls, { tools: [], afterText, numbers: numbers.count(calls) });
}

function writeReasoning(out: Writer, thought: string, at: number, prompt: Prompt): void {
  const { turns, declaration, keptBehind } = prompt;
  const { open, close, absent = '' } = { ...declaration.reasoning, ...turns.reasoning };
  if (thought === '' || open === undefined || close === undefined || at <= keptBehind) out.ours(absent);
  else out.ours(open).outside(thought, contentField(at)).ours(close);
}

function writeResultTurns(
  out: Writer,
  given: readonly ToolResult[],
  { turns, results, numbers, idOf }: Prompt,
): void {
  const frame = turns.results ?? (turns.user as ResultsTurn);
  const said = { ...results, each: frame.says ?? results.each };
  const groups = frame.each ? given.map((result) => [result]) : [given];
  for (const [first, group] of groups.entries())
    inFrame(out, frame, () =>
      writeDeclaredResults(out, group, said, {
        indexOf: (result, at) => numbers.of(result, first + at),
        ...(idOf && { idOf }),
      }),
    );
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
