// Renders messages by the chat template of a file, and keeps track of where the text comes from: text from outside is
// put between two characters that nothing else has, and found again in what the template wrote.
//
// White space at the ends of a message stays outside of these characters: many templates trim messages.

import { ApiError, UsageError } from '@dragoman/core';
import type { Span } from '@dragoman/core/internal';
import { renderTemplate } from '@dragoman/core/template';
import type { PromptPiece } from '../local-model.js';
import { addPiece, piecesOf } from './pieces.js';

export interface ChatTemplate {
  template: string;
  /** Templates for special purposes, such as `tool_use`. */
  templates?: Readonly<Record<string, string>>;
  bosToken?: string;
  eosToken?: string;
}

export interface TemplateMessage {
  role: 'system' | 'user' | 'assistant';
  text: string;
  spans: readonly Span[];
}

/** Throws an ApiError where the template refuses the messages, in its own words. */
export function templatePieces(
  { template, bosToken = '', eosToken = '' }: ChatTemplate,
  messages: readonly TemplateMessage[],
  variables: Readonly<Record<string, unknown>> = {},
): PromptPiece[] {
  const marks = unusedMarks([template, bosToken, eosToken, ...messages.map(({ text }) => text)]);
  const marked = messages.map(({ role, text, spans }) => ({
    role,
    content: markOutside(text, spans, marks),
  }));
  try {
    const { text } = renderTemplate(
      { chat_template: template, bos_token: bosToken, eos_token: eosToken },
      { messages: marked },
      { variables, now: new Date() },
    );
    return unmark(text, marks);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new ApiError('bad-request', `The chat template of the model: ${error.message}`, { cause: error });
  }
}

type Marks = readonly [open: string, close: string];

/** Two characters for private use that occur nowhere. */
function unusedMarks(texts: readonly string[]): Marks {
  const found: string[] = [];
  for (let code = 0xe000; code <= 0xf8ff && found.length < 2; code++) {
    const mark = String.fromCharCode(code);
    if (!texts.some((text) => text.includes(mark))) found.push(mark);
  }
  const [open, close] = found;
  if (open !== undefined && close !== undefined) return [open, close];
  throw new ApiError('bad-request', 'The messages have every character for private use.');
}

function markOutside(text: string, spans: readonly Span[], [open, close]: Marks): string {
  const pieces = piecesOf(text, spans);
  return pieces
    .map(({ text: piece, origin }, at) => {
      if (origin === 'ours') return piece;
      const lead = at === 0 ? piece.length - piece.trimStart().length : 0;
      const body = at === pieces.length - 1 ? piece.slice(lead).trimEnd() : piece.slice(lead);
      const tail = piece.slice(lead + body.length);
      return piece.slice(0, lead) + (body === '' ? '' : open + body + close) + tail;
    })
    .join('');
}

/** A template may cut a message: what stands between two marks that do not fit is taken to be from outside. */
function unmark(text: string, [open, close]: Marks): PromptPiece[] {
  const pieces: PromptPiece[] = [];
  let isOutside = false;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const mark = text[at];
    if (mark !== open && mark !== close && mark !== undefined) continue;
    const isCut = mark === close ? !isOutside : mark === open && isOutside;
    addPiece(pieces, text.slice(start, at), isOutside || isCut ? 'outside' : 'ours');
    isOutside = mark === open;
    start = at + 1;
  }
  return pieces;
}
