// A request to a model, independent of the API it came by or goes out by.

import type { Conversation, Extra, JsonSchema } from './conversation.js';

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
  /** Whether the model should reason. Absent: the model's own default. */
  thinking?: boolean;
  /** The reasoning effort, in the client's own word. */
  effort?: string;
}

/** Structured output: the text of the answer is to be JSON. Calls are still allowed where there are tools. */
export type AnswerFormat =
  | { type: 'json' } // an object of any members
  | {
      type: 'json-schema';
      schema: JsonSchema;
      name?: string;
      description?: string;
      /** The model is to be held to the schema exactly. Absent: as the API does by default. */
      strict?: boolean;
    };

export interface ModelRequest {
  /** The name of the API the request came in by: only this API understands what is in any `extra` of it. */
  api?: string;
  model: string;
  conversation: Conversation;
  settings: Settings;
  stream: boolean;
  /** The form of the answer's text. Absent: any text. */
  format?: AnswerFormat;
  /** How calls are delivered, where the client may choose: see the bridge's option of this name. */
  delivery?: 'stream' | 'whole';
  /** The member in which the upstream writes and reads reasoning, if its API has several and this is not the usual one. */
  reasoningMember?: string;
  /** Chat streams report usage only if the client asks for it; other APIs always do. */
  includeUsage?: boolean;
  /** Tools that run at a provider and were left out. The report lists them. */
  skippedTools?: { path: string; type: string }[];
  /** Items of the conversation that no model can read: they are another provider's, encrypted. The report lists them. */
  unreadItems?: { path: string; type: string }[];
  /**
   * Items that the conversation only names by id (the Responses API's references to earlier items). They are not in the
   * messages: the code that stores those items must insert them, or refuse the request.
   */
  references?: { path: string; id: string }[];
  /**
   * Members that have no place in our model, and notes on how known members were spelled, so that decoding and encoding
   * by the same API gives the same request.
   */
  extra?: Extra;
}
