// Reads an upstream's error, in whatever envelope it came: the message for people, and the code, status and retry time
// a client needs. Every server imitates some API here, and not always the one it speaks otherwise.

import { type AnswerEvent, ApiError, type ApiErrorDetails } from '../model/index.js';
import { hideKeys } from './hide-keys.js';
import { listOf, memberOf, numberOf, stringOf } from './values.js';

/** Reads an upstream's response whose status is not 2xx. */
export function decodeError(status: number, body: string): ApiError {
  const { reason, word } = readBody(body);
  const message = `The upstream answered ${status}${reason === undefined ? '.' : `: ${reason}`}`;
  return toApiError(word === 'overloaded_error' ? 529 : status, message, {
    status,
    body: body.slice(0, MAX_BODY),
  });
}

/** Reads an error inside an answer that began with 200. Some hold a status, some a word for one. */
export function decodeInnerError(value: unknown): ApiError {
  const status = statusIn(value);
  const reason = messageIn(value);
  const message =
    reason === undefined ? 'The upstream failed, and did not say why.' : `The upstream failed: ${reason}`;
  const body = bodyOf(value);
  const more = { ...(status !== undefined && { status }), ...(body !== undefined && { body }) };
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

function readBody(body: string): { reason: string | undefined; word: string | undefined } {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    const text = body.trimStart().startsWith('<') ? pageText(body) : body;
    return { reason: shown(text), word: undefined };
  }
  return { reason: messageIn(value), word: stringOf(value, 'error', 'type') };
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

/** Gives the text of an HTML page, most often a proxy's: its title, or the text between its tags. */
function pageText(page: string): string {
  const start = page.toLowerCase().indexOf('<title>');
  const end = start < 0 ? -1 : page.indexOf('<', start + 7);
  if (end > 0) return page.slice(start + 7, end);
  let text = '';
  for (const piece of page.slice(0, 20_000).split('<')) text += ` ${piece.slice(piece.indexOf('>') + 1)}`;
  return text;
}

const MAX_MESSAGE = 2000;

/** Gives one short line, without anything that looks like a key. */
function shown(text: string): string | undefined {
  const start = text.slice(0, 4 * MAX_MESSAGE);
  const line = hideKeys(start.split(/\s+/).join(' ').trim());
  if (line === '') return undefined;
  return line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE)}…` : line;
}
