// Reads an upstream's error, in whatever envelope it came: the message for people, and the code, status and retry time
// a client needs. Every server imitates some API here, and not always the one it speaks otherwise.

import { type AnswerEvent, ApiError, type ApiErrorDetails } from '../model/index.js';
import { isContextError } from './context-errors.js';
import { hideKeys } from './hide-keys.js';
import { listOf, memberOf, numberOf, parsedJson, stringOf } from './values.js';
import { isPage, pageTitle } from './web-page.js';

/** Reads an upstream's response whose status is not 2xx. */
export function decodeError(status: number, body: string): ApiError {
  const { reason, code, word, page } = readBody(body);
  const what = page ? `${status} with a web page` : status;
  const message = `The upstream answered ${what}${reason === undefined ? '.' : `: ${reason}`}`;
  const more = { status, body: body.slice(0, MAX_BODY) };
  if (isContextError(status, [reason, code, word])) return contextError(message, more);
  return toApiError(word === 'overloaded_error' ? 529 : status, message, more);
}

/** Reads an error inside an answer that began with 200. Some hold a status, some a word for one. */
export function decodeInnerError(value: unknown): ApiError {
  const status = statusIn(value);
  const reason = messageIn(value);
  const message =
    reason === undefined ? 'The upstream failed, and did not say why.' : `The upstream failed: ${reason}`;
  const body = bodyOf(value);
  const more = { ...(status !== undefined && { status }), ...(body !== undefined && { body }) };
  const texts = [reason, stringOf(value, 'error', 'code'), stringOf(value, 'code'), typeIn(value)];
  if (isContextError(status ?? 500, texts)) return contextError(message, more);
  return toApiError(status ?? 500, message, more);
}

/** How much of an upstream's error is kept. */
const MAX_BODY = 64 * 1024;

/** Gives the error alone: what else is in a failed answer may repeat the request. */
function bodyOf(value: unknown): string | undefined {
  const error = memberOf(value, 'error');
  try {
    return JSON.stringify(error === undefined ? value : { error })?.slice(0, MAX_BODY);
  } catch {
    // The value is nested too deep.
    return undefined;
  }
}

/** Makes the error for an answer that cannot be read, or breaks off. */
export function brokenEvent(message: string): AnswerEvent {
  return { type: 'error', error: new ApiError('upstream-broken', message) };
}

/** Whether the body is an error in the place of an answer. */
export function isErrorBody(value: unknown): boolean {
  return (
    memberOf(value, 'error') !== undefined ||
    stringOf(value, 'object') === 'error' ||
    stringOf(value, 'type') === 'error'
  );
}

function contextError(message: string, more: Pick<ApiErrorDetails, 'status' | 'body'>): ApiError {
  return new ApiError('context-too-long', message, more);
}

function toApiError(kind: number, message: string, more: Pick<ApiErrorDetails, 'status' | 'body'>): ApiError {
  if (kind === 529) return new ApiError('overloaded', message, more);
  if (kind === 429) return new ApiError('rate-limited', message, more);
  if (kind === 408 || kind === 504) return new ApiError('upstream-timeout', message, more);
  if (kind < 400 || kind >= 500) return new ApiError('upstream-failed', message, more);
  return new ApiError('upstream-refused', message, { ...more, retryable: kind === 409 });
}

/** The status for each error word: Anthropic's types, OpenAI's types and codes. */
const statuses: ReadonlyMap<unknown, number> = new Map([
  ['invalid_request_error', 400],
  ['invalid_prompt', 400],
  ['context_length_exceeded', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['rate_limit_exceeded', 429],
  ['insufficient_quota', 429],
  ['timeout_error', 504],
  ['overloaded_error', 529],
]);

function statusIn(value: unknown): number | undefined {
  const numbers = [
    numberOf(value, 'error', 'code'),
    numberOf(value, 'error', 'status'),
    numberOf(value, 'code'),
    numberOf(value, 'status'),
  ];
  const words = [
    stringOf(value, 'error', 'code'),
    stringOf(value, 'code'),
    stringOf(value, 'error', 'type'),
    stringOf(value, 'type'),
  ];
  const told = [...numbers, ...words.map((word) => statuses.get(word))];
  return told.find((status) => status !== undefined && status >= 400 && status < 600);
}

interface ErrorBody {
  reason: string | undefined;
  code?: string | undefined;
  /** The type of the error. */
  word?: string | undefined;
  /** The body is a web page. */
  page?: boolean;
}

function readBody(body: string): ErrorBody {
  const value = parsedJson(body);
  if (value === undefined) return { reason: shown(body), page: isPage(body) };
  const code = stringOf(value, 'error', 'code') ?? stringOf(value, 'code');
  return { reason: messageIn(value), code, word: typeIn(value) };
}

function typeIn(value: unknown): string | undefined {
  return stringOf(value, 'error', 'type') ?? stringOf(value, 'type');
}

/**
 * Finds the message in '…', {error: {message}}, {error: '…'}, {message}, {detail: '…'}, FastAPI's {detail: [{loc,
 * msg}]}, or lists of these.
 */
function messageIn(value: unknown): string | undefined {
  const body = Array.isArray(value) ? value[0] : value;
  const candidates = [
    typeof body === 'string' ? body : undefined,
    stringOf(body, 'error', 'message'),
    stringOf(body, 'error'),
    stringOf(body, 'message'),
    stringOf(body, 'detail'),
    stringOf(body, 'detail', 'message'),
    faultsText(listOf(body, 'detail')),
    stringOf(body, 'error', 'code'),
    stringOf(body, 'error', 'type'),
  ];
  for (const text of candidates) {
    const line = text === undefined ? undefined : shown(text);
    if (line !== undefined) return line;
  }
  return undefined;
}

function faultsText(faults: unknown[]): string | undefined {
  const texts = faults.flatMap((fault) => {
    const text = stringOf(fault, 'msg');
    return text === undefined ? [] : [`${listOf(fault, 'loc').join('.')}: ${text}`];
  });
  return texts.length > 0 ? texts.join('; ') : undefined;
}

const MAX_MESSAGE = 2000;

/** Gives one short line, without anything that looks like a key; of a web page, its title alone. */
function shown(text: string): string | undefined {
  const said = isPage(text) ? pageTitle(text) : text;
  const start = said.slice(0, 4 * MAX_MESSAGE);
  const line = hideKeys(start.split(/\s+/).join(' ').trim());
  if (line === '') return undefined;
  return line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE)}…` : line;
}
