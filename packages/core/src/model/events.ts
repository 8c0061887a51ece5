// The events a parser emits while text arrives. Deltas only. Every event has the range of its characters; in the order
// of emission the ranges tile the text: no gap, no overlap.

import type { Issue, Repair } from './issues.js';
import type { JsonObject } from './json.js';

/** Half-open, in UTF-16 code units of the whole text. */
export type Range = readonly [start: number, end: number];

interface Located {
  range: Range;
  /** Issues found here. On `call-end` and `call-error`: all issues of that call. */
  issues?: Issue[];
  /** Repairs made here. On `call-end` and `call-error`: all repairs of that call. */
  repairs?: Repair[];
}

export interface TextDelta extends Located {
  type: 'text-delta';
  text: string;
  /** Whether it was written after the calls, in a dialect whose turns end with them. */
  aside?: boolean;
}
export interface ReasoningDelta extends Located {
  type: 'reasoning-delta';
  text: string;
}
/** The range is the name's, or empty where the name was written elsewhere. */
export interface CallStart extends Located {
  type: 'call-start';
  id: string;
  name: string;
}
/** A piece of the arguments as JSON text. The pieces of a call concatenate to its `raw`. */
export interface CallDelta extends Located {
  type: 'call-delta';
  id: string;
  text: string;
}
/** The call is complete: only now may it be run. */
export interface CallEnd extends Located {
  type: 'call-end';
  id: string;
  name: string;
  input: JsonObject;
  raw: string;
}
/** A call that cannot be run: cut off or unreadable. `id` is there if a `call-start` went before. */
export interface CallError extends Located {
  type: 'call-error';
  id?: string;
  name?: string;
  /** The argument text that was read, an incomplete piece of JSON. */
  raw?: string;
  issues: Issue[];
}
/** Characters that are neither text nor arguments: tags, separators, dropped tokens. */
export interface Markup extends Located {
  type: 'markup';
}

export type ParseEvent = TextDelta | ReasoningDelta | CallStart | CallDelta | CallEnd | CallError | Markup;
