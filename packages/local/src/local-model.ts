// A model that runs in this process. What evaluates it is behind this: llama.cpp for a GGUF file, or the small runtime of
// the tiny model. Both take a prompt in pieces and give text as it is sampled.

/** A part of a prompt. Special tokens are found only in pieces of ours: the others are tokenised as plain text. */
export interface PromptPiece {
  text: string;
  origin: 'ours' | 'outside';
}

/** How the next token is chosen. What is absent is the default of the model. */
export interface Sampling {
  /** 0: always the likeliest token. */
  temperature?: number;
  topP?: number;
  topK?: number;
  minP?: number;
  /** The same seed, prompt and sampling give the same text. */
  seed?: number;
  presencePenalty?: number;
  frequencyPenalty?: number;
  repetitionPenalty?: number;
}

/** A grammar that holds what is sampled. */
export interface HeldGrammar {
  gbnf: string;
  /** It begins to hold where one of these was written, which are its own first words. Absent: from the first token. */
  after?: readonly string[];
  /** It also begins to hold where one of these is the first text of the answer, or the first behind reasoning. */
  beginnings?: readonly string[];
  /** Text in which they do not count: reasoning. `begun`: the answer begins inside it. */
  notWithin?: { open: string; close: string; begun: boolean };
  /** Lines may be left blank before what the grammar says. */
  blankFirst?: boolean;
  /** What the grammar has read before the first token, because the prompt ends with it. */
  begun?: string;
}

export interface LocalRequest {
  prompt: readonly PromptPiece[];
  sampling: Sampling;
  /** Texts that end the answer; they are not part of it. */
  stop: readonly string[];
  maxTokens?: number;
  grammar?: HeldGrammar;
  /** The sampling stops with the token it is at. */
  signal: AbortSignal;
}

export interface LocalUsage {
  /** All tokens of the prompt. */
  inputTokens: number;
  /** Those that were evaluated before, for an earlier request. */
  cachedTokens: number;
  outputTokens: number;
}

export type LocalEvent =
  | {
      type: 'text';
      text: string;
      /** The tokens so far: an answer may be left before its end. */
      usage?: LocalUsage;
      /** A grammar holds the answer by now. */
      held?: boolean;
    }
  | {
      type: 'end';
      reason: 'stop' | 'length';
      usage: LocalUsage;
      /** Whether the grammar held a part of the answer. */
      held: boolean;
    };

export interface LocalModel {
  readonly name: string;
  /** Tokens of a prompt and its answer together. */
  readonly contextLength: number;
  /** The chat template of its file. */
  readonly template?: string;
  /** Whether it can be held to a grammar. */
  readonly grammar: boolean;
  /** How many answers it can write at once. Default 1. */
  readonly parallel?: number;
  /** Gives pieces of text, then one end. Several may run at once. */
  generate(request: LocalRequest): AsyncIterable<LocalEvent>;
  close(): Promise<void>;
}
