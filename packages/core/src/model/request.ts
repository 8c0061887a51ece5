// What is asked of a model, whatever API it came in by or goes out by.

import type { Conversation, Extra } from './conversation.js';

export interface Settings {
  maxTokens?: number;
  temperature?: number;
  topP?: number;
  topK?: number;
  seed?: number;
  stop?: string[];
  /** How many answers. Default 1. */
  choices?: number;
  /** Several calls in one turn. Default true. */
  parallelCalls?: boolean;
  /** Whether the model is to think; as it does by itself where absent. */
  thinking?: boolean;
  /** How much, in the client's own word. */
  effort?: string;
}

export interface ModelRequest {
  /** The name of the API the request came in by: only this API understands what is in any `extra` of it. */
  api?: string;
  model: string;
  conversation: Conversation;
  settings: Settings;
  stream: boolean;
  /** How calls are delivered, where the asker has a say: see the bridge's option of this name. */
  delivery?: 'stream' | 'whole';
  /** Chat streams report usage only when asked. Elsewhere always. */
  includeUsage?: boolean;
  /** Tools that run at a provider and were left out, said to the caller. */
  skippedTools?: { path: string; type: string }[];
  /**
   * What the conversation only names by an id, said by someone else before: an item of the Responses API. It is
   * not in the messages, so whoever has it must put it there, or refuse the request.
   */
  references?: { path: string; id: string }[];
  /**
   * Members the model has no word for, and notes on how known ones were spelled, so that decoding and
   * encoding by the same API gives the same request.
   */
  extra?: Extra;
}
