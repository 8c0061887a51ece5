// What the writers of both APIs' rows need to know everywhere, and how their rows end.

import type { Conversation, ExactValue, ToolChoice } from '@dragoman/core/internal';
import { arrivedChoice, noteChoice } from './choice.js';
import type { Note } from './form.js';

export type Members = { [key: string]: ExactValue };

export interface WriteContext {
  /** The conversation was read by this form, so that its `extra` is known. */
  own: boolean;
  notes: Note[];
  /** Names that a reader finds out from the calls. */
  names: Map<string, string>;
}

/** `tools` and `tool_choice`, behind what was said, where there are any. */
export function endRow(
  said: [string, ExactValue][],
  tools: ExactValue | undefined,
  choice: ExactValue | undefined,
): [string, ExactValue][] {
  if (tools !== undefined) said.push(['tools', tools]);
  if (choice !== undefined) said.push(['tool_choice', choice]);
  return said;
}

/** The choice as it arrived, or as the API spells ours; what it cannot say is noted. */
export function writeChoice(
  { toolChoice, extra }: Conversation,
  { own, notes }: WriteContext,
  spell: (choice: Exclude<ToolChoice, 'auto'>) => ExactValue,
): ExactValue | undefined {
  const arrived = own ? arrivedChoice(extra) : undefined;
  if (arrived !== undefined) return arrived;
  if (!own) noteChoice(notes, extra);
  return toolChoice === 'auto' ? undefined : spell(toolChoice);
}
