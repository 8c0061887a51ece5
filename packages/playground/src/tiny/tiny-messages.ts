// What the page and the worker of the tiny model tell each other.

import type { ParseEvent } from '@dragoman/core';

export type TinyRequest =
  | { type: 'load'; url: string }
  | { type: 'ask'; id: string; url: string; body: string }
  | { type: 'stop'; id: string };

export type TinyReply =
  | { type: 'progress'; loaded: number }
  | { type: 'ready' }
  | { type: 'failed'; message: string }
  // The response to a request: its head, its body piece by piece, and its end.
  | { type: 'head'; id: string; status: number; contentType: string }
  | { type: 'piece'; id: string; text: string }
  | { type: 'end'; id: string; error?: string }
  // What the inspector of a gateway would tell of it.
  | { type: 'event'; id: string; event: TinyEvent };

type TinyEvent =
  | { type: 'upstream-request'; choice: number; attempt: number }
  | { type: 'upstream-text'; choice: number; attempt: number; text: string }
  | { type: 'parse'; choice: number; attempt: number; event: ParseEvent };

const PREFIX = 'browser/';

/** The name of the model in a dialect. */
export function browserModel(dialect: string): string {
  return PREFIX + dialect;
}

/** Gives the dialect of a name; undefined if it is a model of the gateway. */
export function dialectIn(model: string): string | undefined {
  return model.startsWith(PREFIX) ? model.slice(PREFIX.length) : undefined;
}
