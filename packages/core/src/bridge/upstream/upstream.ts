// A model as the bridge sees it: it takes a request and writes an answer, piece by piece.

import type { RenderedMessage } from '../../engine/renderer.js';
import type { Span } from '../../engine/writer.js';
import type { GrammarFormat } from '../../grammar/constrain.js';
import type {
  AnswerEvent,
  AnswerFormat,
  ApiError,
  Extra,
  ModelRequest,
  Settings,
} from '../../model/index.js';
import type { IdPrefixes } from '../../wire/index.js';
import type { BridgeEvent } from '../options.js';
import type { TurnNotes } from '../turns/turn-notes.js';
import type { HeldSize } from './held-size.js';

/** A request to an upstream: with messages that are ready for it, or with one prompt. */
export interface UpstreamRequest extends ModelRequest {
  /** The whole prompt, for an upstream that takes one. Then the messages are not sent. */
  prompt?: string;
  /** Where the text of the prompt comes from, for an upstream that takes origins. */
  spans?: readonly Span[];
  /** The messages as they were rendered, with origins and the role of results, for an upstream that takes origins. */
  rendered?: readonly RenderedMessage[];
  /** Members of the body that the API has no field for: those of the client that only engines know, a grammar. */
  members?: Extra;
  /** The special tokens that calls are made of: the answer must have them. */
  specialTokens?: readonly string[];
  /** An answer to this conversation lacked them. */
  strippedTokens?: boolean;
}

/** Whether an upstream writes special tokens into its text: it is asked to, it could be, or it never does. */
export interface SpecialTokens {
  state: 'asked' | 'unasked' | 'never';
  /** What to do if they are missing. */
  advice: string;
}

export interface UpstreamContext {
  /** Aborted when the client no longer waits for the answer. */
  signal: AbortSignal;
  /** Whether the caller handles this error itself: then the upstream does not retry it. */
  handles?: (error: ApiError) => boolean;
  /** Called with the name of a member that is left out of the request, because the upstream refused it. */
  onIgnored?: (member: string) => void;
  /**
   * Called with the members of the body that the engine's preset, a grammar or the configuration added or replaced, or
   * removed (null). Not called where there are none; again, when the upstream refused one.
   */
  onMembers?: (members: Extra) => void;
  /** Who asks, for an upstream that shares its time fairly. Absent: everybody is the same client. */
  client?: string;
  /** Called when a grammar held the sampling of a part of the answer. */
  onHeld?: () => void;
}

export interface Upstream {
  /** The name of its API, if it has one. Members of a request that came by another one are not in its body. */
  readonly api?: string;
  /** The input it takes: messages, or one prompt in the dialect's own form. */
  readonly takes: 'messages' | 'prompt';
  /** Whether requests tell which text is markup and which comes from outside. Default: they do not. */
  readonly origins?: boolean;
  /** The model's own name, where clients use others: it chooses among the prompts of a dialect. */
  readonly model?: string;
  /** `own`: it takes only reasoning that it made itself, as the wire says. Default: any. */
  readonly reasoning?: 'own';
  /** Whether it has native tool calls. Absent: it is not known. */
  readonly tools?: boolean;
  /** Whether its model reasons before it answers, so that a grammar must allow it. Absent: if the dialect has reasoning. */
  readonly reasons?: boolean;
  /** Whether it takes images and other media in messages. */
  readonly media: boolean;
  /** Whether it takes freeform tools. Otherwise it gets functions with one text instead. */
  readonly freeform?: boolean;
  /** Absent: it is not known. */
  specialTokens?(): SpecialTokens;
  /** Whether its engine has a switch that turns thinking on, which no model refuses. */
  switchesThinking?(): boolean;
  /** The format in which it takes sampling grammars. Absent: it takes none. */
  readonly grammar?: GrammarFormat;
  /**
   * Whether it takes `grammar_beginnings` beside a lazy GBNF: texts that begin a call as the first of an answer, or as
   * the first behind its reasoning. Servers of llama.cpp do not.
   */
  readonly beginnings?: boolean;
  /** Settings that its API has no member for. */
  readonly lacks?: readonly (keyof Settings)[];
  /** The kinds of structured output that it can be asked for. Absent: none, so a prompt has to. */
  readonly formats?: readonly AnswerFormat['type'][];
  /**
   * Throws an ApiError, before the first event or between two. Otherwise it ends after a `finish` for each choice (and
   * `usage`, if it is known).
   */
  ask(request: UpstreamRequest, context: UpstreamContext): AsyncIterable<AnswerEvent>;
}

/** Answers a request with events: an upstream that is emulated, healed, or used natively. */
export type Ask = (request: ModelRequest, context: AskContext) => AsyncIterable<AnswerEvent>;

export interface AskContext extends UpstreamContext {
  /** Called for every event of this request, instead of the option of this name. */
  onEvent?: (event: BridgeEvent) => void;
  /** The prefixes of fresh ids, instead of the option of this name. */
  ids?: IdPrefixes;
  /** Notes the answer, to recall its turns when they come back. */
  turn?: TurnNotes;
  /** Counts what the answer holds. Default: of an answer that is not streamed it is counted. */
  held?: HeldSize;
  /** Another endpoint can be asked: an answer with a problem is held until its end, unless a part was delivered. */
  mayMove?: boolean;
}
