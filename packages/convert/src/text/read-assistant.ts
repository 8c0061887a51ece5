// Reads an assistant's turn from text: reasoning, text and calls.
//
//   <think>\nLet me see.\n</think>\n\nSure.\n<tool_call>…
//   ^ reasoning, in a prompt           ^ text ^ calls
//
// The dialect's parser finds the calls. What the renderer writes for them is then cut off the end, so that the text
// before them is exact, white space included. Where the end differs, the parser's text is taken.

import {
  type AssistantMessage,
  type Dialect,
  type ExactValue,
  exactObject,
  hasMarker,
  type JsonObject,
  type ParsedCall,
  parse,
  parseExact,
  readAnswer,
  readMembers,
  readOutside,
  stringifyJson,
  type Tool,
  type ToolCall,
  toPlain,
  Writer,
} from '@dragoman/core/internal';
import type { Note } from '../forms/form.js';
import { quickly } from '../quick/index.js';
import { plainParts, readPlainAnswer } from '../quick/plain-answer.js';
import { layoutOf } from './layout.js';

export interface AssistantSource {
  text: string;
  tools: readonly Tool[];
  /** Whether the text comes from a prompt, which may hold reasoning. */
  inPrompt: boolean;
  /** The path in the row, for notes. */
  path: string;
  newId: () => string;
}

export interface ReadAssistant {
  message: AssistantMessage;
  notes: Note[];
}

type Parts = AssistantMessage['parts'];

interface Split {
  /** Undefined if the parser has to find it. */
  reasoning: string | undefined;
  body: string;
}

export function readAssistant(dialect: Dialect, source: AssistantSource): ReadAssistant {
  return quickly(
    'answer',
    () => readPlain(dialect, source),
    () => readByParser(dialect, source),
  );
}

/** Reads an answer that is text, calls, or both, exactly as the renderer writes them. */
function readPlain(dialect: Dialect, source: AssistantSource): ReadAssistant | undefined {
  const { inPrompt, text, tools } = source;
  if (!inPrompt && isProse(dialect, text)) return answered(undefined, withCalls(text, []));
  const { reasoning, body } = splitOf(dialect, source);
  const gap = inPrompt ? gapOf(dialect) : '';
  if (!dialect.render.text && isProse(dialect, body))
    return answered(reasoning, withCalls(withoutStart(body, gap), []));
  const plain = readPlainAnswer(dialect, { body, tools, inPrompt, gap });
  return plain && answered(reasoning, plainParts(plain, source.newId));
}

/** Reads an answer with the parser. The quick way must give the same result. */
export function readByParser(dialect: Dialect, source: AssistantSource): ReadAssistant {
  const { reasoning, body } = splitOf(dialect, source);
  const answer = parse(dialect, body, {
    tools: source.tools.filter(({ name }) => body.includes(name)),
    newId: source.newId,
    ...(reasoning === undefined && { thinking: startsInside(dialect, body) }),
  });
  let calls = answer.calls.map(plainCall);
  let spoken = answer.reasoning === '' ? spokenText(dialect, source, body, calls) : undefined;
  if (spoken === undefined && dialect.traits.values === 'schema' && calls.length > 0) {
    calls = asWritten(dialect, body, calls);
    spoken = spokenText(dialect, source, body, calls);
  }
  return answered(reasoning, spoken === undefined ? answer.parts : withCalls(spoken, calls), [
    ...answer.issues.map(({ code }): Note => ({ kind: 'issue', code, path: source.path })),
    ...answer.repairs.map(({ code }): Note => ({ kind: 'repair', code, path: source.path })),
  ]);
}

function splitOf(dialect: Dialect, { inPrompt, text }: AssistantSource): Split {
  return inPrompt ? splitReasoning(dialect, text) : whole(text);
}

function answered(reasoning: string | undefined, parts: Parts, notes: Note[] = []): ReadAssistant {
  const thought: Parts = reasoning ? [{ type: 'reasoning', text: reasoning }, ...parts] : parts;
  return { message: { role: 'assistant', parts: thought }, notes };
}

const SUSPICIOUS = '<[{`|';

/**
 * Whether the text holds nothing that could begin a call, reasoning or a marker: then the parser would give the text
 * unchanged. Only markers matter, as they do for rendering, unless the dialect writes text in its own way.
 */
export function isProse({ markers, render }: Dialect, text: string): boolean {
  if (!text.isWellFormed()) return false;
  if (!render.text) return !hasMarker(text, markers.said ?? markers);
  for (const char of SUSPICIOUS + markers.firsts) if (text.includes(char)) return false;
  return true;
}

/** Removes escapes that only protect markers, to give the JSON that a program would write. */
function plainCall({ id, name, input, raw }: ParsedCall): ToolCall {
  const plain = raw.includes('\\') ? stringifyJson(parseExact(raw), 'compact') : raw;
  return { type: 'tool-call', id, name, input, raw: plain };
}

function gapOf(dialect: Dialect): string {
  return layoutOf(dialect).prompt?.gap ?? '';
}

function whole(text: string): Split {
  return { reasoning: undefined, body: text };
}

function withCalls(text: string, calls: readonly ToolCall[]): Parts {
  return text === '' ? [...calls] : [{ type: 'text', text }, ...calls];
}

/** Whether the text closes reasoning without opening it: the prompt had opened it. */
function startsInside(dialect: Dialect, text: string): boolean {
  const { reasoning, startsInReasoning } = dialect.traits;
  // A dialect that writes text in its own way may have the tags in a text.
  if (!reasoning || !startsInReasoning || dialect.render.text) return false;
  const close = text.indexOf(reasoning.close);
  const open = text.indexOf(reasoning.open);
  return close >= 0 && (open < 0 || close < open);
}

// --- reasoning -----------------------------------------------------------------------------------------

/**
 * Splits off the reasoning at the start of a prompt's turn, without its layout. Undefined: the parser has to find it.
 */
function splitReasoning(dialect: Dialect, text: string): Split {
  const { reasoning } = dialect.traits;
  const close = reasoning ? text.indexOf(reasoning.close) : -1;
  if (!reasoning || close < 0) return whole(text);
  const open = text.indexOf(reasoning.open);
  const opens = open >= 0 && open < close;
  if (opens && text.slice(0, open).trim() !== '') return whole(text);
  const written = text.slice(opens ? open + reasoning.open.length : 0, close);
  const inner = unframed(written, layoutOf(dialect).prompt);
  return {
    reasoning: inner.trim() === '' ? '' : (readOutside(dialect, inner) ?? inner),
    body: text.slice(close + reasoning.close.length),
  };
}

function unframed(written: string, layout: { opened: string; closed: string } | undefined): string {
  const { opened = '', closed = '' } = layout ?? {};
  const fits = written.length >= opened.length + closed.length;
  if (!fits || !written.startsWith(opened) || !written.endsWith(closed)) return written;
  return written.slice(opened.length, written.length - closed.length);
}

// --- text ----------------------------------------------------------------------------------------------

/** Gives the exact text before the calls; undefined if the calls are not spelled as we spell them. */
function spokenText(
  dialect: Dialect,
  { tools, inPrompt }: AssistantSource,
  body: string,
  calls: readonly ToolCall[],
): string | undefined {
  const gap = inPrompt ? gapOf(dialect) : '';
  const tail = inPrompt ? (layoutOf(dialect).prompt?.tail ?? '') : '';
  const read = (written: string) => readAnswer(dialect, withoutEnd(withoutStart(written, gap), tail));
  if (calls.length === 0) return read(body);
  // In a prompt, calls are rendered without the tools' schemas.
  for (const known of inPrompt ? [[]] : [tools, []]) {
    const alone = beforeCalls(dialect, body, calls, known, false);
    if (alone !== undefined && withoutStart(alone, gap) === '') return '';
    const written = beforeCalls(dialect, body, calls, known, true);
    if (written !== undefined) return read(written);
  }
  return undefined;
}

function beforeCalls(
  dialect: Dialect,
  body: string,
  calls: readonly ToolCall[],
  tools: readonly Tool[],
  afterText: boolean,
): string | undefined {
  const out = new Writer(dialect.markers);
  dialect.render.calls(out, calls, { tools, afterText });
  return body.endsWith(out.text) ? body.slice(0, body.length - out.text.length) : undefined;
}

function withoutEnd(text: string, end: string): string {
  return end !== '' && text.endsWith(end) ? text.slice(0, -end.length) : text;
}

function withoutStart(text: string, start: string): string {
  return text.startsWith(start) ? text.slice(start.length) : text;
}

// --- values of bare text ---------------------------------------------------------------------------------

/**
 * Corrects arguments of a dialect whose values are bare text. Without a schema `true` is read as a boolean; but if the
 * renderer writes booleans as `True`, it was a string. A value's type is the one that renders to the same text.
 */
function asWritten(dialect: Dialect, text: string, calls: readonly ToolCall[]): ToolCall[] {
  const strings = parse(dialect, text, { tools: stringTools(calls) }).calls;
  if (strings.length !== calls.length) return [...calls];
  return calls.map((call, at) => settle(dialect, call, strings[at]?.raw ?? '{}'));
}

/** Makes tools with string parameters only, each with the keys of all its calls. */
function stringTools(calls: readonly ToolCall[]): unknown[] {
  const keys = new Map<string, Set<string>>();
  for (const { name, raw = '{}' } of calls) {
    const known = keys.get(name) ?? new Set();
    for (const { key } of readMembers(raw)) known.add(key);
    keys.set(name, known);
  }
  return [...keys].map(([name, known]) => ({
    name,
    parameters: {
      type: 'object',
      properties: Object.fromEntries([...known].map((key) => [key, { type: 'string' }])),
    },
  }));
}

function settle(dialect: Dialect, call: ToolCall, strings: string): ToolCall {
  const written = new Map(readMembers(strings).map(({ key, value }) => [key, value]));
  const members = readMembers(call.raw ?? '{}').map(({ key, value }): [string, ExactValue] => {
    const text = written.get(key);
    if (typeof text !== 'string') return [key, value];
    return [key, spelled(dialect, call, key, value) === spelled(dialect, call, key, text) ? value : text];
  });
  const input = exactObject(members);
  return { ...call, input: toPlain(input) as JsonObject, raw: stringifyJson(input, 'compact') };
}

function spelled(dialect: Dialect, call: ToolCall, key: string, value: ExactValue): string {
  const input = exactObject([[key, value]]);
  const out = new Writer(dialect.markers);
  const alone = { ...call, input: toPlain(input) as JsonObject, raw: stringifyJson(input, 'compact') };
  dialect.render.calls(out, [alone], { tools: [], afterText: false });
  return out.text;
}
