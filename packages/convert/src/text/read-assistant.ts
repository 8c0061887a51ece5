// An assistant's turn, read back: reasoning, text and calls.
//
//   <think>\nLet me see.\n</think>\n\nSure.\n<tool_call>…
//   ^ reasoning, in a prompt           ^ text ^ calls
//
// The dialect's parser finds the calls. What the renderer writes for them is then taken off the end, so that the
// text before is known to the letter, white space and all. Where that does not fit, the parser's word is taken.

import {
  type AssistantMessage,
  type Dialect,
  hasMarker,
  type ParsedCall,
  parse,
  parseExact,
  stringifyJson,
  type Tool,
  type ToolCall,
  Writer,
} from '@dragoman/core/internal';

import type { Note } from '../forms/form.js';
import { asWritten } from '../forms/untyped-values.js';
import { quickly } from '../quick/index.js';
import { plainParts, readPlainAnswer } from '../quick/plain-answer.js';
import { layoutOf } from './layout.js';
import { readAnswer, readOutside } from './read-text.js';

export interface AssistantSource {
  text: string;
  tools: readonly Tool[];
  /** It stands in a prompt, where reasoning has its place. */
  inPrompt: boolean;
  /** Where in the row it stands, for notes. */
  path: string;
  newId: () => string;
}

export interface ReadAssistant {
  message: AssistantMessage;
  notes: Note[];
}

type Parts = AssistantMessage['parts'];

interface Split {
  /** Undefined: left to the parser. */
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

/** An answer that is a text, calls, or both, as the renderer writes them. */
function readPlain(dialect: Dialect, source: AssistantSource): ReadAssistant | undefined {
  const { inPrompt, text, tools } = source;
  if (!inPrompt && isProse(dialect, text)) return said(undefined, withCalls(text, []));
  const { reasoning, body } = splitOf(dialect, source);
  const gap = inPrompt ? gapOf(dialect) : '';
  if (!dialect.render.text && isProse(dialect, body))
    return said(reasoning, withCalls(withoutStart(body, gap), []));
  const plain = readPlainAnswer(dialect, { body, tools, inPrompt, gap });
  return plain && said(reasoning, plainParts(plain, source.newId));
}

/** The long way, which the quick one is held to. */
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
  return said(reasoning, spoken === undefined ? answer.parts : withCalls(spoken, calls), [
    ...answer.issues.map(({ code }): Note => ({ kind: 'issue', code, path: source.path })),
    ...answer.repairs.map(({ code }): Note => ({ kind: 'repair', code, path: source.path })),
  ]);
}

function splitOf(dialect: Dialect, { inPrompt, text }: AssistantSource): Split {
  return inPrompt ? splitReasoning(dialect, text) : whole(text);
}

function said(reasoning: string | undefined, parts: Parts, notes: Note[] = []): ReadAssistant {
  const thought: Parts = reasoning ? [{ type: 'reasoning', text: reasoning }, ...parts] : parts;
  return { message: { role: 'assistant', parts: thought }, notes };
}

const SUSPICIOUS = '<[{`|';

/**
 * Nothing in which a call, a thought or a marker could begin: the parser would say the same, at length. All that acts
 * is a marker (that is why texts without one are safe to render), but where a dialect places text in its own way.
 */
export function isProse({ markers, render }: Dialect, text: string): boolean {
  if (!text.isWellFormed()) return false;
  if (!render.text) return !hasMarker(text, markers.said ?? markers);
  for (const char of SUSPICIOUS + markers.firsts) if (text.includes(char)) return false;
  return true;
}

/** Without escapes that only keep markers apart, as a program would write it. */
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

/** A close without an open: the prompt had opened the reasoning. */
function startsInside(dialect: Dialect, text: string): boolean {
  const { reasoning, startsInReasoning } = dialect.traits;
  // A dialect that places text in its own way may have the tags in a text.
  if (!reasoning || !startsInReasoning || dialect.render.text) return false;
  const close = text.indexOf(reasoning.close);
  const open = text.indexOf(reasoning.open);
  return close >= 0 && (open < 0 || close < open);
}

// --- reasoning -----------------------------------------------------------------------------------------

/** The reasoning a turn of a prompt begins with, without its layout. Undefined: left to the parser. */
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

/** The text before the calls, to the letter; undefined where the calls are not written as we write them. */
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
  // A prompt is written without a look at the tools.
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
