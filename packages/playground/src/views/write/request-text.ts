// Reads a pasted request as a draft: JSON of OpenAI's or Anthropic's API, or a bare list of messages. Writes a draft as
// the body of a request to one of the served APIs. The APIs are loaded when they are needed.

import { ApiError, acceptConversation, parseExact, UsageError } from '@dragoman/core';
import { isObject } from '@dragoman/core/internal';
import type { Wire } from '@dragoman/core/wire';
import type { TextRange } from '../../parts/editor-text.js';
import { lineOf, offsetOf, placeOf } from '../../parts/json-place.js';
import { words } from '../../words/words.js';
import { type Draft, fromConversation, toRequest } from './draft.js';

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
    const path = error.path ?? '';
    return refusedAt(text, error.message, path, placeOf(text, path));
  }
}

/** The Responses API has `input` where the others have `messages`. */
function isResponses(value: unknown): value is Record<string, unknown> {
  return isObject(value) && Object.hasOwn(value, 'input') && !Object.hasOwn(value, 'messages');
}

async function fromResponses(value: Record<string, unknown>) {
  const { openaiResponses } = await import('@dragoman/core/wire');
  const { conversation } = openaiResponses.decodeRequest({ model: '', ...value });
  return conversation;
}

function notJson(text: string, error: unknown): RefusedRequest {
  const message = error instanceof Error ? error.message : String(error);
  const at = offsetOf(text, message);
  return refusedAt(text, words().write.noJson(message), '', { from: at, to: at });
}

function refusedAt(text: string, message: string, path: string, place: TextRange): RefusedRequest {
  return { message, path, place, line: lineOf(text, place.from) };
}

export async function servedApis(): Promise<readonly Wire[]> {
  const { wires } = await import('@dragoman/core/wire');
  return wires.filter(({ served }) => served);
}

/** Gives JSON text, or the problem. */
export function writeRequest(draft: Draft, api: Wire): { text: string } | { problem: string } {
  const made = toRequest(draft);
  if ('problem' in made) return { problem: `${made.problem.path}: ${made.problem.message}` };
  try {
    const conversation = acceptConversation(made.request);
    const body = api.encodeRequest({ model: 'your-model', conversation, settings: {}, stream: false });
    return { text: JSON.stringify(body, null, 2) };
  } catch (error) {
    if (error instanceof UsageError) return { problem: error.message };
    throw error;
  }
}
