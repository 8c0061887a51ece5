// Whoever shows an answer while it comes.

import type { ToolCall, ToolResult } from '@dragoman/core';
import type { ReadPiece } from './read-piece.js';

export interface TurnView {
  /** The model is asked, or a tool runs: nothing comes for a while. */
  wait(text: string): void;
  read(reading: ReadPiece): void;
  result(call: ToolCall, result: ToolResult, ran: boolean): void;
  /** A word about the answer, not of it. */
  note(text: string): void;
  /** The model has said what it says in this step. */
  stepEnd(): void;
}
