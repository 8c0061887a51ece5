// What a declared dialect writes beside its calls: the text that teaches it, results, and whole prompts where they
// are nothing but frames.
//
//   {tools} {output} {name} {id} {index}   are filled in; {output:json} as JSON

import type { DialectDeclaration, ResultsDeclaration, TurnsDeclaration } from '../../codec/declaration.js';
import type { Render, RenderOptions, TurnToken, Writer } from '../../codec/dialect.js';
import { defineMarkers } from '../../codec/markers.js';
import { callsOf, contentField, reasoningOf, resultField, textOf } from '../../codec/message-text.js';
import { orderResults, resultText } from '../../codec/result-text.js';
import { Writer as TextWriter } from '../../codec/writer.js';
import type { Conversation, Message, Tool, ToolCall, ToolResult } from '../../model/index.js';
import { readToolLines, readToolList } from '../back/tool-lines.js';
import { toolFunction, toolSource, writeShortForm, writeToolLines } from './tool-text.js';

const PLAIN_RESULTS: ResultsDeclaration = {
  each: '<tool_response>\n{output}\n</tool_response>',
  between: '\n',
};

const PLACE = /\{(output|name|id|index)(:json)?\}/;

/** The strings that frame results: whoever writes them outside is a forger. */
export function resultFrames({ results = PLAIN_RESULTS }: DialectDeclaration): string[] {
  const pieces = results.each.split(PLACE).filter((_, at) => at % 3 === 0);
  const all = [results.before ?? '', pieces[0] ?? '', pieces.at(-1) ?? '', results.behind ?? ''];
  return all.map(withoutJson).filter(isMarker);
}

/** A frame may begin or end JSON: `[TOOL_RESULTS] {"content": `, `"}[/TOOL_RESULTS]`. Braces are no markers. */
function withoutJson(piece: string): string {
  const brace = piece.indexOf('{');
  const frame = brace < 0 ? piece : piece.slice(0, brace);
  return frame
    .replace(/^["}\]]+/, '')
    .replace(/\[$/, '')
    .trim();
}

/** Frames of turns that act. */
export function frameTokens({ turns }: DialectDeclaration): string[] {
  if (!turns) return [];
  const frames = [turns.system, turns.user, turns.assistant, ...(turns.results ? [turns.results] : [])];
  return frames.flatMap(({ open, close }) => [open.trim(), close.trim()]).filter(isMarker);
}

/** Plain words are no markers: a frame acts only if it looks like one. */
function isMarker(text: string): boolean {
  return text.length > 2 && /[^\p{L}\p{N}\s:]/u.test(text);
}

export function declaredRender(declaration: DialectDeclaration, writeCalls: Render['calls']): Render {
  const { turns, teach, ends = [], results = PLAIN_RESULTS } = declaration;
  const writeResults = (out: Writer, given: readonly ToolResult[]) =>
    writeDeclaredResults(out, given, results);
  const instructions = (out: Writer, tools: readonly Tool[], options: RenderOptions) => {
    if (teach?.text && !options.short) writeTaught(out, tools, declaration);
    else writeShortForm(out, tools, shortForm(declaration, writeCalls, results));
  };
  return {
    instructions,
    calls: writeCalls,
    results: writeResults,
    ...(turns && {
      prompt: (out: Writer, conversation: Conversation, options: RenderOptions) =>
        writePrompt(out, conversation, options, {
          turns,
          declaration,
          writeCalls,
          writeResults,
          instructions,
        }),
    }),
    stop: ends,
    back: {
      tools: (text, { short }) => (isList(teach) && !short ? readToolList(text) : readToolLines(text)),
      ...(turns && { turns: turnTokens(turns) }),
    },
  };
}

/** The definitions are one list in JSON. A text that is made has them in lines. */
function isList(teach: DialectDeclaration['teach']): boolean {
  return teach?.text !== undefined && teach.layout === 'list';
}

/** What divides a prompt into turns, for whoever reads it back. */
function turnTokens({ begin, system, user, assistant, results }: TurnsDeclaration): TurnToken[] {
  const frames = [system, user, assistant, ...(results ? [results] : [])];
  const closers = new Set(
    frames.flatMap(({ close }) => [close, close.trim()]).filter((close) => close !== ''),
  );
  return [
    ...(begin ? [{ token: begin }] : []),
    { token: system.open, role: 'system' },
    { token: user.open, role: 'user' },
    { token: assistant.open, role: 'assistant' },
    ...(results ? [{ token: results.open, role: 'tool' as const }] : []),
    ...[...closers].map((token) => ({ token })),
  ];
}

// --- results -------------------------------------------------------------------------------------------

function writeDeclaredResults(out: Writer, given: readonly ToolResult[], results: ResultsDeclaration): void {
  out.ours(results.before ?? '');
  for (const [at, result] of given.entries()) {
    if (at > 0) out.ours(results.between ?? '\n');
    writeResult(out, result, at, results.each);
  }
  out.ours(results.behind ?? '');
}

function writeResult(out: Writer, result: ToolResult, index: number, each: string): void {
  const said: Record<string, string | undefined> = {
    output: resultText(result),
    name: result.name,
    id: result.callId,
    index: String(index),
  };
  const pieces = each.split(PLACE);
  for (let at = 0; at < pieces.length; at += 3) {
    out.ours(pieces[at] as string);
    const place = pieces[at + 1];
    if (place === undefined) break;
    if (pieces[at + 2]) out.json(said[place] ?? '', resultField(result));
    else out.outside(said[place] ?? '', resultField(result));
  }
}

// --- the text that teaches -----------------------------------------------------------------------------

function writeTaught(out: Writer, tools: readonly Tool[], { teach }: DialectDeclaration): void {
  const [before = '', behind = ''] = (teach?.text ?? '').split('{tools}');
  const show = teach?.tools === 'openai' ? toolSource : toolFunction;
  out.ours(before);
  if (isList(teach)) out.json(tools.map(show), 'tools');
  else writeToolLines(out, tools, show);
  out.ours(behind);
}

const SAMPLE_TOOL: Tool = {
  name: 'NAME',
  parameters: { type: 'object', properties: { key: { type: 'string' }, count: { type: 'integer' } } },
};
const SAMPLE_CALL: ToolCall = { type: 'tool-call', id: '0', name: 'NAME', input: { key: 'text', count: 2 } };
const SAMPLE_RESULT: ToolResult = { type: 'tool-result', callId: '0', name: 'NAME', output: '...' };

const RULES = 'Write every argument that the tool requires, with its type. For several calls, write several.';

function shortForm(
  declaration: DialectDeclaration,
  writeCalls: Render['calls'],
  results: ResultsDeclaration,
) {
  const example = new TextWriter(defineMarkers([]));
  writeCalls(example, [SAMPLE_CALL], { tools: [SAMPLE_TOOL], afterText: false });
  const result = new TextWriter(defineMarkers([]));
  writeDeclaredResults(result, [SAMPLE_RESULT], results);
  return {
    example: example.text.trim(),
    rules: declaration.teach?.rules ?? RULES,
    result: result.text.replaceAll('\n', ''),
  };
}

// --- whole prompts -------------------------------------------------------------------------------------

interface Parts {
  turns: TurnsDeclaration;
  declaration: DialectDeclaration;
  writeCalls: Render['calls'];
  writeResults: (out: Writer, given: readonly ToolResult[]) => void;
  instructions: Render['instructions'];
}

function writePrompt(out: Writer, conversation: Conversation, options: RenderOptions, parts: Parts): void {
  const { messages, tools } = conversation;
  const { turns } = parts;
  out.ours(turns.begin ?? '');
  const lead = messages.findIndex((message) => message.role !== 'system');
  const start = lead < 0 ? messages.length : lead;
  writeSystem(out, messages.slice(0, start), tools, options, parts);
  let calls: ToolCall[] = [];
  for (let at = start; at < messages.length; at++) {
    const message = messages[at] as Message;
    if (message.role === 'assistant') calls = writeAssistant(out, message, at, tools, parts);
    else if (message.role === 'tool') {
      const given = [...message.parts];
      while (messages[at + 1]?.role === 'tool')
        given.push(...(messages[++at] as { parts: ToolResult[] }).parts);
      const frame = turns.results ?? turns.user;
      parts.writeResults(out.ours(frame.open), orderResults(given, calls));
      out.ours(frame.close);
    } else {
      const frame = turns[message.role];
      out.ours(frame.open).outside(textOf(message), contentField(at)).ours(frame.close);
    }
  }
  if (options.generate === false) return;
  out.ours(turns.assistant.open);
  const { reasoning } = parts.declaration;
  if (reasoning?.starts && options.thinking) out.ours(reasoning.open);
}

function writeSystem(
  out: Writer,
  messages: readonly Message[],
  tools: readonly Tool[],
  options: RenderOptions,
  { turns, instructions }: Parts,
): void {
  if (messages.length === 0 && tools.length === 0) return;
  const text = messages.map((message) => textOf(message)).join('\n\n');
  out.ours(turns.system.open).outside(text, contentField(0));
  if (tools.length > 0) instructions(out.ours(text === '' ? '' : '\n\n'), tools, options);
  out.ours(turns.system.close);
}

function writeAssistant(
  out: Writer,
  message: Extract<Message, { role: 'assistant' }>,
  at: number,
  tools: readonly Tool[],
  { turns, declaration, writeCalls }: Parts,
): ToolCall[] {
  const { reasoning } = declaration;
  const thought = reasoningOf(message) ?? '';
  const text = textOf(message);
  const calls = callsOf(message);
  out.ours(turns.assistant.open);
  if (reasoning && thought !== '')
    out.ours(reasoning.open).outside(thought, contentField(at)).ours(reasoning.close);
  out.answer(text, contentField(at));
  if (calls.length > 0) writeCalls(out, calls, { tools, afterText: text !== '' });
  out.ours(turns.assistant.close);
  return calls;
}
