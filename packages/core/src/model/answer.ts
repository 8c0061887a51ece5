// A model's answer, independent of the API it came by or goes out by: as events while it arrives, and whole.

import type { AssistantMessage, Extra } from './conversation.js';
import type { Issue, Repair } from './issues.js';

/**
 * Why an answer ended. `length`: the token limit, or a text that broke off inside a call. `content-filter`: the
 * provider withheld or refused the answer.
 */
export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter';

export interface Usage {
  inputTokens: number;
  outputTokens: number;
  /** How many of the input tokens came from a cache. */
  cachedTokens?: number;
  /** How many of the output tokens were spent on reasoning. */
  reasoningTokens?: number;
  /** Whether we estimated the counts because the upstream gave none. */
  estimated?: boolean;
}

/** What the bridge did to one answer, for callers who want to know. */
export interface Report {
  /** How the calls were obtained: parsed from text, native with a check for leaked calls, or native alone. */
  mode: 'emulate' | 'heal' | 'native';
  /** The mode was neither given nor known from the upstream: an upstream of which nothing is known is emulated. */
  modeFrom?: 'default';
  /** The dialect that was parsed, or watched for. */
  dialect?: string;
  /** How the dialect was chosen. */
  dialectFrom?: 'name' | 'model' | 'default';
  issues: Issue[];
  repairs: Repair[];
  /** Each time the model was asked again: why, and what it had written. */
  reasks: Reask[];
  /**
   * Text that the model wrote after its calls, in a dialect whose turns end with them, or around the JSON that was asked
   * for. Cut if long.
   */
  aside?: string;
  /** The upstream's message when it refused tools, or a format of the answer. The bridge then asked again without. */
  refused?: string;
  /** The start of the upstream's message when it failed to read calls. The calls of the answer are read from it. */
  rescued?: string;
  /** What was mended in the conversation before it was sent, because upstreams refuse it. */
  mended?: Mend[];
  /** Tools that run at a provider and were left out. */
  skippedTools?: { path: string; type: string }[];
  /** Items of the conversation that the model did not get: they are another provider's, encrypted. */
  skippedItems?: { path: string; type: string }[];
  /** Members of the request that had no effect, because an upstream that only writes text never receives them. */
  ignored?: string[];
  /** Freeform tools whose grammar nothing enforces: the model is only told of it. */
  taughtGrammars?: string[];
  /** The upstream takes sampling grammars, which hold calls alone here: only the prompt asked for the answer's format. */
  taughtFormat?: true;
  /** A grammar held the sampling: of all of the answer, or of its calls from their opener on. */
  held?: true;
  /** Whether the numbers in `usage` are the upstream's. */
  usage?: 'upstream' | 'estimated';
  /** Which of several endpoints the answer came from: its name, or its host. */
  upstream?: string;
  /** The endpoints that were asked before it, or whose answer could not replace this one. */
  moved?: Move[];
}

export type MendCode =
  | 'repaired-arguments' // of an earlier call: read leniently, and written as JSON
  | 'replaced-arguments' // of an earlier call, unreadable: `{}`, with a note in the result
  | 'missing-result' // a call without its result: one was added that says that the tool was not run
  | 'result-without-call' // became the text of a user's message
  | 'moved-result' // after other messages: put directly after its call
  | 'duplicate-id' // of a call: changed, also in its result
  | 'empty-turn' // an assistant's message without text and calls: left out, or given a text
  | 'empty-text' // text without a character, beside calls or other text: left out
  | 'other-role' // `developer`: sent as `system`
  | 'refused-roles' // the upstream refused their order, and was asked again in another
  | 'late-system' // a system message that is not at the front: became a marked text of a user's message
  | 'joined-turns' // two messages of one role in a row: became one
  | 'added-turn' // between two messages that an alternating template does not take in a row
  | 'forged-system' // text of a user or a tool with the mark of system messages: the mark was broken
  | 'refused-media' // the upstream refused images, and was asked again without
  | 'unseen-media' // an image or a file in a result, for a model that takes only text: became a note
  | 'more'; // further mends that are not listed

/** One change to the conversation, made before it was sent to the upstream. */
export interface Mend {
  code: MendCode;
  /** The place in the conversation: `messages[3].parts[0]`. A system prompt is a message of it. */
  path: string;
  message: string;
}

/** Why a request left an endpoint for the next one. */
export interface Move {
  from: string;
  reason: string;
  /** The faults of the tool calls in the answer that was dropped. */
  faults?: Partial<Record<ToolFault, number>>;
}

/**
 * What an endpoint can do wrong with a tool call: one that cannot be read, a tool that nobody declared, arguments that
 * break the schema, a call that was written as text.
 */
export type ToolFault = 'invalid-json' | 'unknown-tool' | 'schema-mismatch' | 'leak';

export interface Reask {
  choice: number;
  /** The reasons given to the model; or the upstream's message, when it failed to read a call. */
  reasons: string[];
  issues: Issue[];
  /** What the model had written, cut if long. */
  text: string;
}

interface OfChoice {
  /** The index of the answer, where several were requested. Default 0. */
  choice?: number;
}

/**
 * The order for each choice: any number of deltas, `finish` once. For the whole: `answer-start` first; `usage` and
 * `report` after the last finish; or `error`, which ends everything. A `call-start` comes before its deltas, the deltas
 * concatenate to the arguments as JSON, and `call-end` marks them complete: a call without it was cut off and must not
 * be run. Calls do not interleave, except those of a native upstream.
 */
export type AnswerEvent =
  | { type: 'answer-start'; id?: string; model?: string; created?: number; extra?: Extra }
  | ({ type: 'text-delta'; text: string; refusal?: true } & OfChoice) // `refusal`: said in the place of an answer
  | ({
      type: 'reasoning-delta';
      text: string;
      /** With the first one: the member it came in, if the API has several and this is not the usual one. */
      member?: string;
      /** It came as a part of the content, which no member of a history takes back. */
      inParts?: true;
      extra?: Extra;
    } & OfChoice)
  | ({
      type: 'call-start';
      id: string;
      name: string;
      /** The upstream sent a call of a freeform tool. The deltas are its arguments as JSON, as in the model. */
      freeform?: boolean;
    } & OfChoice)
  | ({ type: 'call-delta'; id: string; text: string } & OfChoice)
  | ({ type: 'call-end'; id: string } & OfChoice)
  | ({
      type: 'finish';
      reason: FinishReason;
      /** The reason that the upstream gave, where a call without valid arguments made it `length`. */
      given?: FinishReason;
      stopSequence?: string;
    } & OfChoice)
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
  | 'bad-request' // 400: the client's request is invalid; `path` names the member
  | 'unauthorized' // 401
  | 'forbidden' // 403
  | 'not-found' // 404: no such model (then `path` is `model`), route or stored response
  | 'method-not-allowed' // 405
  | 'too-large' // 413
  | 'context-too-long' // 400: the conversation is longer than the model's context
  | 'unsupported-media' // 400: an image or a file where only text can go
  | 'rate-limited' // 429
  | 'tools-refused' // 400: the upstream does not take tools
  | 'upstream-refused' // the upstream's own 4xx: its status is passed on
  | 'upstream-failed' // 502: no connection, 5xx, a response that is no answer
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
  body?: string;
  cause?: unknown;
}

/** An error on the way to or from a model, with what a client needs to react. Thrown, or sent within a stream. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The path of the request member that is at fault. */
  readonly path: string | undefined;
  /** The upstream's HTTP status, if it answered. */
  readonly status: number | undefined;
  /** Whether the same request may succeed if it is sent again. */
  readonly retryable: boolean;
  /** Seconds to wait before that, if the upstream gave them. */
  readonly retryAfter: number | undefined;
  /** Machine-readable details, in the words of the API, where it has a place for them. */
  readonly details: Record<string, unknown> | undefined;
  /** Private, so that no log of the error shows it: it was not searched for keys. */
  readonly #body: string | undefined;

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
    this.#body = more.body;
  }

  /** The upstream's error as it came, cut if long. Some have what the model wrote. */
  get body(): string | undefined {
    return this.#body;
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
