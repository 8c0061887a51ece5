// Reads a pasted request as a draft: JSON of OpenAI's or Anthropic's API, or a bare list of messages.

import { ApiError, acceptConversation, parseExact, UsageError } from '@dragoman/core';
import { type Draft, fromConversation } from './draft.js';
import { lineOf, placeOf, type TextRange } from './json-place.js';

export interface ReadRequest {
  draft: Draft;
  /** Members of the request that are no part of a conversation. */
  leftOut: string[];
}

/** Why the request was refused, with the place in the text. */
export interface RefusedRequest {
  message: string;
  path: string;
  place: TextRange;
  line: number;
}

export async function readRequest(text: string): Promise<ReadRequest | RefusedRequest> {
  let value: unknown;
  try {
    value = parseExact(text);
  } catch (error) {
    return notJson(text, error);
  }
  try {
    const conversation = isResponses(value) ? await fromResponses(value) : acceptConversation(value);
    const leftOut = Object.keys(conversation.extra ?? {}).filter((key) => key !== 'messages');
    return { draft: fromConversation(conversation), leftOut };
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof ApiError)) throw error;
    return refused(text, error.message, error.path ?? '');
  }
}

/** The Responses API has `input` where the others have `messages`. Its reader is loaded when it is needed. */
function isResponses(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.hasOwn(value, 'input') && !Object.hasOwn(value, 'messages');
}

async function fromResponses(value: Record<string, unknown>) {
  const { openaiResponses } = await import('@dragoman/core/wire');
  const { conversation } = openaiResponses.decodeRequest({ model: '', ...value });
  return conversation;
}

function notJson(text: string, error: unknown): RefusedRequest {
  const message = error instanceof Error ? error.message : String(error);
  const at = offsetOf(text, message);
  return {
    message: `This is no JSON. ${message}`,
    path: '',
    place: { from: at, to: at },
    line: lineOf(text, at),
  };
}

/** Gives the offset of a message such as `line 2, column 6: …`. */
export function offsetOf(text: string, message: string): number {
  const [, line, column] = /line (\d{1,9}), column (\d{1,9})/.exec(message) ?? [];
  if (line === undefined || column === undefined) return 0;
  let start = 0;
  for (let n = 1; n < Number(line); n++) start = text.indexOf('\n', start) + 1;
  return Math.min(start + Number(column) - 1, text.length);
}

function refused(text: string, message: string, path: string): RefusedRequest {
  const place = placeOf(text, path);
  return { message, path, place, line: lineOf(text, place.from) };
}
