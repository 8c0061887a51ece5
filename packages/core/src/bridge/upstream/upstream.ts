// A model, as the bridge sees it: something that is asked and writes an answer, piece by piece.

import type { GrammarFormat } from '../../grammar/constrain.js';
import type { AnswerEvent, ModelRequest } from '../../model/index.js';
import type { IdPrefixes } from '../../wire/index.js';
import type { BridgeEvent } from '../options.js';

/** What goes to an upstream: a request whose messages are ready for it, or one prompt. */
export interface UpstreamRequest extends ModelRequest {
  /** The whole prompt, for an upstream that takes one. Then the messages are not sent. */
  prompt?: string;
}

export interface UpstreamContext {
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal;
}

export interface Upstream {
  /** What a text model is given: messages, or one prompt in the dialect's own form. */
  readonly takes: 'messages' | 'prompt';
  /** It takes tools of its own accord. */
  readonly tools: boolean;
  /** It takes images and other media in messages. */
  readonly media: boolean;
  /** It holds an answer to a grammar, of this kind. Absent: it takes none. */
  readonly grammar?: GrammarFormat;
  /**
   * Throws an ApiError, before the first event or between two. Ends after a `finish` for each choice (and
   * `usage`, if it is known); never ends without.
   */
  ask(request: UpstreamRequest, context: UpstreamContext): AsyncIterable<AnswerEvent>;
}

/** Anything that answers requests with events: an upstream under a dialect, healed, or as it is. */
export type Ask = (request: ModelRequest, context: AskContext) => AsyncIterable<AnswerEvent>;

export interface AskContext extends UpstreamContext {
  /** Told of everything that happens in this exchange, in the place of the option of this name. */
  onEvent?: (event: BridgeEvent) => void;
  /** How fresh ids begin, in the place of the option of this name. */
  ids?: IdPrefixes;
}
