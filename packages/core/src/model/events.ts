// What a parser says while text arrives. Deltas only; every event says which characters it stands for, and
// in the order they are emitted the ranges tile the text: no gap, no overlap.

import type { Issue, Repair } from './issues.js';
import type { JsonObject } from './json.js';

/** Half-open, in UTF-16 code units of the whole text. */
export type Range = readonly [start: number, end: number];

interface Located {
  range: Range;
  /** What was found wrong here. On `call-end` and `call-error`: everything about that call. */
  issues?: Issue[];
  /** What was read generously here. On `call-end` and `call-error`: everything about that call. */
  repairs?: Repair[];
}

export interface TextDelta extends Located {
  type: 'text-delta';
  text: string;
  /** Written behind the calls, in a dialect whose turns end with them. */
  aside?: boolean;
}
export interface ReasoningDelta extends Located {
  type: 'reasoning-delta';
  text: string;
}
/** The range is the name's, or empty where the name stood elsewhere. */
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
