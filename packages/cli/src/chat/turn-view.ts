// The interface of a view that shows an answer while it streams.

import type { ToolCall, ToolResult } from '@dragoman/core';
import type { ReadPiece } from './read-piece.js';

export interface TurnView {
  /** A wait begins: for the model, or for a tool. */
  wait(text: string): void;
  read(reading: ReadPiece): void;
  result(call: ToolCall, result: ToolResult, ran: boolean): void;
  /** A note about the answer. */
  note(text: string): void;
  /** The answer of this step is complete. */
  stepEnd(): void;
}
