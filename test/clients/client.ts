// What the cases ask of a client, whichever it is: to say something, run tools, and tell what came.

import type { JsonSchema } from '@dragoman/core';

export interface ClientTool {
  name: string;
  description: string;
  parameters: JsonSchema & { type: 'object' };
}

export type Choice = 'auto' | 'none' | 'required' | { name: string };

/** One thing to do with a client. */
export interface Job {
  /** The gate's address, without `/v1`. */
  url: string;
  prompt: string;
  tools: readonly ClientTool[];
  choice?: Choice;
  /** Requests the client may make, tools answered in between. */
  turns: number;
  signal?: AbortSignal;
  /** Runs a tool and gives its result. `raw` is the arguments' text, where the client shows it. */
  execute(name: string, input: unknown, raw?: string): string;
  /** Told of text as it arrives, by clients that stream. */
  onText?(text: string): void;
}

/** Why a turn ended, in one set of words for all APIs. */
export type Ending = 'stop' | 'tool-calls' | 'length';

export interface Turn {
  text: string;
  reasoning: string;
  /** Every call the client was given, run or not. */
  calls: string[];
  ending: Ending | undefined;
}

export interface Client {
  /** How a user would call it. */
  name: string;
  streams: boolean;
  /** It has a place for reasoning that tests can look at. */
  reasons: boolean;
  /** It may throw where the token limit cut an answer off, instead of giving what there is: versions differ. */
  refusesCut?: true;
  /** Tells every turn, in order. Throws where the client throws, or reports an error in its own way. */
  run(job: Job): Promise<Turn[]>;
}

/** No real key: it must not reach the model. */
export const CLIENT_KEY = 'client-key-4711';

const endings: Record<string, Ending> = {
  stop: 'stop',
  end_turn: 'stop',
  completed: 'stop',
  length: 'length',
  max_tokens: 'length',
  max_output_tokens: 'length',
  tool_calls: 'tool-calls',
  'tool-calls': 'tool-calls',
  tool_use: 'tool-calls',
};

export function toEnding(word: string | null | undefined): Ending | undefined {
  return word && Object.hasOwn(endings, word) ? endings[word] : undefined;
}
