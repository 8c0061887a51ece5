// What a model answers, whatever API it came by or goes out by: as events while it is written, and whole.

import type { AssistantMessage, Extra } from './conversation.js';
import type { Issue, Repair } from './issues.js';

/**
 * Why an answer ended. `length`: the token limit, or a text that broke off inside a call.
 * `content-filter`: withheld or refused by the provider.
 */
export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter';

export interface Usage {
  inputTokens: number;
  outputTokens: number;
  /** Of the input: read from a cache. */
  cachedTokens?: number;
  /** Of the output: spent on reasoning. */
  reasoningTokens?: number;
  /** Counted by us, roughly, because the upstream did not say. */
  estimated?: boolean;
}

/** One thing the bridge did that a caller may want to know. */
export interface Report {
  /** How the calls came about: written as text and read, native and watched, or native alone. */
  mode: 'emulate' | 'heal' | 'native';
  /** The dialect that was spoken, or watched for. */
  dialect?: string;
  /** How the dialect was chosen. */
  dialectFrom?: 'name' | 'model' | 'default';
  issues: Issue[];
  repairs: Repair[];
  /** Each time the model was asked again: why, and what it had written. */
  reasks: Reask[];
  /** What the model wrote behind its calls in a dialect whose turns end with them, cut if it is long. */
  aside?: string;
  /** The upstream refused tools, in these words, and was asked again without. */
  refused?: string;
  /** Tools that run at a provider and were left out. */
  skippedTools?: { path: string; type: string }[];
  /** Members of the request that had no effect: an upstream that only writes text is not told of them. */
  ignored?: string[];
  /** Whether the numbers in `usage` are the upstream's. */
  usage?: 'upstream' | 'estimated';
}

export interface Reask {
  choice: number;
  /** What the model was told. */
  reasons: string[];
  issues: Issue[];
  /** What it had written, cut if it is long. */
  text: string;
}

interface OfChoice {
  /** Which of several answers. Default 0. */
  choice?: number;
}

/**
 * The order for each choice: any number of deltas, `finish` once. For the whole: `answer-start` first;
 * `usage` and `report` behind the last finish; or `error`, which ends everything. A `call-start` comes before
 * its deltas, the deltas concatenate to the arguments as JSON, and `call-end` says that they are complete: a
 * call without it was cut off and must not be run. Calls do not interleave, except those of a native upstream.
 */
export type AnswerEvent =
  | { type: 'answer-start'; id?: string; model?: string; created?: number; extra?: Extra }
  | ({ type: 'text-delta'; text: string } & OfChoice)
  | ({ type: 'reasoning-delta'; text: string; extra?: Extra } & OfChoice)
  | ({ type: 'call-start'; id: string; name: string } & OfChoice)
  | ({ type: 'call-delta'; id: string; text: string } & OfChoice)
  | ({ type: 'call-end'; id: string } & OfChoice)
  | ({ type: 'finish'; reason: FinishReason; stopSequence?: string } & OfChoice)
  | { type: 'usage'; usage: Usage }
  | { type: 'report'; report: Report }
  | { type: 'error'; error: ApiError };

export interface AnswerChoice {
  /** Text, reasoning and complete calls, in the order they were written. */
  parts: AssistantMessage['parts'];
  finish: FinishReason;
  stopSequence?: string;
}

export interface Answer {
  id: string;
  model: string;
  /** Seconds since 1970. */
  created: number;
  choices: AnswerChoice[];
  usage: Usage;
  report?: Report;
}

export type ApiErrorCode =
  | 'bad-request' // 400: what the client sent; `path` names the field
  | 'unauthorized' // 401
  | 'forbidden' // 403
  | 'not-found' // 404: no such model or route
  | 'method-not-allowed' // 405
  | 'too-large' // 413
  | 'unsupported-media' // 400: an image or a file where only text can go
  | 'rate-limited' // 429
  | 'tools-refused' // 400: the upstream does not take tools
  | 'upstream-refused' // the upstream's own 4xx: its status is passed on
  | 'upstream-failed' // 502: no connection, 5xx, an answer that is none
  | 'upstream-broken' // 502: the answer broke off or could not be read
  | 'upstream-timeout' // 504
  | 'unreadable-call' // 502: a call that was already being delivered could not be read to its end
  | 'overloaded' // 503
  | 'internal'; // 500

export interface ApiErrorDetails {
  path?: string;
  status?: number;
  retryable?: boolean;
  retryAfter?: number;
  details?: Record<string, unknown>;
  cause?: unknown;
}

/** What went wrong on the way to or from a model, with what a client must know to act. Thrown or in-band. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The field of the request that is at fault. */
  readonly path: string | undefined;
  /** The upstream's status, where it answered. */
  readonly status: number | undefined;
  /** Whether the same request may succeed if it is sent again. */
  readonly retryable: boolean;
  /** Seconds to wait before that, if the upstream said so. */
  readonly retryAfter: number | undefined;
  /** What programs read, in the words of the API, where it has a place for it. */
  readonly details: Record<string, unknown> | undefined;

  constructor(
    readonly code: ApiErrorCode,
    message: string,
    more: ApiErrorDetails = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.path = more.path;
    this.status = more.status;
    this.retryable = more.retryable ?? retryableCodes.includes(code);
    this.retryAfter = more.retryAfter;
    this.details = more.details;
  }
}

const retryableCodes: ApiErrorCode[] = [
  'rate-limited',
  'upstream-failed',
  'upstream-broken',
  'upstream-timeout',
  'unreadable-call',
  'overloaded',
];
