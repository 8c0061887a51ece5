// Pairs each parser event with the source text it was read from.

import type { Issue, ToolCall, ToolResult } from '@dragoman/core';

export type ReadPieceKind =
  | 'text'
  /** Behind the calls, in a dialect whose turns end with them. */
  | 'aside'
  | 'reasoning'
  | 'call-start'
  | 'call-delta'
  | 'call-end'
  | 'call-error'
  /** Tags and separators. */
  | 'markup';

export interface ReadPiece {
  kind: ReadPieceKind;
  /** The content: text, the name of a call, or a piece of its arguments. */
  text: string;
  /** The source text; empty for native calls. */
  raw: string;
  issues?: readonly Issue[];
}

export interface TurnView {
  /** Whether commands such as /show can be typed. */
  readonly takesCommands: boolean;
  /** A wait begins: for the model, or for a tool. */
  wait(text: string): void;
  read(reading: ReadPiece): void;
  result(call: ToolCall, result: ToolResult, ran: boolean): void;
  /** A note about the answer. */
  note(text: string): void;
  /** The answer of this step is complete. */
  stepEnd(): void;
}
