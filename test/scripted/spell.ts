// Writes a model's turn of reasoning, text and calls in a dialect.

import { acceptTools, type Dialect, type ToolCall } from '@dragoman/core';
import { spellTurn } from '@dragoman/core/testing';

interface SpelledCall {
  id?: string;
  name: string;
  /** Arguments as JSON text, with digits as written. */
  raw: string;
}

export interface SpelledTurn {
  reasoning?: string;
  text?: string;
  calls?: readonly SpelledCall[];
}

/** The reasoning is written in `<think>`: over a chat endpoint no prompt has opened it. */
export function spell(dialect: Dialect, turn: SpelledTurn, tools: unknown = []): string {
  const calls = (turn.calls ?? []).map(
    ({ id, name, raw }, at): ToolCall => ({
      type: 'tool-call',
      id: id ?? `c${at + 1}`,
      name,
      input: JSON.parse(raw),
      raw,
    }),
  );
  const thought = turn.reasoning === undefined ? '' : `<think>\n${turn.reasoning}\n</think>\n\n`;
  const parts = { reasoning: '', text: turn.text ?? '', calls, tools: acceptTools(tools) };
  return thought + spellTurn(dialect, parts).text;
}
