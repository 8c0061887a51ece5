// Writes everything but the answer to standard error: reasoning, calls, results, notes.

import type { ToolCall, ToolResult } from '@dragoman/core';
import type { ReadPiece } from './read-piece.js';
import { Screen } from './screen.js';
import { TerminalView } from './terminal-view.js';
import type { TurnView } from './turn-view.js';

export class SideView implements TurnView {
  readonly #view = new TerminalView(new Screen(process.stderr), false);

  constructor(private readonly quiet: boolean) {}

  wait(): void {}

  read(reading: ReadPiece): void {
    if (!this.quiet && reading.kind !== 'text') this.#view.read(reading);
  }

  result(call: ToolCall, result: ToolResult, ran: boolean): void {
    if (!this.quiet) this.#view.result(call, result, ran);
  }

  note(text: string): void {
    if (!this.quiet) this.#view.note(text);
  }

  stepEnd(): void {
    this.#view.stepEnd();
  }

  end(): void {
    this.#view.end();
  }
}
